import Bytes

/// A group of parameters that stands in a command, an answer or an event.
public protocol HCIParameters: Hashable, Sendable {
  /// Reads the parameters; throws where they are cut off or outside what their octets may say.
  init(decoding reader: inout ByteReader) throws(DecodingFailure)
  /// Appends the parameters.
  func encode(into writer: inout ByteWriter)
}

extension HCIParameters {
  /// Reads the parameters from all of `bytes`; throws also when octets are left over.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
    try reader.expectEnd("HCI parameters")
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 32)
    encode(into: &writer)
    return writer.bytes
  }
}

extension ByteReader {
  mutating func readHandle() throws(DecodingFailure) -> ConnectionHandle {
    ConnectionHandle(try readUInt16("connection handle"))
  }

  mutating func readErrorCode(_ field: StaticString = "status") throws(DecodingFailure) -> ErrorCode {
    ErrorCode(rawValue: try readUInt8(field))
  }

  /// An octet that may be 0 or 1.
  mutating func readFlag(_ field: StaticString) throws(DecodingFailure) -> Bool {
    let value = try readValue(field, Flag.self)
    return value == .on
  }

  /// An octet that must be one of the cases of `type`.
  mutating func readValue<Value: RawRepresentable<UInt8>>(
    _ field: StaticString, _ type: Value.Type
  ) throws(DecodingFailure) -> Value {
    let place = offset
    let octet = try readUInt8(field)
    guard let value = Value(rawValue: octet) else {
      throw DecodingFailure(.invalid(value: UInt64(octet)), field: "\(field)", offset: place)
    }
    return value
  }

  /// Address type and address of another device; an identity that the controller resolved (types 2 and 3) is told
  /// like any other.
  mutating func readTypedAddress() throws(DecodingFailure) -> BluetoothAddress {
    let place = offset
    let type = try readUInt8("address type")
    guard type <= 3 else {
      throw DecodingFailure(.invalid(value: UInt64(type)), field: "address type", offset: place)
    }
    return try readAddress(type & 1 == 0 ? .public : .random, "address")
  }

  /// Checks a length field against what is left.
  func expectRemaining(_ length: Int, _ field: StaticString) throws(DecodingFailure) {
    if length > remaining {
      throw DecodingFailure(.truncated(needed: length, available: remaining), field: "\(field)", offset: offset)
    }
    if length < remaining {
      throw DecodingFailure(.trailing(count: remaining - length), field: "\(field)", offset: offset + length)
    }
  }

  /// Reads a length octet and as many octets as it says.
  mutating func readCounted(_ field: StaticString) throws(DecodingFailure) -> [UInt8] {
    try readBytes(Int(try readUInt8(field)), field)
  }
}

private enum Flag: UInt8 {
  case off = 0
  case on = 1
}

extension ByteWriter {
  mutating func write(_ handle: ConnectionHandle) { write(handle.rawValue) }
  mutating func write(_ code: ErrorCode) { write(code.rawValue) }
  mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

  /// Address type and address of another device.
  mutating func writeTyped(_ address: BluetoothAddress) {
    write(address.kind.rawValue)
    write(address)
  }

  /// Appends a length octet and the octets; traps beyond 255.
  mutating func writeCounted(_ octets: [UInt8]) {
    write(UInt8(octets.count))
    write(octets)
  }
}
