import HCI

/// Packets between host and controller.
enum HCITargets {
  /// One packet with its H4 indicator: what is accepted decodes to itself again after encoding.
  static func hci(_ octets: [UInt8]) -> Bool {
    guard let indicator = octets.first else { return false }
    let rest = Array(octets.dropFirst())
    switch HCIPacket.Kind(rawValue: indicator) {
    case .command:
      guard let command = try? Command(decoding: rest) else { return false }
      precondition((try? Command(decoding: command.encoded)) == command, "a command changes on its way")
    case .event:
      guard let event = try? Event(decoding: rest) else { return false }
      precondition((try? Event(decoding: event.encoded)) == event, "an event changes on its way")
    case .acl:
      guard let packet = try? ACLPacket(decoding: rest) else { return false }
      precondition(packet.encoded == rest, "an ACL packet changes on its way")
    default: return false
    }
    return true
  }

  /// A stream: however it is cut into pieces, the same comes out of it, and the packets are the stream's own octets.
  static func h4(_ octets: [UInt8]) -> Bool {
    var (whole, dripped): ([H4Outcome], [H4Outcome]) = ([], [])
    for side in [H4Decoder.Side.host, .controller] {
      var decoder = H4Decoder(side: side)
      decoder.feed(octets, &whole)
      var other = H4Decoder(side: side)
      for octet in octets { other.feed(CollectionOfOne(octet), &dripped) }
      precondition(decoder.isBetweenPackets == other.isBetweenPackets, "pieces end elsewhere than the whole")
    }
    precondition(whole == dripped, "pieces give something else than the whole")
    for case .packet(let packet) in whole {
      precondition(packet.bytes.count < octets.count, "a packet is longer than the stream")
    }
    return whole.contains { if case .packet = $0 { true } else { false } }
  }

  /// The pieces of one endpoint on USB; the first octet says of which kind, and how long the pieces are. The packets are
  /// the stream's own octets, in one row, however it is cut.
  static func usb(_ octets: [UInt8]) -> Bool {
    guard let choice = octets.first else { return false }
    let kind = choice & 0x80 == 0 ? HCIPacket.Kind.event : .acl
    let stream = Array(octets.dropFirst())
    var (whole, pieced): ([HCIPacket], [HCIPacket]) = ([], [])
    let violation = assemble(stream, kind, piece: stream.count, &whole)
    precondition(assemble(stream, kind, piece: Int(choice & 0x7F), &pieced) == violation, "pieces break other rules")
    precondition(whole == pieced, "pieces give something else than the whole")
    precondition(stream.starts(with: whole.flatMap(\.bytes)), "packets are not what was sent")
    return !whole.isEmpty
  }

  /// Feeds a stream in pieces of that size until it breaks a rule.
  private static func assemble(
    _ stream: [UInt8], _ kind: HCIPacket.Kind, piece: Int, _ packets: inout [HCIPacket]
  ) -> H4Violation? {
    var assembly = PacketAssembly(kind)
    var rest = stream[...]
    while !rest.isEmpty {
      do throws(H4Violation) { try assembly.feed(rest.prefix(max(1, piece)), &packets) } catch { return error }
      rest = rest.dropFirst(max(1, piece))
    }
    return nil
  }
}
