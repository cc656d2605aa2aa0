/// A connection to a database that understands the ledger's statements, used by one thread at a time.
///
/// Tables write their statements once, in the SQL that SQLite and PostgreSQL share, with `?` for values. What differs
/// between them is behind this protocol.
package protocol LedgerStore: AnyObject {
  /// What messages call the ledger.
  var name: String { get }
  /// Runs one statement and returns its rows.
  func run(_ statement: String, _ values: [LedgerValue]) throws(LedgerFailure) -> [LedgerRow]
  /// Begins a transaction that no other writer can be in at the same time.
  func begin() throws(LedgerFailure)
  /// Makes the statements since ``begin()`` take effect together; they are durable afterwards.
  func commit() throws(LedgerFailure)
  /// Forgets the statements since ``begin()``.
  func rollback()
  /// Whether there is a table of this name.
  func hasTable(_ name: String) throws(LedgerFailure) -> Bool
  /// The statements that make a table refuse every change of its rows.
  func sealing(_ table: String) -> [String]
  /// Connects again after ``LedgerFailure/lost(ledger:reason:)``. Returns whether that was possible.
  func reconnect() -> Bool
}

extension LedgerStore {
  /// Runs a statement without values.
  func run(_ statement: String) throws(LedgerFailure) { _ = try run(statement, []) }

  /// Performs statements that take effect together or not at all. A connection that was lost is made again once: every
  /// row has a natural key, so that a transaction of unknown fate can be repeated.
  func transaction<Value>(_ body: () throws(LedgerFailure) -> Value) throws(LedgerFailure) -> Value {
    do {
      return try attempt(body)
    } catch {
      guard case .lost = error, reconnect() else { throw error }
      return try attempt(body)
    }
  }

  private func attempt<Value>(_ body: () throws(LedgerFailure) -> Value) throws(LedgerFailure) -> Value {
    try begin()
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }
}

/// The words with which tables refuse changes.
let appendOnlyRefusal = "the ledger is append-only"
