import Bytes

/// The recorder that this phone is paired with.
package struct PairedRecorder: Hashable, Sendable {
  /// Its identity address.
  package var identity: BluetoothAddress
  /// The time at which it was paired.
  package var pairedAt: WallTime
}

/// The table of the paired recorder, which has one row or none: a phone pairs with one recorder only.
struct PairedRecorderTable {
  static let creation = [
    """
    CREATE TABLE paired_recorder (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      identity INTEGER NOT NULL,
      paired INTEGER NOT NULL
    )
    """
  ]

  let database: Database

  /// The paired recorder, if there is one.
  func current() throws(LibraryFailure) -> PairedRecorder? {
    let sql = "SELECT identity, paired FROM paired_recorder"
    return try database.rows("find the paired recorder", sql) { row throws(LibraryFailure) in
      PairedRecorder(
        identity: try BluetoothAddress(row, 0), pairedAt: WallTime(nanosecondsSinceEpoch: try row.integer(1)))
    }.first
  }

  /// Makes this the paired recorder.
  func set(_ identity: BluetoothAddress, at time: WallTime) throws(LibraryFailure) {
    try database.run(
      "remember the paired recorder", "INSERT INTO paired_recorder VALUES (1, ?, ?)",
      [.integer(identity.stored), .integer(time.nanosecondsSinceEpoch)])
  }

  /// Leaves no recorder paired.
  func clear() throws(LibraryFailure) {
    try database.run("forget the paired recorder", "DELETE FROM paired_recorder")
  }
}
