import Bytes
import Crypto
import HCI

/// Makes of what a sniffer heard the packets that the centrals' hosts must have exchanged with their controllers, so that
/// they can be judged as those are.
///
///     CONNECT_IND ──▶ a connection ──▶ LE_Connection_Complete
///     data ─▶ repeated? ─▶ decrypted ─▶ ACL data, and for pairings: keys
///     control ─▶ encryption, parameters, end ─▶ events
///
/// What it hears may be anything; nothing in it can trap, and what it keeps is bounded.
package struct AirFollower {
  /// What came of a packet.
  package enum Outcome {
    /// A packet between a central's host and its controller; `adapter` counts centrals.
    case packet(adapter: UInt16, HCIPacket, isSent: Bool)
    /// A pairing gave a key away.
    case learnt(LearntKey)
    /// A pairing kept its keys: LE Secure Connections, or a key that is not 0.
    case pairingIsSecure
    /// The packet means nothing here.
    case omitted(CaptureOmission)
  }

  /// A key that a listener found.
  package enum LearntKey: Hashable, Sendable {
    /// The key of a legacy pairing in progress.
    case shortTerm
    /// A key that encrypts later links.
    case longTerm
  }

  /// Connections that are followed at a time; beyond it the oldest is forgotten.
  package static let linkLimit = 16
  /// Keys for later links that are kept; beyond it the oldest is forgotten.
  package static let keyLimit = 64
  /// Centrals that are told apart; further ones are omitted.
  package static let centralLimit = 32

  private struct NamedKey {
    var key: Key128
    var encryptedDiversifier: UInt16
    var randomNumber: UInt64
  }

  private var links: [FollowedLink] = []
  /// Access addresses of connections that ended, whose last acknowledgements may still come; as many as links.
  private var ended: [UInt32] = []
  private var centrals: [BluetoothAddress] = []
  private let givenKeys: [Key128]
  private var namedKeys: [NamedKey] = []
  private var nextHandle: UInt16 = 0

  /// Begins to listen, with the keys that are known.
  package init(keys: SnifferKeys = SnifferKeys()) { givenKeys = keys.keys }

  /// Takes the next packet.
  package mutating func hear(_ packet: RadioPacket, _ outcomes: inout [Outcome]) {
    guard packet.octets.count >= RadioPacket.headerLength else { return outcomes.append(.omitted(.cutShort)) }
    if packet.accessAddress == RadioPacket.advertisingAddress { return advertising(packet, &outcomes) }
    guard let index = links.firstIndex(where: { $0.accessAddress == packet.accessAddress }) else {
      if !ended.contains(packet.accessAddress) { outcomes.append(.omitted(.unknownConnection)) }
      return
    }
    if let checksum = packet.checksum,
      checksum != RadioPacket.checksum(packet.octets, start: links[index].checksumStart)
    {
      return outcomes.append(.omitted(.badChecksum))
    }
    guard let isFromCentral = packet.isFromCentral else { return outcomes.append(.omitted(.noDirection)) }
    var link = links.remove(at: index)
    link.hear(packet.octets, isFromCentral: isFromCentral, keys: { self.keys($0) }, &outcomes)
    if link.isOver {
      if ended.count == Self.linkLimit { ended.removeFirst() }
      ended.append(link.accessAddress)
    } else {
      links.insert(link, at: index)
    }
    for named in link.takeNamedKeys() {
      if namedKeys.count == Self.keyLimit { namedKeys.removeFirst() }
      namedKeys.append(
        NamedKey(
          key: named.key, encryptedDiversifier: named.encryptedDiversifier, randomNumber: named.randomNumber))
    }
  }

  /// The keys that come into question for an encryption: first those of its name.
  private func keys(_ request: LinkDecryption.Request) -> [Key128] {
    namedKeys.reversed().filter {
      $0.encryptedDiversifier == request.encryptedDiversifier && $0.randomNumber == request.randomNumber
    }.map(\.key) + givenKeys
  }

  // MARK: Connections

  private static let connectRequest: UInt8 = 0x05
  /// Octets of CONNECT_IND with its header (Core Specification Vol 6, Part B, 2.3.3.1).
  private static let connectLength = RadioPacket.headerLength + 34

  private mutating func advertising(_ packet: RadioPacket, _ outcomes: inout [Outcome]) {
    let octets = packet.octets
    guard octets[0] & 0x0F == Self.connectRequest, octets.count == Self.connectLength else { return }
    if let checksum = packet.checksum, checksum != RadioPacket.checksum(octets, start: 0x55_5555) {
      return outcomes.append(.omitted(.badChecksum))
    }
    let central = BluetoothAddress(littleEndian: Array(octets[2..<8]), octets[0] & 0x40 == 0 ? .public : .random)
    let peripheral = BluetoothAddress(littleEndian: Array(octets[8..<14]), octets[0] & 0x80 == 0 ? .public : .random)
    if !centrals.contains(central) {
      guard centrals.count < Self.centralLimit else { return outcomes.append(.omitted(.tooManyAdapters)) }
      centrals.append(central)
    }
    let adapter = UInt16(centrals.firstIndex(of: central) ?? 0)
    // The sniffer hears no time-out; whoever connects again had one.
    for index in links.indices.reversed()
    where links[index].adapter == adapter && links[index].peripheral == peripheral
      || links[index].accessAddress == Self.number(octets, 14, 4)
    {
      links[index].end(.connectionTimeout, &outcomes)
      links.remove(at: index)
    }
    if links.count == Self.linkLimit { links.removeFirst() }
    ended.removeAll { $0 == Self.number(octets, 14, 4) }
    let parameters = LELinkParameters(
      intervalUnits: UInt16(Self.number(octets, 24, 2)), latency: UInt16(Self.number(octets, 26, 2)),
      supervisionTimeoutUnits: UInt16(Self.number(octets, 28, 2)))
    let handle = ConnectionHandle(nextHandle)
    // Handles have twelve bits, of which the upper values are reserved.
    nextHandle = (nextHandle + 1) % 0x0F00
    links.append(
      FollowedLink(
        adapter: adapter, handle: handle, central: central, peripheral: peripheral,
        accessAddress: Self.number(octets, 14, 4), checksumStart: Self.number(octets, 18, 3)))
    let complete = LEConnectionComplete(
      handle: handle, role: .central, peerAddress: peripheral, link: parameters)
    outcomes.append(.packet(adapter: adapter, Event.leConnectionComplete(complete).packet, isSent: false))
  }

  private static func number(_ octets: [UInt8], _ offset: Int, _ count: Int) -> UInt32 {
    octets[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
