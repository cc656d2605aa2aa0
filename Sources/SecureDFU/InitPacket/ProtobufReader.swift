import Bytes

/// One field of a protobuf message.
struct ProtobufField {
  /// The content of the field.
  enum Content {
    /// A number of up to 64 bits.
    case varint(UInt64)
    /// Bytes, text, packed numbers or a message: their range.
    case delimited(Range<Int>)
    /// A number of 4 or 8 octets, which no field of an init packet is.
    case fixed
  }

  /// Its number.
  let number: UInt32
  /// Its content.
  let content: Content
  /// Offset of its tag.
  let offset: Int

  /// A number of 32 bits.
  func number32(_ name: StaticString) throws(DecodingFailure) -> UInt32 {
    guard case .varint(let value) = content else { throw wrongType(name) }
    guard let number = UInt32(exactly: value) else {
      throw DecodingFailure(.invalid(value: value), field: "\(name)", offset: offset)
    }
    return number
  }

  /// The range of bytes or a message, at most `limit` octets.
  func range(_ name: StaticString, limit: Int = .max) throws(DecodingFailure) -> Range<Int> {
    guard case .delimited(let range) = content else { throw wrongType(name) }
    guard range.count <= limit else {
      throw DecodingFailure(.tooLong(length: range.count, limit: limit), field: "\(name)", offset: range.lowerBound)
    }
    return range
  }

  private func wrongType(_ name: StaticString) -> DecodingFailure {
    DecodingFailure(.invalid(value: UInt64(number)), field: "\(name)", offset: offset)
  }
}

/// Walks over the fields of one protobuf message, which may be a part of a larger one; allocates nothing.
struct ProtobufReader {
  /// Octets of the longest varint.
  private static let varintLimit = 10

  private let bytes: [UInt8]
  private let end: Int
  private var offset: Int

  /// Reads the message in `range`, which lies within `bytes`.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The next field; `nil` at the end. As for nanopb, which the bootloader uses, a tag of zero is the end too.
  mutating func next() throws(DecodingFailure) -> ProtobufField? {
    guard offset < end else { return nil }
    let start = offset
    let tag = try varint("tag")
    guard tag != 0 else { return nil }
    guard let tag = UInt32(exactly: tag), tag >> 3 != 0 else {
      throw DecodingFailure(.invalid(value: tag), field: "tag", offset: start)
    }
    return ProtobufField(number: tag >> 3, content: try content(wireType: tag & 7), offset: start)
  }

  /// A number of the packed ones that the message consists of; `nil` at the end.
  mutating func nextPacked() throws(DecodingFailure) -> UInt32? {
    guard offset < end else { return nil }
    let start = offset
    let value = try varint("packed number")
    guard let number = UInt32(exactly: value) else {
      throw DecodingFailure(.invalid(value: value), field: "packed number", offset: start)
    }
    return number
  }

  private mutating func content(wireType: UInt32) throws(DecodingFailure) -> ProtobufField.Content {
    switch wireType {
    case 0: return .varint(try varint("number"))
    case 1:
      _ = try skip(8)
      return .fixed
    case 2:
      let start = offset
      let length = try varint("length")
      guard length <= UInt64(end - offset) else {
        throw DecodingFailure(
          .truncated(needed: Int(clamping: length), available: end - offset), field: "length", offset: start)
      }
      return .delimited(try skip(Int(length)))
    case 5:
      _ = try skip(4)
      return .fixed
    default: throw DecodingFailure(.invalid(value: UInt64(wireType)), field: "wire type", offset: offset)
    }
  }

  private mutating func skip(_ count: Int) throws(DecodingFailure) -> Range<Int> {
    guard count <= end - offset else {
      throw DecodingFailure(.truncated(needed: count, available: end - offset), field: "field", offset: offset)
    }
    defer { offset += count }
    return offset..<(offset + count)
  }

  private mutating func varint(_ name: StaticString) throws(DecodingFailure) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for index in 0..<Self.varintLimit {
      guard offset < end else {
        throw DecodingFailure(.truncated(needed: 1, available: 0), field: "\(name)", offset: offset)
      }
      let octet = bytes[offset]
      offset += 1
      // The tenth octet has room for the last of 64 bits.
      if index == Self.varintLimit - 1, octet > 1 { break }
      value |= UInt64(octet & 0x7F) << UInt64(7 * index)
      if octet & 0x80 == 0 { return value }
    }
    throw DecodingFailure(.tooLong(length: offset - start, limit: Self.varintLimit), field: "\(name)", offset: start)
  }
}
