import CSQLite

/// The place where a library is stored.
public enum LibraryLocation: Hashable, Sendable {
  /// In memory; gone with the library.
  case memory
  /// In the file at this path, readable by its owner only. It is made if it is not there.
  case file(String)
}

/// Sees every statement before it reaches SQLite, and may end the program there by throwing.
public typealias StatementGate = (_ statement: String) throws(LibraryFailure) -> Void

/// A value that goes into a statement.
enum SQLValue {
  case integer(Int64)
  case blob([UInt8])
  case null

  /// A text, as its octets in UTF-8.
  static func text(_ value: String) -> SQLValue { .blob(Array(value.utf8)) }
  static func optional(_ value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }
}

/// One connection to an SQLite database, used from one thread.
///
/// Every statement goes through ``run(_:_:_:)`` or ``rows(_:_:_:_:)``, and so through the gate.
final class Database {
  private let handle: OpaquePointer
  private let gate: StatementGate?
  /// Statements that were prepared already, by their text; never iterated.
  private var prepared: [String: OpaquePointer] = [:]

  /// Opens a database, and makes its file private to its owner.
  init(_ location: LibraryLocation, gate: StatementGate?) throws(LibraryFailure) {
    self.gate = gate
    var path = ":memory:"
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if case .file(let file) = location {
      try PrivateFile.prepare(file)
      path = file
      flags |= SQLITE_OPEN_NOFOLLOW
    }
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { preconditionFailure("SQLite has no memory for a connection") }
    guard status == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw Self.failure("open the library", opened, status)
    }
    handle = opened
  }

  deinit {
    for statement in prepared.values { sqlite3_finalize(statement) }
    // Closing rolls back an open transaction, as the next start would.
    sqlite3_close_v2(handle)
  }

  /// Runs a statement and ignores its rows.
  func run(_ operation: StaticString, _ sql: String, _ values: [SQLValue] = []) throws(LibraryFailure) {
    try perform(operation, sql, values) { (_: borrowing Row) throws(LibraryFailure) in }
  }

  /// Runs a statement and reads its rows.
  func rows<Value>(
    _ operation: StaticString, _ sql: String, _ values: [SQLValue] = [],
    _ read: (borrowing Row) throws(LibraryFailure) -> Value
  ) throws(LibraryFailure) -> [Value] {
    var result: [Value] = []
    try perform(operation, sql, values) { row throws(LibraryFailure) in result.append(try read(row)) }
    return result
  }

  /// Runs statements that take effect all together or not at all.
  func transaction<Value>(
    _ operation: StaticString, _ body: () throws(LibraryFailure) -> Value
  ) throws(LibraryFailure) -> Value {
    do {
      try run(operation, "BEGIN IMMEDIATE")
      let value = try body()
      try run(operation, "COMMIT")
      return value
    } catch {
      // The first failure says more than one of the clean-up, which closing repeats anyway.
      try? rollBack(operation)
      throw error
    }
  }

  /// Takes back what an open transaction has done so far; does nothing where none is open.
  func rollBack(_ operation: StaticString) throws(LibraryFailure) {
    if sqlite3_get_autocommit(handle) == 0 { try run(operation, "ROLLBACK") }
  }

  /// Everything in the database, as its file would be; `nil` where SQLite has no memory for it.
  var image: [UInt8]? {
    var size: Int64 = 0
    guard let octets = sqlite3_serialize(handle, "main", &size, 0) else { return nil }
    defer { sqlite3_free(octets) }
    return Array(UnsafeBufferPointer(start: octets, count: Int(size)))
  }

  /// Replaces everything in a database in memory by an image of another one.
  func load(_ operation: StaticString, _ image: [UInt8]) throws(LibraryFailure) {
    guard let memory = sqlite3_malloc64(UInt64(image.count)) else {
      throw Self.failure(operation, handle, SQLITE_NOMEM)
    }
    memory.copyMemory(from: image, byteCount: image.count)
    // SQLite owns the memory from here on, also where it fails.
    let status = sqlite3_deserialize(
      handle, "main", memory.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard status == SQLITE_OK else { throw Self.failure(operation, handle, status) }
  }

  /// Number of the row that the last insertion made.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func perform(
    _ operation: StaticString, _ sql: String, _ values: [SQLValue],
    _ receive: (borrowing Row) throws(LibraryFailure) -> Void
  ) throws(LibraryFailure) {
    try gate?(sql)
    let statement = try prepare(operation, sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    try bind(operation, statement, 1, values[...]) { () throws(LibraryFailure) in
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: try receive(Row(statement, operation))
        case SQLITE_DONE: return
        case let status: throw Self.failure(operation, handle, status)
        }
      }
    }
  }

  private func prepare(_ operation: StaticString, _ sql: String) throws(LibraryFailure) -> OpaquePointer {
    if let statement = prepared[sql] { return statement }
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw Self.failure(operation, handle, status) }
    prepared[sql] = statement
    return statement
  }

  /// Gives a statement its values from `index` on, and performs it while they stand where they are: SQLite reads a blob there,
  /// and a record is not copied once more.
  private func bind(
    _ operation: StaticString, _ statement: OpaquePointer, _ index: Int32, _ values: ArraySlice<SQLValue>,
    _ perform: () throws(LibraryFailure) -> Void
  ) throws(LibraryFailure) {
    guard let value = values.first else { return try perform() }
    let others = values.dropFirst()
    let status: Int32
    switch value {
    case .blob(let octets) where !octets.isEmpty:
      return try octets.withUnsafeBufferPointer { (place) throws(LibraryFailure) in
        let size = UInt64(place.count)
        let status = sqlite3_bind_blob64(statement, index, place.baseAddress, size, csqlite_static())
        guard status == SQLITE_OK else { throw Self.failure(operation, handle, status) }
        try bind(operation, statement, index + 1, others, perform)
      }
    // The address of an empty array may be none at all, which SQLite would take for NULL.
    case .blob: status = sqlite3_bind_zeroblob(statement, index, 0)
    case .integer(let number): status = sqlite3_bind_int64(statement, index, number)
    case .null: status = sqlite3_bind_null(statement, index)
    }
    guard status == SQLITE_OK else { throw Self.failure(operation, handle, status) }
    try bind(operation, statement, index + 1, others, perform)
  }

  private static func failure(_ operation: StaticString, _ handle: OpaquePointer, _ status: Int32) -> LibraryFailure {
    .database(operation: "\(operation)", code: status, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// One row of an answer; its columns are counted from 0.
struct Row: ~Copyable {
  private let statement: OpaquePointer
  private let operation: StaticString

  fileprivate init(_ statement: OpaquePointer, _ operation: StaticString) {
    self.statement = statement
    self.operation = operation
  }

  /// A whole number. Throws `damaged` when something else is stored there.
  func integer(_ column: Int32) throws(LibraryFailure) -> Int64 {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw damaged }
    return sqlite3_column_int64(statement, column)
  }

  /// A whole number that fits `Number`. Throws `damaged` otherwise.
  func integer<Number: FixedWidthInteger>(_ column: Int32, as type: Number.Type) throws(LibraryFailure) -> Number {
    guard let value = Number(exactly: try integer(column)) else { throw damaged }
    return value
  }

  /// Octets. Throws `damaged` when something else is stored there.
  func blob(_ column: Int32) throws(LibraryFailure) -> [UInt8] {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw damaged }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let first = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: first, count: count))
  }

  /// A text that was stored as octets. Throws `damaged` when they are not UTF-8.
  func text(_ column: Int32) throws(LibraryFailure) -> String {
    guard let text = String(validating: try blob(column), as: UTF8.self) else { throw damaged }
    return text
  }

  /// Whether nothing is stored there.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// The failure for a value that this program does not write.
  var damaged: LibraryFailure { .damaged(operation: "\(operation)") }
}
