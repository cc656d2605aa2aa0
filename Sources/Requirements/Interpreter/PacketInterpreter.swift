import Bytes
import HCI
import Timeline
import Trace

/// Which way a packet crossed the host controller interface.
package enum PacketDirection: UInt8, Hashable, Sendable {
  /// The host sent it.
  case toController
  /// The controller sent it.
  case toHost
}

/// Gives the HCI packets of one host their meaning: the only place that does, for live runs and captures alike.
///
/// Packets go in, in order; ``ProductEvent``s come out, and with each packet the octets that must be covered. It puts
/// fragments together, matches requests with answers, learns from discovery which handle is which characteristic and
/// remembers it for each address, as a bonded phone does.
///
/// What it is given may be anything: a capture may be cut, begin late or be made up. Nothing in it can trap, and what
/// it keeps is bounded.
///
///     host ──▶ command ─▶ commands       ┐
///          ──▶ ACL ─▶ assembly ─▶ frames ┼─▶ ATT, SMP ─▶ events
///     ctrl ──▶ event ─▶ events, links    ┘
package struct PacketInterpreter {
  /// Connections that are followed at a time; beyond it the oldest is forgotten.
  package static let linkLimit = 16
  /// Addresses whose attributes are remembered.
  package static let rememberedLimit = 64

  struct RememberedMap {
    var peer: BluetoothAddress
    var map: AttributeMap
  }

  /// Whose packets these are.
  package let source: TraceSource

  var links: [LinkState] = []
  var linkCount: UInt32 = 0
  var remembered: [RememberedMap] = []
  var localMap: AttributeMap
  let isServingRecorder: Bool
  let tellsFileData: Bool
  var advertisingIntervalSlots: UInt16 = 0
  var isAdvertisingWanted: Bool?
  var isAdvertising = false

  /// Begins before the first packet of a host. `isServingRecorder` when its attributes are those of a Dictofun, so that
  /// its packets are understood without discovery. File data is followed but not told, packet by packet, where the other end
  /// of the link tells the same and nobody looks at both.
  package init(_ source: TraceSource, isServingRecorder: Bool = false, tellsFileData: Bool = true) {
    self.source = source
    self.tellsFileData = tellsFileData
    self.isServingRecorder = isServingRecorder
    localMap = isServingRecorder ? .ofRecorder : AttributeMap()
  }

  /// Takes the next packet, appends what it means, and says what of it must be covered.
  package mutating func interpret(
    _ packet: borrowing HCIPacket, _ direction: PacketDirection, at instant: Instant, _ events: inout [ProductEvent]
  ) -> CoveredRange {
    switch packet.kind {
    case .acl: return interpretData(packet.bytes, direction, instant, &events)
    case .command where direction == .toController:
      return interpretCommand(packet.bytes)
    case .event where direction == .toHost: return interpretEvent(packet.bytes, instant, &events)
    case .command, .event, .synchronous, .isochronous: return .none
    }
  }

  /// The controller is gone or was reset: all links end without a word from it.
  package mutating func controllerLost(at instant: Instant, _ events: inout [ProductEvent]) {
    for index in links.indices { append(.linkDown(.connectionTerminatedByLocalHost), index, instant, &events) }
    links.removeAll()
    stopAdvertising(instant, &events)
  }

  /// The packets of this host end, or of one connection only, and nobody saw how its links went on.
  mutating func packetsEnd(of handle: ConnectionHandle?, at instant: Instant, _ events: inout [ProductEvent]) {
    let ended = links.indices.filter { handle == nil || links[$0].handle == handle?.rawValue }
    for index in ended { append(.undetermined(.endNotSeen), index, instant, &events) }
    for index in ended.reversed() { links.remove(at: index) }
  }

  // MARK: Links

  /// Position of the link with a connection handle.
  func linkIndex(_ handle: UInt16) -> Int? {
    for index in links.indices where links[index].handle == handle { return index }
    return nil
  }

  mutating func beginLink(
    _ handle: UInt16, _ peer: BluetoothAddress?, _ role: LinkRole, _ instant: Instant, _ events: inout [ProductEvent]
  ) -> Int {
    if let stale = linkIndex(handle) ?? (links.count == Self.linkLimit ? 0 : nil) {
      append(.undetermined(.endNotSeen), stale, instant, &events)
      links.remove(at: stale)
    }
    linkCount += 1
    let map = peer.flatMap { address in remembered.first { $0.peer == address }?.map } ?? AttributeMap()
    links.append(LinkState(handle: handle, number: linkCount, peer: peer, role: role, remoteMap: map))
    return links.count - 1
  }

  mutating func remember(_ index: Int) {
    guard let peer = links[index].peer else { return }
    let map = links[index].remoteMap
    if let known = remembered.firstIndex(where: { $0.peer == peer }) {
      remembered[known].map = map
      return
    }
    if remembered.count == Self.rememberedLimit { remembered.removeFirst() }
    remembered.append(RememberedMap(peer: peer, map: map))
  }

  mutating func reportUndetermined(
    _ reason: UndeterminedReason, _ index: Int, _ instant: Instant, _ events: inout [ProductEvent]
  ) {
    guard !links[index].isReportedUndetermined else { return }
    links[index].isReportedUndetermined = true
    append(.undetermined(reason), index, instant, &events)
  }

  mutating func stopAdvertising(_ instant: Instant, _ events: inout [ProductEvent]) {
    guard isAdvertising else { return }
    isAdvertising = false
    events.append(ProductEvent(at: instant, from: source, .advertisingStopped))
  }

  /// Appends what happened on the link at a position.
  func append(_ happening: Happening, _ index: Int, _ instant: Instant, _ events: inout [ProductEvent]) {
    events.append(
      ProductEvent(
        at: instant, from: source, link: links[index].number, peer: links[index].peer, happening))
  }
}
