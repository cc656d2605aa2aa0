/// Reads captures of Apple's PacketLogger, and those that an iPhone's Bluetooth profile makes: records of a length, a time
/// and a kind, without a file header, in either order of octets.
///
/// Apple does not document the format; this is what its files hold.
struct PacketLoggerReader: Sendable {
  private static let headerLength = 12
  /// Octets that the length of a record counts besides the packet: time and kind.
  private static let countedLength = 9
  /// The longest record, as the length's lower half allows.
  private static let lengthLimit: UInt32 = 0xFFFF

  private var window: CaptureWindow
  private let order: OctetOrder

  /// Opens a file at its beginning; `nil` where its first record is not one of PacketLogger's.
  init?(_ window: CaptureWindow) throws(CaptureFailure) {
    var window = window
    let head = Array(try window.peek(Self.headerLength + 1))
    guard head.count == Self.headerLength + 1 else { return nil }
    // A length has its upper half empty, in the right order of octets.
    let order: OctetOrder = OctetOrder.bigEndian.number32(head, 0) <= Self.lengthLimit ? .bigEndian : .littleEndian
    let length = order.number32(head, 0)
    let microsecond = order.number32(head, 8)
    guard (UInt32(Self.countedLength)...Self.lengthLimit).contains(length), microsecond < 1_000_000,
      Self.isKnown(head[Self.headerLength])
    else { return nil }
    self.window = window
    self.order = order
  }

  /// Whether a record can be of a kind: packets, and what Apple's software notes between them.
  private static func isKnown(_ kind: UInt8) -> Bool { kind <= 0x0D || kind == 0x12 || kind == 0x13 || kind >= 0xF7 }

  /// The next record; `nil` at the end. After a failure nothing more can be read.
  mutating func next() throws(CaptureFailure) -> CaptureRecord? {
    let start = window.offset
    if try window.isAtEnd { return nil }
    guard let header = try window.take(Self.headerLength) else { throw .truncated(offset: start) }
    let length = order.number32(header, 0)
    guard length >= UInt32(Self.countedLength) - 1, length <= Self.lengthLimit else {
      throw .badLength(length, offset: start)
    }
    guard let data = try window.take(Int(length) - Self.countedLength + 1) else { throw .truncated(offset: start) }
    let microseconds = Int64(order.number32(header, 4)) * 1_000_000 + Int64(order.number32(header, 8))
    return CaptureRecord(adapter: 0, content: Self.content(data), unixMicroseconds: microseconds)
  }

  private static func content(_ data: [UInt8]) -> CaptureRecord.Content {
    guard let kind = data.first else { return .remark }
    let packet = Array(data.dropFirst())
    switch kind {
    case 0x00: return .sent(HCIPacket(.command, packet))
    case 0x01: return .received(HCIPacket(.event, packet))
    case 0x02: return .sent(HCIPacket(.acl, packet))
    case 0x03: return .received(HCIPacket(.acl, packet))
    case 0x08: return .sent(HCIPacket(.synchronous, packet))
    case 0x09: return .received(HCIPacket(.synchronous, packet))
    case 0x12: return .sent(HCIPacket(.isochronous, packet))
    case 0x13: return .received(HCIPacket(.isochronous, packet))
    default: return isKnown(kind) ? .remark : .omitted(.unknownKind)
    }
  }
}
