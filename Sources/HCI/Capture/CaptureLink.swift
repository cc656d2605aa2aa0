/// What the records of a pcap or pcapng file hold, by the link type of their file or interface
/// (`https://www.tcpdump.org/linktypes.html`).
struct CaptureLink: Sendable {
  /// The link types of Bluetooth LE.
  private enum Kind: UInt16 {
    /// HCI packets with their H4 indicator.
    case h4 = 187
    /// The same behind four octets that tell the direction.
    case h4WithDirection = 201
    /// Packets of the LE air, their checksums included.
    case air = 251
    /// Records of a Linux Bluetooth monitor.
    case linuxMonitor = 254
    /// Packets of the LE air behind a header of the sniffer.
    case airWithHeader = 256
    /// Packets of the LE air behind a header of Nordic's sniffer.
    case nordicSniffer = 272
  }

  private let kind: Kind?
  /// The frames under way on each connection, by its handle, for packets without a direction.
  private var frames: [UInt16: OpenFrames] = [:]
  /// Connections with a frame under way; beyond it all are given up.
  private static let frameLimit = 64

  init(_ linkType: UInt16) { kind = Kind(rawValue: linkType) }

  /// What a record of this link holds, and of which adapter. `isReceived` is the direction that the file tells beside it.
  mutating func interpret(
    _ data: [UInt8], isReceived: Bool?
  ) -> (adapter: UInt16, content: CaptureRecord.Content) {
    switch kind {
    case .h4: return (0, h4(data, isReceived))
    case .h4WithDirection:
      guard data.count > 4 else { return (0, .omitted(.unknownKind)) }
      return (0, h4(Array(data.dropFirst(4)), OctetOrder.bigEndian.number32(data, 0) & 1 != 0))
    case .linuxMonitor:
      guard data.count >= 4 else { return (0, .omitted(.unknownKind)) }
      let opcode = OctetOrder.bigEndian.number16(data, 2)
      return (
        OctetOrder.bigEndian.number16(data, 0),
        BtsnoopReader.monitorContent(opcode, Array(data.dropFirst(4))).captured
      )
    case .air: return (0, Self.air(data[...], .le1M, isFromCentral: nil, isChecked: false))
    case .airWithHeader: return (0, Self.airWithHeader(data))
    case .nordicSniffer: return (0, Self.nordic(data))
    case nil: return (0, .omitted(.foreignLink))
    }
  }

  // MARK: HCI

  /// A packet behind its H4 indicator. Without a direction its kind tells it: hosts send commands and controllers events,
  /// and of ACL data the first part of a frame is marked by who sends it (Core Specification Vol 4, Part E, 5.4.2). The
  /// others belong to the frame that lacks them.
  private mutating func h4(_ data: [UInt8], _ isReceived: Bool?) -> CaptureRecord.Content {
    guard let first = data.first, let kind = HCIPacket.Kind(rawValue: first) else { return .omitted(.unknownKind) }
    let packet = HCIPacket(kind, Array(data.dropFirst()))
    switch kind {
    case .command: return .sent(packet)
    case .event:
      // Behind code and length stand a status and the handle.
      if packet.bytes.count > 4, packet.bytes[0] == EventCode.disconnectionComplete.rawValue, packet.bytes[2] == 0 {
        frames[OctetOrder.littleEndian.number16(packet.bytes, 3) & 0x0FFF] = nil
      }
      return .received(packet)
    case .acl, .synchronous, .isochronous:
      guard let isReceived = isReceived ?? direction(of: packet) else { return .omitted(.noDirection) }
      return isReceived ? .received(packet) : .sent(packet)
    }
  }

  /// Whether a controller sent an ACL packet; `nil` where nothing tells.
  private mutating func direction(of packet: HCIPacket) -> Bool? {
    guard packet.kind == .acl, packet.bytes.count >= ACLPacket.headerLength else { return nil }
    let head = OctetOrder.littleEndian.number16(packet.bytes, 0)
    let handle = head & 0x0FFF
    let part = packet.bytes[ACLPacket.headerLength...]
    var open = frames[handle] ?? OpenFrames()
    let isReceived: Bool?
    switch PacketBoundary(rawValue: UInt8(truncatingIfNeeded: head >> 12 & 0b11)) {
    case .firstFromHost: isReceived = open.begin(part, isReceived: false)
    case .firstFromController: isReceived = open.begin(part, isReceived: true)
    case .continuing: isReceived = open.carryOn(part)
    case .complete, nil: return nil
    }
    if frames.count == Self.frameLimit, frames[handle] == nil { frames.removeAll() }
    frames[handle] = open.isEmpty ? nil : open
    return isReceived
  }

  // MARK: Sniffers

  /// Octets of access address, header and checksum.
  private static let shortestPacket = 4 + RadioPacket.headerLength + 3

