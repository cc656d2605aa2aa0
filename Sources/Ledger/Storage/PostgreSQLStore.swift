import CPostgreSQL
import System
import Text

/// A ledger on a PostgreSQL server that several benches share.
final class PostgreSQLStore: LedgerStore {
  /// The lock that keeps writers of a ledger apart: the letters `DBLG`.
  private static let lock = 0x4442_4C47
  /// What the server calls a full disk (PostgreSQL 15 documentation, appendix A).
  private static let diskFull = "53100"
  /// What the server calls a lock that another writer kept for too long.
  private static let lockNotAvailable = "55P03"
  /// The beginning of what it says when it, or the connection, is shut down.
  private static let shutDown = "57P"
  /// The class of errors of a connection.
  private static let connectionException = "08"

  let name: String
  private let library: PostgreSQLLibrary
  private let connection: OpaquePointer

  /// Connects to a server. What the URL does not state is bounded: ten seconds to connect, thirty for an answer from a
  /// machine that has gone.
  ///
  /// - Throws: why that is impossible.
  init(_ url: String, called name: String) throws(LedgerFailure) {
    self.name = name
    let library: PostgreSQLLibrary
    do throws(SharedLibrary.Failure) {
      library = try PostgreSQLLibrary()
    } catch {
      throw .unopened(ledger: name, reason: "\(error); install Debian's package libpq5")
    }
    self.library = library
    let parameters = [
      ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("application_name", "dictobench"),
      ("client_encoding", "UTF8"), ("options", "-c lock_timeout=30000"), ("dbname", url),
    ]
    let opened = CStrings.with(parameters.map(\.0) + [nil]) { keywords in
      CStrings.with(parameters.map(\.1) + [nil]) { values in library.connectdbParams(keywords, values, 1) }
    }
    guard let opened else { throw .unopened(ledger: name, reason: "there is no memory for a connection") }
    guard library.status(opened) == CONNECTION_OK else {
      defer { library.finish(opened) }
      throw .unopened(ledger: name, reason: Self.sentence(library.errorMessage(opened)))
    }
    connection = opened
    // Notices would be printed to standard error.
    _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { library.finish(connection) }

  func begin() throws(LedgerFailure) {
    try run("BEGIN")
    // Released by the server at the end of the transaction, also when this program is killed.
    try run("SELECT pg_advisory_xact_lock(\(Self.lock))")
  }

  func commit() throws(LedgerFailure) { try run("COMMIT") }

  func rollback() {
    guard library.transactionStatus(connection) != PQTRANS_IDLE else { return }
    // The first failure says more; a server that has gone forgets the transaction by itself.
    try? run("ROLLBACK")
  }

  func reconnect() -> Bool {
    library.reset(connection)
    return library.status(connection) == CONNECTION_OK
  }

  func hasTable(_ table: String) throws(LedgerFailure) -> Bool {
    let sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?"
    return try !run(sql, [.text(table)]).isEmpty
  }

  func sealing(_ table: String) -> [String] {
    [
      "CREATE OR REPLACE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        + "'BEGIN RAISE EXCEPTION ''\(appendOnlyRefusal)''; END'",
      "CREATE TRIGGER \(table)_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table) "
        + "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()",
    ]
  }

  func run(_ statement: String, _ values: [LedgerValue]) throws(LedgerFailure) -> [LedgerRow] {
    let texts = values.map { value -> String? in
      switch value {
      case .integer(let number): String(number)
      case .words(let text): text
      case .null: nil
      }
    }
    let answer = CStrings.with(texts) { texts in
      library.execParams(
        connection, Self.numbered(statement), Int32(values.count), nil, values.isEmpty ? nil : texts, nil, nil, 0)
    }
    defer { library.clear(answer) }
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(library.resultStatus(answer)) else { throw failure(answer) }
    let columns = library.nfields(answer)
    return (0..<library.ntuples(answer)).map { row in
      LedgerRow(
        (0..<columns).map { column in
          guard library.getisnull(answer, row, column) == 0, let value = library.getvalue(answer, row, column) else {
            return .null
          }
          return .words(String(cString: value))
        }, of: name)
    }
  }

  private func failure(_ answer: OpaquePointer?) -> LedgerFailure {
    let reason = Self.sentence(library.errorMessage(connection))
    guard library.status(connection) == CONNECTION_OK else { return .lost(ledger: name, reason: reason) }
    let state = library.resultErrorField(answer, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
    return Self.failure(state: state, reason, name)
  }

  /// What an error of the server means, by its code in appendix A; `nil` for a text that libpq wrote because it heard
  /// nothing from the server.
  static func failure(state: String?, _ reason: String, _ name: String) -> LedgerFailure {
    switch state {
    case diskFull: return .full(ledger: name)
    case lockNotAvailable: return .busy(ledger: name)
    case let state? where !state.hasPrefix(shutDown) && !state.hasPrefix(connectionException):
      return .statement(ledger: name, reason: reason)
    default: return .lost(ledger: name, reason: reason)
    }
  }

  /// The first line of a server's message, without the word before it.
  private static func sentence(_ message: UnsafePointer<CChar>?) -> String {
    let text = message.map { String(cString: $0) } ?? ""
    let line = text.split(separator: "\n").first.map(String.init) ?? "no reason given"
    for word in ["FATAL:", "ERROR:"] where line.hasPrefix(word) {
      return String(line.dropFirst(word.count)).trimmingBlanks
    }
    return line
  }

  /// A statement with `$1`, `$2`, … in place of `?`, except inside quotes.
  static func numbered(_ statement: String) -> String {
    var (result, count, isQuoted) = ("", 0, false)
    for character in statement {
      if character == "'" { isQuoted.toggle() }
      if character == "?", !isQuoted {
        count += 1
        result += "$\(count)"
      } else {
        result.append(character)
      }
    }
    return result
  }
}

/// Texts as C reads them.
private enum CStrings {
  /// Calls `body` with pointers to the texts, `nil` for those that are missing.
  static func with<Value>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    var octets: [CChar] = []
    let starts = texts.map { text -> Int? in
      guard let text else { return nil }
      let start = octets.count
      octets += text.utf8CString
      return start
    }
    return octets.withUnsafeBufferPointer { buffer in
      let pointers = starts.map { start in start.flatMap { buffer.baseAddress?.advanced(by: $0) } }
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
