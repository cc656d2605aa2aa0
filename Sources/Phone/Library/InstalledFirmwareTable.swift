import Bytes

/// The firmware that this phone installed last on a recorder, which cannot be asked for it.
package struct InstalledRelease: Hashable, Sendable {
  /// The recorder's identity address.
  package var recorder: BluetoothAddress
  /// The version, as the init packet states it.
  package var version: UInt32
  /// The name of the release.
  package var name: String
  /// When its installation was seen to be complete.
  package var installedAt: WallTime
}

/// The table of installed firmware, one row for each recorder. It outlives unpairing.
struct InstalledFirmwareTable {
  static let creation = [
    """
    CREATE TABLE installed_firmware (
      recorder INTEGER PRIMARY KEY,
      version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
      name BLOB NOT NULL,
      installed INTEGER NOT NULL
    )
    """
  ]

  let database: Database

  /// The installed firmware, by recorder.
  func all() throws(LibraryFailure) -> [InstalledRelease] {
    let sql = "SELECT recorder, version, name, installed FROM installed_firmware ORDER BY recorder"
    return try database.rows("list the installed firmware", sql) { row throws(LibraryFailure) in
      InstalledRelease(
        recorder: try BluetoothAddress(row, 0), version: try row.integer(1, as: UInt32.self), name: try row.text(2),
        installedAt: WallTime(nanosecondsSinceEpoch: try row.integer(3)))
    }
  }

  /// Stores the installed firmware in place of an older entry.
  func keep(_ release: InstalledRelease) throws(LibraryFailure) {
    try database.run(
      "note installed firmware", "INSERT OR REPLACE INTO installed_firmware VALUES (?, ?, ?, ?)",
      [
        .integer(release.recorder.stored), .integer(Int64(release.version)), .text(release.name),
        .integer(release.installedAt.nanosecondsSinceEpoch),
      ])
  }
}
