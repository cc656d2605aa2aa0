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
    /// Nothing more is heard of a connection of a central, and nobody knows how it went on.
    case lost(adapter: UInt16, ConnectionHandle)
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

  /// Which connections were not heard again although they did not end: by their number, after how many packets.
  package struct UnheardEnds: Sendable {
    fileprivate var packets: [UInt64: UInt64] = [:]

    /// None.
    package init() {}

    fileprivate mutating func note(_ number: UInt64, after count: UInt64) {
      if packets.count < AirFollower.unheardLimit { packets[number] = count }
    }
  }

  /// Connections that are followed at a time; beyond it the oldest is forgotten.
  package static let linkLimit = 16
  /// Keys for later links that are kept; beyond it the oldest is forgotten.
  package static let keyLimit = 64
  /// Connections without an end that are noted; beyond it one ends only when its central connects again.
  private static let unheardLimit = 4096
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
  /// Connections so far.
  private var linkCount: UInt64 = 0
  private let knownEnds: UnheardEnds
  private var foundEnds = UnheardEnds()

  /// Begins to listen, with the keys that are known. Who listens to the same packets a second time also knows which connections
  /// are not heard again, so that they end where they were last heard.
  package init(keys: SnifferKeys = SnifferKeys(), unheardEnds: UnheardEnds = UnheardEnds()) {
    givenKeys = keys.keys
    knownEnds = unheardEnds
  }

  /// The connections that were not heard again, if nothing more is heard after `now`, in nanoseconds.
  package func unheardEnds(at now: UInt64) -> UnheardEnds {
    var ends = foundEnds
    for link in links where link.isSilent(at: now) { ends.note(link.number, after: link.packetCount) }
    return ends
  }

  /// Takes the next packet, heard at `now`, in nanoseconds.
  package mutating func hear(_ packet: RadioPacket, at now: UInt64, _ outcomes: inout [Outcome]) {
    guard packet.octets.count >= RadioPacket.headerLength else { return outcomes.append(.omitted(.cutShort)) }
    if packet.accessAddress == RadioPacket.advertisingAddress { return advertising(packet, at: now, &outcomes) }
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
    link.hear(packet.octets, isFromCentral: isFromCentral, at: now, keys: { self.keys($0) }, &outcomes)
    if link.isLast, !link.isOver { link.endUnheard(&outcomes) }
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

  private mutating func advertising(_ packet: RadioPacket, at now: UInt64, _ outcomes: inout [Outcome]) {
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
    let (accessAddress, checksumStart) = (Self.number(octets, 14, 4), Self.number(octets, 18, 3))
    // Sniffers with several radios hear a request several times.
    let isRepeated = links.contains {
      $0.adapter == adapter && $0.peripheral == peripheral && $0.accessAddress == accessAddress
        && $0.checksumStart == checksumStart
    }
    if isRepeated { return }
    // Whoever connects again has lost the connection before.
    for index in links.indices.reversed()
    where links[index].adapter == adapter && links[index].peripheral == peripheral
      || links[index].accessAddress == accessAddress
    {
      forget(index, &outcomes)
    }
    if links.count == Self.linkLimit { forget(0, &outcomes) }
    ended.removeAll { $0 == accessAddress }
    let parameters = LELinkParameters(
      intervalUnits: UInt16(Self.number(octets, 24, 2)), latency: UInt16(Self.number(octets, 26, 2)),
      supervisionTimeoutUnits: UInt16(Self.number(octets, 28, 2)))
    // Handles have twelve bits, of which the upper values are reserved.
    let handle = ConnectionHandle(UInt16(linkCount % 0x0F00))
    linkCount += 1
    var link = FollowedLink(
      number: linkCount, adapter: adapter, handle: handle, central: central, peripheral: peripheral,
      accessAddress: accessAddress, checksumStart: checksumStart, parameters: parameters,
      packetLimit: knownEnds.packets[linkCount], at: now)
    let complete = LEConnectionComplete(
      handle: handle, role: .central, peerAddress: peripheral, link: parameters)
    outcomes.append(.packet(adapter: adapter, Event.leConnectionComplete(complete).packet, isSent: false))
    if link.isLast { link.endUnheard(&outcomes) } else { links.append(link) }
  }

  /// Gives up a connection whose end was not heard.
  private mutating func forget(_ index: Int, _ outcomes: inout [Outcome]) {
    var link = links.remove(at: index)
    foundEnds.note(link.number, after: link.packetCount)
    link.endUnheard(&outcomes)
  }

  private static func number(_ octets: [UInt8], _ offset: Int, _ count: Int) -> UInt32 {
    octets[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
