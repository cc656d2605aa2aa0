import HCI

/// Brings packets of a capture into the form in which hosts of this house know them.
enum PacketForm {
  /// The packet as long as its header says; what stands behind its end is padding. `nil` where less is there.
  static func whole(_ packet: HCIPacket) -> HCIPacket? {
    let bytes = packet.bytes
    let header: Int
    switch packet.kind {
    case .command: header = 3
    case .event: header = 2
    case .acl: header = ACLPacket.headerLength
    case .synchronous, .isochronous: return packet
    }
    guard bytes.count >= header else { return nil }
    let length =
      header + (packet.kind == .acl ? Int(bytes[2]) | Int(bytes[3]) << 8 : Int(bytes[header - 1]))
    guard bytes.count >= length else { return nil }
    return plain(bytes.count == length ? packet : HCIPacket(packet.kind, Array(bytes.prefix(length))))
  }

  /// The second version of LE_Enhanced_Connection_Complete as the first, which lacks the handles of periodic advertising
  /// at its end (Core Specification Vol 4, Part E, 7.7.65.10).
  private static func plain(_ packet: HCIPacket) -> HCIPacket {
    let bytes = packet.bytes
    guard packet.kind == .event, bytes.count == 36, bytes[0] == EventCode.leMeta.rawValue, bytes[2] == 0x29 else {
      return packet
    }
    return HCIPacket(.event, [bytes[0], 31, LESubeventCode.enhancedConnectionComplete.rawValue] + bytes[3..<33])
  }
}
