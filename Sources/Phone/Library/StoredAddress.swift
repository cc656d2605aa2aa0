import Bytes

extension BluetoothAddress {
  private static let kindShift = 48

  /// The address as the library keeps it: 48 bits, and the kind above them.
  var stored: Int64 { Int64(value | UInt64(kind.rawValue) << Self.kindShift) }

  /// Reads an address that the library kept.
  init(_ row: borrowing Row, _ column: Int32) throws(LibraryFailure) {
    let stored = try row.integer(column)
    guard stored >= 0, let kind = UInt8(exactly: stored >> Self.kindShift).flatMap(Kind.init(rawValue:)) else {
      throw row.damaged
    }
    self.init(UInt64(stored), kind)
  }
}
