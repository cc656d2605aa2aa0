/// Appends little-endian fields to a growing array.
public struct ByteWriter: Sendable {
  /// What has been written so far.
  @inlinable
  public var bytes: [UInt8] { written }
  @usableFromInline var written: [UInt8] = []

  /// Starts empty, with room for `capacity` bytes.
  @inlinable
  public init(capacity: Int = 16) {
    written.reserveCapacity(capacity)
  }

  /// Appends one octet.
  @inlinable
  public mutating func write(_ value: UInt8) { written.append(value) }

  /// Appends a signed octet.
  @inlinable
  public mutating func write(_ value: Int8) { written.append(UInt8(bitPattern: value)) }

  /// Appends a 16-bit number, least significant octet first.
  @inlinable
  public mutating func write(_ value: UInt16) {
    written.append(UInt8(truncatingIfNeeded: value))
    written.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Appends a 32-bit number, least significant octet first.
  @inlinable
  public mutating func write(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    write(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Appends a 64-bit number, least significant octet first.
  @inlinable
  public mutating func write(_ value: UInt64) {
    write(UInt32(truncatingIfNeeded: value))
    write(UInt32(truncatingIfNeeded: value >> 32))
  }

  /// Appends bytes in the order they stand.
  @inlinable
  public mutating func write(_ value: [UInt8]) { written.append(contentsOf: value) }
}
