import Bytes
import DictofunProtocol

/// Names one record of the library; counts upwards and is never used again.
public struct RecordNumber: Hashable, Sendable, Comparable, RawRepresentable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A record whose size the phone knows, with or without its content.
package struct LibraryRecord: Hashable, Sendable {
  /// Its number in the library.
  package var number: RecordNumber
  /// The recorder's identity address.
  package var recorder: BluetoothAddress
  /// Its identifier on the recorder, as sent.
  package var identifier: RecordIdentifier
  /// Its size in octets.
  package var size: UInt32
  /// When its last octet was stored; `nil` while the content is missing.
  package var arrivedAt: WallTime?
  /// Whether it was in every complete list of its recorder since it was found.
  package var isListed: Bool
  /// How far its user has listened to it, in whole milliseconds.
  package var position: Duration
  /// Whether its user has listened to any of it.
  package var isHeard: Bool
  /// What is said in it; `nil` until a transcriber has told.
  package var transcript: String?

  /// Whether its content is here.
  package var isComplete: Bool { arrivedAt != nil }
  /// Whether its user counts it as new: it is here, and nobody has listened to it.
  package var isNew: Bool { isComplete && !isHeard }
}

/// The table of records. A row has its complete content or none.
struct RecordTable {
  static let creation = [
    """
    CREATE TABLE records (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      recorder INTEGER NOT NULL,
      identifier BLOB NOT NULL CHECK (length(identifier) = 16),
      size INTEGER NOT NULL CHECK (size BETWEEN 0 AND 4294967295),
      listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
      arrived INTEGER,
      content BLOB,
      CHECK ((arrived IS NULL) = (content IS NULL)),
      CHECK (content IS NULL OR length(content) = size)
    )
    """,
    "CREATE UNIQUE INDEX listed_records ON records (recorder, identifier) WHERE listed = 1",
  ]
  /// The columns of version 3: how far its user has listened, in milliseconds; whether at all; and what is said.
  static let listening = [
    "ALTER TABLE records ADD COLUMN position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0)",
    "ALTER TABLE records ADD COLUMN heard INTEGER NOT NULL DEFAULT 0 CHECK (heard IN (0, 1))",
    "ALTER TABLE records ADD COLUMN transcript BLOB",
  ]
  private static let columns =
    "SELECT number, recorder, identifier, size, arrived, listed, position, heard, transcript FROM records"

  let database: Database

  /// All records, in the order in which they were found.
  func all() throws(LibraryFailure) -> [LibraryRecord] {
    try database.rows("list the records", "\(Self.columns) ORDER BY number", [], Self.record)
  }

  /// The record with this number.
  func record(_ number: RecordNumber) throws(LibraryFailure) -> LibraryRecord {
    let sql = "\(Self.columns) WHERE number = ?"
    let found = try database.rows("find a record", sql, [.integer(number.rawValue)], Self.record)
    guard let record = found.first else { throw .unknownRecord(number) }
    return record
  }

  /// The records of a recorder that were in every complete list since they were found, in that order.
  func listed(by recorder: BluetoothAddress) throws(LibraryFailure) -> [LibraryRecord] {
    let sql = "\(Self.columns) WHERE recorder = ? AND listed = 1 ORDER BY number"
    return try database.rows("list the recorder's records", sql, [.integer(recorder.stored)], Self.record)
  }

  /// The record of that identifier that was in every complete list since it was found.
  func listed(_ identifier: RecordIdentifier, by recorder: BluetoothAddress) throws(LibraryFailure) -> LibraryRecord? {
    let sql = "\(Self.columns) WHERE recorder = ? AND identifier = ? AND listed = 1"
    return try database.rows(
      "find the recorder's record", sql, [.integer(recorder.stored), .blob(identifier.octets)], Self.record
    ).first
  }

