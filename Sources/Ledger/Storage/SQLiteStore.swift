import CSQLite
import System

/// A ledger in an SQLite file.
final class SQLiteStore: LedgerStore {
  /// Marks a database as a ledger: the letters `DBLG`.
  private static let applicationIdentifier: Int64 = 0x4442_4C47
  /// How long a writer waits for another one, in milliseconds.
  private static let patience: Int32 = 30_000

  let name: String
  private let handle: OpaquePointer

  /// Opens a file. Makes it, or a ledger of one that is empty, where `makes` says so. The file grows to at most
  /// `pageLimit` pages; `nil` leaves that to the disk.
  ///
  /// - Throws: why it cannot be opened, or that it is not a ledger.
  init(_ path: String, makes: Bool, pageLimit: Int? = nil) throws(LedgerFailure) {
    name = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (makes ? SQLITE_OPEN_CREATE : 0)
    let status = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw .unopened(ledger: path, reason: "there is no memory for a connection") }
    guard status == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      let cause = Errno(rawValue: sqlite3_system_errno(opened))
      let reason =
        cause.rawValue == 0
        ? String(cString: sqlite3_errmsg(opened)) : "\(makes ? Self.refusal(of: path) ?? cause : cause)"
      throw .unopened(ledger: path, reason: reason)
    }
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience)
    try prepare(makes: makes, pageLimit)
  }

  /// Why the system lets nobody make or write a file; `nil` where it does. SQLite then tries to read it, and tells only why
  /// that is impossible.
  private static func refusal(of path: String) -> Errno? {
    do throws(SystemCallFailure) {
      try FileDescriptor.open(path, .writing, .create, mode: 0o644).close()
      return nil
    } catch { return error.code }
  }

  deinit {
    // Closing rolls back an open transaction, as the next start would.
    sqlite3_close_v2(handle)
  }

  private func prepare(makes: Bool, _ pageLimit: Int?) throws(LedgerFailure) {
    // A ledger is marked before it has tables: read in this order, one that another writer makes at the same time has
    // its mark, or no tables yet.
    let tables = try run("SELECT count(*) FROM sqlite_master", []).first?.integer(0)
    let marked = try run("PRAGMA application_id", []).first?.integer(0)
    if marked != Self.applicationIdentifier {
      guard marked == 0, tables == 0 else { throw .foreign(ledger: name) }
      guard makes else { throw .empty(ledger: name) }
      try run("PRAGMA application_id = \(Self.applicationIdentifier)")
    }
    // The file may come from elsewhere: nothing in its schema is run except the ledger's own triggers.
    for setting in ["trusted_schema = OFF", "cell_size_check = ON", "journal_mode = TRUNCATE", "synchronous = FULL"] {
      try run("PRAGMA \(setting)")
    }
    if let pageLimit { try run("PRAGMA max_page_count = \(pageLimit)") }
  }

  func begin() throws(LedgerFailure) { try run("BEGIN IMMEDIATE") }

  func commit() throws(LedgerFailure) { try run("COMMIT") }

  func rollback() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    // The first failure says more than one of the clean-up, which closing repeats anyway.
    try? run("ROLLBACK")
  }

  func reconnect() -> Bool { false }

  func hasTable(_ table: String) throws(LedgerFailure) -> Bool {
    try !run("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(table)]).isEmpty
  }

  func sealing(_ table: String) -> [String] {
    ["UPDATE", "DELETE"].map { change in
      "CREATE TRIGGER \(table)_no_\(change.lowercased()) BEFORE \(change) ON \(table) "
        + "BEGIN SELECT RAISE(ABORT, '\(appendOnlyRefusal)'); END"
    }
  }

  func run(_ statement: String, _ values: [LedgerValue]) throws(LedgerFailure) -> [LedgerRow] {
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, statement, -1, &prepared, nil)
    guard status == SQLITE_OK, let prepared else { throw failure(status) }
    defer { sqlite3_finalize(prepared) }
    for (index, value) in values.enumerated() { try bind(prepared, Int32(index + 1), value) }
    var rows: [LedgerRow] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: rows.append(row(prepared))
      case SQLITE_DONE: return rows
      case let status: throw failure(status)
      }
    }
  }

  private func bind(_ statement: OpaquePointer, _ index: Int32, _ value: LedgerValue) throws(LedgerFailure) {
    let status =
      switch value {
      case .integer(let number): sqlite3_bind_int64(statement, index, number)
      case .words(let text): sqlite3_bind_text(statement, index, text, -1, csqlite_transient())
      case .null: sqlite3_bind_null(statement, index)
      }
    guard status == SQLITE_OK else { throw failure(status) }
  }

  private func row(_ statement: OpaquePointer) -> LedgerRow {
    let values = (0..<sqlite3_column_count(statement)).map { column -> LedgerValue in
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
      case SQLITE_NULL: .null
      default: .words(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
      }
    }
    return LedgerRow(values, of: name)
  }

  private func failure(_ status: Int32) -> LedgerFailure {
    switch status & 0xFF {
    case SQLITE_FULL: .full(ledger: name)
    case SQLITE_BUSY, SQLITE_LOCKED: .busy(ledger: name)
    case SQLITE_NOTADB: .foreign(ledger: name)
    case SQLITE_CORRUPT: .damaged(ledger: name, what: String(cString: sqlite3_errmsg(handle)))
    default: .statement(ledger: name, reason: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
