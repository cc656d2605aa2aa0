/// Writes the fields of one protobuf message in the order of the calls.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a number; nothing when there is none.
  mutating func write(_ number: UInt32, _ value: UInt32?) {
    guard let value else { return }
    varint(number << 3)
    varint(value)
  }

  /// Appends bytes or a message.
  mutating func write(_ number: UInt32, _ value: [UInt8]) {
    varint(number << 3 | 2)
    varint(UInt32(clamping: value.count))
    bytes += value
  }

  /// Appends packed numbers; nothing when there are none.
  mutating func write(_ number: UInt32, packed values: [UInt32]) {
    guard !values.isEmpty else { return }
    var packed = ProtobufWriter()
    for value in values { packed.varint(value) }
    write(number, packed.bytes)
  }

  private mutating func varint(_ value: UInt32) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