  /// The content of a record; `nil` while it is missing.
  func content(of number: RecordNumber) throws(LibraryFailure) -> [UInt8]? {
    let sql = "SELECT content FROM records WHERE number = ?"
    let found = try database.rows("read a record", sql, [.integer(number.rawValue)]) { row throws(LibraryFailure) in
      row.isNull(0) ? nil : try row.blob(0)
    }
    guard let content = found.first else { throw .unknownRecord(number) }
    return content
  }

  /// Adds a record whose content is missing.
  func insert(
    _ identifier: RecordIdentifier, size: UInt32, from recorder: BluetoothAddress
  ) throws(LibraryFailure) -> RecordNumber {
    try database.run(
      "add a record", "INSERT INTO records (recorder, identifier, size, listed) VALUES (?, ?, ?, 1)",
      [.integer(recorder.stored), .blob(identifier.octets), .integer(Int64(size))])
    return RecordNumber(rawValue: database.lastInsertedRow)
  }

  /// Changes the size of a record whose content is missing.
  func setSize(of number: RecordNumber, to size: UInt32) throws(LibraryFailure) {
    try database.run(
      "resize a record", "UPDATE records SET size = ? WHERE number = ? AND content IS NULL",
      [.integer(Int64(size)), .integer(number.rawValue)])
  }

  /// Gives a record its content, in one statement: it is complete, or nothing happened.
  func complete(_ number: RecordNumber, content: [UInt8], at time: WallTime) throws(LibraryFailure) {
    try database.run(
      "store a record", "UPDATE records SET content = ?, arrived = ? WHERE number = ?",
      [.blob(content), .integer(time.nanosecondsSinceEpoch), .integer(number.rawValue)])
  }

  /// Notes that a complete list came without the record: its identifier names another one from now on.
  func unlist(_ number: RecordNumber) throws(LibraryFailure) {
    try database.run("unlist a record", "UPDATE records SET listed = 0 WHERE number = ?", [.integer(number.rawValue)])
  }

  /// Number of the complete records that nobody has listened to.
  func newCount() throws(LibraryFailure) -> Int {
    let sql = "SELECT count(*) FROM records WHERE arrived IS NOT NULL AND heard = 0"
    return try database.rows("count the new records", sql) { row throws(LibraryFailure) in
      try row.integer(0, as: Int.self)
    }.first ?? 0
  }

  /// Notes how far its user has listened.
  func setPosition(of number: RecordNumber, to position: Duration) throws(LibraryFailure) {
    try database.run(
      "keep a position", "UPDATE records SET position = ?, heard = 1 WHERE number = ?",
      [.integer(Int64(max(.zero, position) / .milliseconds(1))), .integer(number.rawValue)])
  }

  /// Keeps what is said in a record.
  func setTranscript(of number: RecordNumber, to text: String) throws(LibraryFailure) {
    try database.run(
      "keep a transcript", "UPDATE records SET transcript = ? WHERE number = ?",
      [.text(text), .integer(number.rawValue)])
  }

  /// Removes the row with its content.
  func delete(_ number: RecordNumber) throws(LibraryFailure) {
    try database.run("remove a record", "DELETE FROM records WHERE number = ?", [.integer(number.rawValue)])
  }

  private static func record(_ row: borrowing Row) throws(LibraryFailure) -> LibraryRecord {
    guard let identifier = RecordIdentifier(try row.blob(2)) else { throw row.damaged }
    return LibraryRecord(
      number: RecordNumber(rawValue: try row.integer(0)), recorder: try BluetoothAddress(row, 1),
      identifier: identifier, size: try row.integer(3, as: UInt32.self),
      arrivedAt: row.isNull(4) ? nil : WallTime(nanosecondsSinceEpoch: try row.integer(4)),
      isListed: try row.integer(5) == 1, position: .milliseconds(try row.integer(6)),
      isHeard: try row.integer(7) == 1, transcript: row.isNull(8) ? nil : try row.text(8))
  }
}