  /// A packet from its access address on, behind which a coded one has its coding indicator. Octets behind its checksum are
  /// padding.
  private static func air(
    _ data: ArraySlice<UInt8>, _ layer: PhysicalLayer, isFromCentral: Bool?, isChecked: Bool
  ) -> CaptureRecord.Content {
    let octets = Array(data.prefix(4) + data.dropFirst(layer == .leCoded ? 5 : 4))
    guard octets.count >= shortestPacket else { return .omitted(.cutShort) }
    let end = 4 + RadioPacket.headerLength + Int(octets[5])
    guard octets.count >= end + 3 else { return .omitted(.cutShort) }
    let address = OctetOrder.littleEndian.number32(octets, 0)
    let checksum = octets[end..<(end + 3)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var packet = RadioPacket(
      accessAddress: address, octets: Array(octets[4..<end]), checksum: isChecked ? nil : checksum,
      isFromCentral: address == RadioPacket.advertisingAddress ? nil : isFromCentral)
    packet.layer = layer
    return .heard(packet)
  }

  /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: ten octets of header, the last two of which are flags.
  private static func airWithHeader(_ data: [UInt8]) -> CaptureRecord.Content {
    guard data.count > RadioHeader.length else { return .omitted(.cutShort) }
    let flags = RadioHeader(rawValue: OctetOrder.littleEndian.number16(data, 8))
    guard flags.contains(.dewhitened) else { return .omitted(.whitened) }
    if flags.contains(.checksumChecked), !flags.contains(.checksumValid) { return .omitted(.badChecksum) }
    if flags.contains(.decrypted) { return .omitted(.decryptedElsewhere) }
    let isFromCentral: Bool? =
      switch flags.rawValue & RadioHeader.kindMask {
      case RadioHeader.fromCentral.rawValue: true
      case RadioHeader.fromPeripheral.rawValue: false
      default: nil
      }
    let layer: PhysicalLayer = flags.contains(.onCoded) ? .leCoded : flags.contains(.on2M) ? .le2M : .le1M
    return air(
      data.dropFirst(RadioHeader.length), layer, isFromCentral: isFromCentral,
      isChecked: flags.contains(.checksumChecked))
  }

  /// Octets of a record of Nordic's sniffer before the access address, its board's number included.
  private static let nordicHeaderLength = 17

  /// LINKTYPE_NORDIC_BLE, protocol versions 1 to 3: board, length of what follows (2), version, counter (2), kind; length
  /// of the radio header, flags, channel, signal strength, event counter (2), time (4).
  private static func nordic(_ data: [UInt8]) -> CaptureRecord.Content {
    guard data.count > nordicHeaderLength else { return .omitted(.cutShort) }
    guard (1...3).contains(data[3]), data[7] == 10 else { return .omitted(.unknownKind) }
    let flags = data[8]
    guard flags & 1 != 0 else { return .omitted(.badChecksum) }
    // It is encrypted, and its integrity was verified: the sniffer knows the key.
    if flags & 4 != 0, flags & 8 != 0 { return .omitted(.decryptedElsewhere) }
    // Three bits tell the PHY, in the order in which the specification numbers them.
    let layer = PhysicalLayer(rawValue: flags >> 4 & 0b111 + 1) ?? .le1M
    return air(data.dropFirst(nordicHeaderLength), layer, isFromCentral: flags & 2 != 0, isChecked: true)
  }
}

/// The flags of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
struct RadioHeader: OptionSet {
  let rawValue: UInt16

  /// Octets before the access address.
  static let length = 10
  /// The bits that say which kind of packet it is.
  static let kindMask: UInt16 = 0x0380

  static let dewhitened = RadioHeader(rawValue: 0x0001)
  static let decrypted = RadioHeader(rawValue: 0x0008)
  static let fromCentral = RadioHeader(rawValue: 0x0100)
  static let fromPeripheral = RadioHeader(rawValue: 0x0180)
  static let checksumChecked = RadioHeader(rawValue: 0x0400)
  static let checksumValid = RadioHeader(rawValue: 0x0800)
  /// The two bits that say on which PHY it was sent: none of them for 1M.
  static let on2M = RadioHeader(rawValue: 0x4000)
  static let onCoded = RadioHeader(rawValue: 0x8000)
}

extension BtsnoopRecord.Content {
  /// The same as a record of a capture of any format has it.
  var captured: CaptureRecord.Content {
    switch self {
    case .sent(let packet): .sent(packet)
    case .received(let packet): .received(packet)
    case .unknownPacket: .omitted(.unknownKind)
    case .deletedIndex, .closeIndex: .closed
    case .newIndex, .openIndex, .userLogging, .systemNote, .other: .remark
    }
  }
}
