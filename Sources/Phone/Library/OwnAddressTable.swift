import Bytes

/// The table of the phone's own static random address, which has one row or none.
struct OwnAddressTable {
  static let creation = [
    "CREATE TABLE own_address (one INTEGER PRIMARY KEY CHECK (one = 1), address INTEGER NOT NULL)"
  ]

  let database: Database

  /// The phone's address, if it has one yet.
  func current() throws(LibraryFailure) -> BluetoothAddress? {
    try database.rows("find the own address", "SELECT address FROM own_address") { row throws(LibraryFailure) in
      try BluetoothAddress(row, 0)
    }.first
  }

  /// Keeps the phone's address.
  func set(_ address: BluetoothAddress) throws(LibraryFailure) {
    try database.run(
      "keep the own address", "INSERT OR REPLACE INTO own_address VALUES (1, ?)", [.integer(address.stored)])
  }
}
