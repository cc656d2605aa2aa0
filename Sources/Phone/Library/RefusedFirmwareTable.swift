import Bytes

/// A version that the user did not want on a recorder.
package struct RefusedFirmware: Hashable, Sendable {
  /// The recorder's identity address.
  package var recorder: BluetoothAddress
  /// The version, as the init packet states it.
  package var version: UInt32
  /// When it was refused last.
  package var refusedAt: WallTime
}

/// The table of refused versions, for each recorder: boards number their versions separately, and each recorder is
/// asked about separately. They outlive unpairing.
struct RefusedFirmwareTable {
  static let creation = [
    """
    CREATE TABLE refused_firmware (
      recorder INTEGER NOT NULL,
      version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
      refused INTEGER NOT NULL,
      PRIMARY KEY (recorder, version)
    )
    """
  ]

  let database: Database

  /// All refusals, by recorder and version.
  func all() throws(LibraryFailure) -> [RefusedFirmware] {
    let sql = "SELECT recorder, version, refused FROM refused_firmware ORDER BY recorder, version"
    return try database.rows("list the refused firmware", sql) { row throws(LibraryFailure) in
      RefusedFirmware(
        recorder: try BluetoothAddress(row, 0), version: try row.integer(1, as: UInt32.self),
        refusedAt: WallTime(nanosecondsSinceEpoch: try row.integer(2)))
    }
  }

  /// Remembers that a version is not wanted.
  func keep(_ version: UInt32, on recorder: BluetoothAddress, at time: WallTime) throws(LibraryFailure) {
    try database.run(
      "refuse firmware", "INSERT OR REPLACE INTO refused_firmware VALUES (?, ?, ?)",
      [.integer(recorder.stored), .integer(Int64(version)), .integer(time.nanosecondsSinceEpoch)])
  }

  /// Forgets that a version was not wanted, if it was not.
  func forget(_ version: UInt32, on recorder: BluetoothAddress) throws(LibraryFailure) {
    try database.run(
      "accept firmware", "DELETE FROM refused_firmware WHERE recorder = ? AND version = ?",
      [.integer(recorder.stored), .integer(Int64(version))])
  }
}
