import Bytes
import DictofunProtocol

/// The trace of a removed record: enough to recognise it, but none of its content.
package struct Tombstone: Hashable, Sendable {
  /// The number that the record had.
  package var number: RecordNumber
  /// The recorder's identity address.
  package var recorder: BluetoothAddress
  /// The record's identifier.
  package var identifier: RecordIdentifier
  /// The record's size in octets.
  package var size: UInt32
  /// When it was removed.
  package var removedAt: WallTime
  /// Whether it was in every complete list of its recorder since it was found.
  package var isListed: Bool
}

/// The table of tombstones. They outlive restarts, unpairing and any change of the recorder's files.
struct TombstoneTable {
  static let creation = [
    """
    CREATE TABLE tombstones (
      number INTEGER PRIMARY KEY,
      recorder INTEGER NOT NULL,
      identifier BLOB NOT NULL CHECK (length(identifier) = 16),
      size INTEGER NOT NULL CHECK (size BETWEEN 0 AND 4294967295),
      listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
      removed INTEGER NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX listed_tombstones ON tombstones (recorder, identifier) WHERE listed = 1",
  ]
  private static let columns = "SELECT number, recorder, identifier, size, removed, listed FROM tombstones"

  let database: Database

  /// All tombstones, in the order in which their records were found.
  func all() throws(LibraryFailure) -> [Tombstone] {
    try database.rows("list the tombstones", "\(Self.columns) ORDER BY number", [], Self.tombstone)
  }

  /// The tombstones of a recorder's records that were in every complete list since they were found.
  func listed(by recorder: BluetoothAddress) throws(LibraryFailure) -> [Tombstone] {
    let sql = "\(Self.columns) WHERE recorder = ? AND listed = 1 ORDER BY number"
    return try database.rows("list the recorder's tombstones", sql, [.integer(recorder.stored)], Self.tombstone)
  }

  /// The tombstone of that identifier whose record was in every complete list since it was found.
  func listed(_ identifier: RecordIdentifier, by recorder: BluetoothAddress) throws(LibraryFailure) -> Tombstone? {
    let sql = "\(Self.columns) WHERE recorder = ? AND identifier = ? AND listed = 1"
    return try database.rows(
      "find the recorder's tombstone", sql, [.integer(recorder.stored), .blob(identifier.octets)], Self.tombstone
    ).first
  }

  /// Puts a tombstone where a record was.
  func insert(_ record: LibraryRecord, at time: WallTime) throws(LibraryFailure) {
    try database.run(
      "add a tombstone",
      "INSERT INTO tombstones (number, recorder, identifier, size, listed, removed) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .integer(record.number.rawValue), .integer(record.recorder.stored), .blob(record.identifier.octets),
        .integer(Int64(record.size)), .integer(record.isListed ? 1 : 0), .integer(time.nanosecondsSinceEpoch),
      ])
  }

  /// Notes that a complete list came without the record: its identifier names another one from now on.
  func unlist(_ number: RecordNumber) throws(LibraryFailure) {
    try database.run(
      "unlist a tombstone", "UPDATE tombstones SET listed = 0 WHERE number = ?", [.integer(number.rawValue)])
  }

  private static func tombstone(_ row: borrowing Row) throws(LibraryFailure) -> Tombstone {
    guard let identifier = RecordIdentifier(try row.blob(2)) else { throw row.damaged }
    return Tombstone(
      number: RecordNumber(rawValue: try row.integer(0)), recorder: try BluetoothAddress(row, 1),
      identifier: identifier, size: try row.integer(3, as: UInt32.self),
      removedAt: WallTime(nanosecondsSinceEpoch: try row.integer(4)), isListed: try row.integer(5) == 1)
  }
}
