/// Appends little-endian fields to a growing array.
public struct ByteWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8]

  /// Starts empty, with room for `capacity` bytes.
  public init(capacity: Int = 16) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Appends one octet.
  public mutating func write(_ value: UInt8) { bytes.append(value) }

  /// Appends a signed octet.
  public mutating func write(_ value: Int8) { bytes.append(UInt8(bitPattern: value)) }

  /// Appends a 16-bit number, least significant octet first.
  public mutating func write(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Appends the lower 24 bits of a number, least significant octet first.
  public mutating func writeUInt24(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 16))
  }

  /// Appends a 32-bit number, least significant octet first.
  public mutating func write(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    write(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Appends a 64-bit number, least significant octet first.
  public mutating func write(_ value: UInt64) {
    write(UInt32(truncatingIfNeeded: value))
    write(UInt32(truncatingIfNeeded: value >> 32))
  }

  /// Appends bytes in the order they stand.
  public mutating func write(_ value: [UInt8]) { bytes.append(contentsOf: value) }
}
