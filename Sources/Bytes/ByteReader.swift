/// Why bytes could not be decoded, and where.
///
/// Every decoder of the house throws this one type, so a caller can tell a peer's malformed packet from any
/// other trouble.
public struct DecodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// Fewer bytes were there than the field needs.
    case truncated(needed: Int, available: Int)
    /// Bytes were left over after the last field.
    case trailing(count: Int)
    /// A field had a value that its specification does not allow.
    case invalid(value: UInt64)
    /// A length or count was beyond the limit set for it.
    case tooLong(length: Int, limit: Int)
  }

  /// What was wrong.
  public var reason: Reason
  /// The field or packet being read, in the specification's words.
  public var field: String
  /// Offset of the first byte that could not be used.
  public var offset: Int

  public init(_ reason: Reason, field: String, offset: Int) {
    self.reason = reason
    self.field = field
    self.offset = offset
  }

  public var description: String {
    switch reason {
    case .truncated(let needed, let available):
      "\(field): needs \(needed) bytes at offset \(offset), \(available) available"
    case .trailing(let count): "\(field): \(count) bytes too many at offset \(offset)"
    case .invalid(let value): "\(field): invalid value 0x\(String(value, radix: 16)) at offset \(offset)"
    case .tooLong(let length, let limit): "\(field): length \(length) at offset \(offset) exceeds \(limit)"
    }
  }
}

/// Reads little-endian fields from borrowed bytes; never traps, whatever the bytes are.
public struct ByteReader: ~Escapable {
  @usableFromInline let bytes: Span<UInt8>
  @usableFromInline var position: Int

  /// Starts reading at the first of `bytes`.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    position = 0
  }

  /// Offset of the next byte to be read.
  @inlinable
  public var offset: Int { position }

  /// Bytes not read yet.
  @inlinable
  public var remaining: Int { bytes.count - offset }
  /// Whether everything has been read.
  @inlinable
  public var isAtEnd: Bool { offset == bytes.count }

  @inlinable
  @inline(__always)
  func require(_ count: Int, _ field: StaticString) throws(DecodingFailure) {
    guard count <= remaining else { throw truncation(count, field) }
  }

  /// The failure where `count` bytes are not there; kept out of the way of readings that succeed.
  @inline(never)
  @usableFromInline
  func truncation(_ count: Int, _ field: StaticString) -> DecodingFailure {
    DecodingFailure(.truncated(needed: count, available: remaining), field: "\(field)", offset: offset)
  }

  /// Reads one octet.
  @inlinable
  public mutating func readUInt8(_ field: StaticString) throws(DecodingFailure) -> UInt8 {
    try require(1, field)
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a 16-bit little-endian number.
  @inlinable
  @inline(__always)
  public mutating func readUInt16(_ field: StaticString) throws(DecodingFailure) -> UInt16 {
    try require(2, field)
    defer { position += 2 }
    return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
  }

  /// Reads a 32-bit little-endian number.
  @inlinable
  public mutating func readUInt32(_ field: StaticString) throws(DecodingFailure) -> UInt32 {
    UInt32(try readUInt16(field)) | UInt32(try readUInt16(field)) << 16
  }

  /// Reads a 64-bit little-endian number.
  @inlinable
  public mutating func readUInt64(_ field: StaticString) throws(DecodingFailure) -> UInt64 {
    UInt64(try readUInt32(field)) | UInt64(try readUInt32(field)) << 32
  }

  /// Reads a signed octet.
  @inlinable
  public mutating func readInt8(_ field: StaticString) throws(DecodingFailure) -> Int8 {
    Int8(bitPattern: try readUInt8(field))
  }

  /// Reads `count` bytes in the order they stand.
  public mutating func readBytes(_ count: Int, _ field: StaticString) throws(DecodingFailure) -> [UInt8] {
    guard count >= 0 else {
      throw DecodingFailure(.invalid(value: UInt64(bitPattern: Int64(count))), field: "\(field)", offset: offset)
    }
    try require(count, field)
    defer { position += count }
    return Array(bytes.extracting(offset..<(offset + count)))
  }

  /// Reads everything that is left.
  @inlinable
  public mutating func readRemaining() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes.extracting(offset..<bytes.count))
  }

  /// Checks that nothing is left over.
  public func expectEnd(_ field: StaticString) throws(DecodingFailure) {
    guard isAtEnd else { throw DecodingFailure(.trailing(count: remaining), field: "\(field)", offset: offset) }
  }
}

extension Array where Element == UInt8 {
  /// Copies a span.
  public init(_ span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
