import Bytes

/// An update that was begun and whose end is not known: the recorder may run its bootloader.
package struct PendingUpdate: Hashable, Sendable {
  /// The recorder's identity address.
  package var recorder: BluetoothAddress
  /// The address at which its bootloader advertises.
  package var bootloader: BluetoothAddress
  /// The version that is being installed, as the init packet states it.
  package var version: UInt32
  /// The name of the release.
  package var name: String
  /// When it was begun.
  package var begunAt: WallTime

  /// An update of a recorder.
  package init(
    recorder: BluetoothAddress, bootloader: BluetoothAddress, version: UInt32, name: String, begunAt: WallTime
  ) {
    self.recorder = recorder
    self.bootloader = bootloader
    self.version = version
    self.name = name
    self.begunAt = begunAt
  }
}

/// The table of updates under way, one for each recorder.
struct PendingUpdateTable {
  static let creation = [
    """
    CREATE TABLE pending_updates (
      recorder INTEGER PRIMARY KEY,
      bootloader INTEGER NOT NULL,
      version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
      name BLOB NOT NULL,
      begun INTEGER NOT NULL
    )
    """
  ]

  let database: Database

  /// All updates under way, by recorder.
  func all() throws(LibraryFailure) -> [PendingUpdate] {
    let sql = "SELECT recorder, bootloader, version, name, begun FROM pending_updates ORDER BY recorder"
    return try database.rows("list the pending updates", sql) { row throws(LibraryFailure) in
      PendingUpdate(
        recorder: try BluetoothAddress(row, 0), bootloader: try BluetoothAddress(row, 1),
        version: try row.integer(2, as: UInt32.self), name: try row.text(3),
        begunAt: WallTime(nanosecondsSinceEpoch: try row.integer(4)))
    }
  }

  /// Keeps an update in place of an older one of the same recorder.
  func keep(_ update: PendingUpdate) throws(LibraryFailure) {
    try database.run(
      "begin an update", "INSERT OR REPLACE INTO pending_updates VALUES (?, ?, ?, ?, ?)",
      [
        .integer(update.recorder.stored), .integer(update.bootloader.stored), .integer(Int64(update.version)),
        .text(update.name), .integer(update.begunAt.nanosecondsSinceEpoch),
      ])
  }

  /// Forgets the update of a recorder, if there is one.
  func forget(_ recorder: BluetoothAddress) throws(LibraryFailure) {
    try database.run(
      "end an update", "DELETE FROM pending_updates WHERE recorder = ?", [.integer(recorder.stored)])
  }
}
