import Bytes
import Crypto
import HCI

/// One end of a connection's acknowledged channel: what waits to be sent, what is under way, and what has come (Core
/// Specification Vol 6, Part B, 4.5.9).
///
/// A value, so that a connection event can work on both ends' channels at once without going through any object.
struct LinkChannel: ~Copyable {
  // What the controller is like.
  private let waitsForAcknowledgement: Bool
  private let roomPerEvent: Int

  // Acknowledgement.
  private(set) var sequenceNumber: UInt8 = 0
  private(set) var nextExpected: UInt8 = 0
  /// 1 while an odd number of exchanges was skipped. Listeners do not hear those, and are told the two bits as if they had
  /// not been.
  private var skippedExchanges: UInt8 = 0
  private(set) var unacknowledged: PDUUnderWay?
  /// The data under way, an ACL packet whose header is to be filled in; empty once the other end has taken it.
  private var dataUnderWay: [UInt8] = []
  private(set) var controlUnderWay: ControlPDU?
  /// Packets with a wrong CRC since the last good one of this connection event.
  var consecutiveErrors = 0

  // To send.
  private var controls: [ControlPDU] = []
  private var packets: [OutgoingPacket] = []
  private var firstPacket = 0
  /// What follows the last data that is still to be sent.
  private var farewell: ControlPDU?
  /// Whether only control PDUs may be sent.
  var isDataPaused = false

  // Results of the connection event under way.
  private var received: [LinkPDU] = []
  private(set) var completedPackets = 0
  /// A reason to leave at the end of this connection event.
  var departure: Departure?

  // What was negotiated.
  var transmitPHY = PhysicalLayer.le1M { didSet { rate = AirRate(transmitPHY) } }
  private var rate = AirRate(.le1M)
  var receivePHY = PhysicalLayer.le1M
  /// Octets of payload of the longest packet to send, at the PHY in use.
  var transmitLimit = Int(LEDataLength.shortest.octets)
  var transmitCipher: CipherState?
  var receiveCipher: CipherState?

  private struct OutgoingPacket {
    var octets: [UInt8]
    var position = ACLPacket.headerLength
    var isContinuation: Bool
  }

  /// Why an end leaves, and whether it has to acknowledge something first.
  struct Departure {
    var reason: ErrorCode
    var mustAcknowledge = false
  }

  /// The channel of a new connection; `room` is how many packets with data one connection event may bring.
  init(waitsForAcknowledgement: Bool, room: Int) {
    self.waitsForAcknowledgement = waitsForAcknowledgement
    roomPerEvent = room
  }

  // MARK: Sending

  mutating func append(_ octets: consuming [UInt8], isContinuation: Bool) {
    packets.append(OutgoingPacket(octets: octets, isContinuation: isContinuation))
  }

  mutating func append(_ control: ControlPDU) { controls.append(control) }

  /// Sends a last control PDU when everything that waits now has been sent; paused data is left behind.
  mutating func close(with control: ControlPDU) {
    guard hasData else {
      isDataPaused = true
      return append(control)
    }
    farewell = control
  }

  @inline(__always)
  private var hasData: Bool { firstPacket < packets.count && !isDataPaused }

  /// Whether there is anything to send besides what is not acknowledged yet.
  @inline(__always)
  var hasMore: Bool { !controls.isEmpty || hasData }

  /// Whether the end has nothing to tell: an empty PDU that is not acknowledged does not count.
  @inline(__always)
  var isQuiet: Bool { !hasMore && (unacknowledged?.kind ?? .empty) == .empty && departure == nil }

  /// Whether the end says in its packets that it has more to send.
  @inline(__always)
  var announcesMore: Bool {
    if hasMore { return true }
    return waitsForAcknowledgement && (unacknowledged?.kind ?? .empty) != .empty
  }

  /// Whether the other end has received what is under way.
  @inline(__always)
  func isAcknowledged(by other: borrowing LinkChannel) -> Bool { other.nextExpected != sequenceNumber }

  /// Octets of payload under way.
  @inline(__always)
  var lengthUnderWay: Int { unacknowledged?.length ?? 0 }

  /// How long the packet under way takes, in nanoseconds.
  @inline(__always)
  var airTimeUnderWay: UInt64 { rate.nanoseconds(lengthUnderWay, integrityCheck: unacknowledged?.seal != nil) }

  /// How long a packet with this many octets of payload would take if it were loaded now, in nanoseconds.
  @inline(__always)
  func airTime(of length: Int) -> UInt64 { rate.nanoseconds(length, integrityCheck: transmitCipher != nil) }

  /// Octets of payload of the next packet, were it sent now; with `acknowledged` what is under way counts as done.
  @inline(__always)
  func nextLength(acknowledged: Bool) -> Int {
    if !acknowledged, let length = unacknowledged?.length { return length }
    if let control = controls.first { return control.shape.length }
    guard hasData else { return 0 }
    return min(packets[firstPacket].octets.count - packets[firstPacket].position, transmitLimit)
  }

  /// Makes sure that there is a packet to send: the one not acknowledged yet, else the next.
  mutating func load() {
    if unacknowledged != nil {
      unacknowledged?.isRetransmission = true
      return
    }
    var pdu = PDUUnderWay()
    if !controls.isEmpty {
      let control = controls.removeFirst()
      pdu.kind = .control
      pdu.length = control.shape.length
      controlUnderWay = control
    } else if hasData {
      fragment(into: &pdu)
    }
    if pdu.length > 0 { pdu.seal = transmitCipher?.next() }
    unacknowledged = pdu
  }

  private mutating func fragment(into pdu: inout PDUUnderWay) {
    let position = packets[firstPacket].position
    let remaining = packets[firstPacket].octets.count - position
    let isFirst = position == ACLPacket.headerLength && !packets[firstPacket].isContinuation
    pdu.kind = isFirst ? .start : .continuation
    if remaining <= transmitLimit {
      pdu.length = remaining
      pdu.endsPacket = true
      if position == ACLPacket.headerLength {
        swap(&dataUnderWay, &packets[firstPacket].octets)
      } else {
        dataUnderWay = Self.headed(packets[firstPacket].octets[position...])
      }
      firstPacket += 1
      if firstPacket == packets.count {
        packets.drain()
        firstPacket = 0
        if let farewell { append(farewell) }
      }
    } else {
      pdu.length = transmitLimit
      dataUnderWay = Self.headed(packets[firstPacket].octets[position..<(position + transmitLimit)])
      packets[firstPacket].position += transmitLimit
    }
  }

  private static func headed(_ payload: ArraySlice<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(ACLPacket.headerLength + payload.count)
    for _ in 0..<ACLPacket.headerLength { octets.append(0) }
    octets.append(contentsOf: payload)
    return octets
  }

  // MARK: Receiving

  /// Takes what the other end has under way; its CRC is right.
  mutating func receive(from sender: inout LinkChannel) {
    consecutiveErrors = 0
    if sender.nextExpected != sequenceNumber { acknowledge() }
    guard sender.sequenceNumber == nextExpected, let kind = sender.unacknowledged?.kind else { return }
    // A receiver without room leaves the packet to be sent again.
    guard kind == .empty || received.count < roomPerEvent else { return }
    nextExpected ^= 1
    if kind != .empty { accept(from: &sender) }
  }

  private mutating func accept(from sender: inout LinkChannel) {
    guard let pdu = sender.unacknowledged else { return }
    guard opens(pdu.seal) else {
      departure = Departure(reason: .connectionTerminatedDueToMICFailure)
      return
    }
    if case .terminateIndication(let reason)? = sender.controlUnderWay {
      departure = Departure(reason: reason, mustAcknowledge: true)
      return
    }
    var taken = LinkPDU(kind: pdu.kind, length: pdu.length, control: sender.controlUnderWay)
    swap(&taken.octets, &sender.dataUnderWay)
    received.append(taken)
  }

  /// Whether the cipher opens a PDU that was sealed like this. Each part for itself, because this happens with every packet and
  /// the compiler finds no other way that it does not look up while it runs.
  private mutating func opens(_ seal: Seal?) -> Bool {
    guard let expected = receiveCipher?.next() else { return seal == nil }
    guard let seal else { return false }
    return seal.counter == expected.counter && seal.initializationVector == expected.initializationVector
      && seal.sessionKey.value == expected.sessionKey.value
  }

  private mutating func acknowledge() {
    guard let pdu = unacknowledged else { return }
    sequenceNumber ^= 1
    if pdu.endsPacket { completedPackets += 1 }
    if case .terminateIndication? = controlUnderWay { departure = Departure(reason: .connectionTerminatedByLocalHost) }
    unacknowledged = nil
    controlUnderWay = nil
  }

  // MARK: Results

  /// Whether a connection event left something to be dealt with.
  @inline(__always)
  var hasResults: Bool {
    completedPackets > 0 || !received.isEmpty || departure.map { !$0.mustAcknowledge } == true
  }

  /// Whether something came that the host or a procedure has to see.
  @inline(__always)
  var hasReceived: Bool { !received.isEmpty }

  /// Whether an integrity check has failed, so that not one more packet is exchanged.
  @inline(__always)
  var hasFailed: Bool { departure?.reason == .connectionTerminatedDueToMICFailure }

  /// Takes the number of the host's packets that were acknowledged.
  mutating func takeCompleted() -> Int {
    defer { completedPackets = 0 }
    return completedPackets
  }

  /// Swaps what was received with an empty list, so that its storage can be used again.
  mutating func exchangeReceived(with list: inout [LinkPDU]) { swap(&received, &list) }

  /// As many exchanges of empty packets as were skipped leave their mark only in the two bits.
  mutating func skipEmptyExchanges(_ count: UInt64) {
    guard count & 1 != 0 else { return }
    sequenceNumber ^= 1
    nextExpected ^= 1
    skippedExchanges ^= 1
  }

  /// Replaces what is under way by an empty packet, or by nothing, as skipped events have left it.
  mutating func setEmptyUnderWay(_ isUnderWay: Bool) { unacknowledged = isUnderWay ? PDUUnderWay() : nil }
}

extension LinkChannel {
  /// What listeners hear of the packet under way; `nil` when it is data that the other end took before.
  func radioPacket(_ observation: ConnectionPacketObservation, _ identity: LinkIdentity) -> RadioPacket? {
    guard let pdu = unacknowledged, let payload = payloadUnderWay else { return nil }
    let identifier: UInt8 =
      switch pdu.kind {
      case .empty, .continuation: 0b01
      case .start: 0b10
      case .control: 0b11
      }
    let flags =
      (nextExpected ^ skippedExchanges) << 2 | (sequenceNumber ^ skippedExchanges) << 3
      | (observation.hasMoreData ? 1 : 0) << 4
    let header = identifier | flags
    var octets = payload
    if let seal = pdu.seal {
      let encryption = LinkEncryption(
        sessionKey: seal.sessionKey, initializationVector: seal.initializationVector)
      octets = encryption.seal(
        payload, header: header, counter: seal.counter,
        direction: observation.fromCentral ? .centralToPeripheral : .peripheralToCentral)
    }
    var packet = RadioPacket(
      accessAddress: identity.accessAddress, octets: [header, UInt8(octets.count)] + octets,
      isFromCentral: observation.fromCentral)
    packet.layer = transmitPHY
    return packet
  }

  private var payloadUnderWay: [UInt8]? {
    guard let pdu = unacknowledged else { return nil }
    switch pdu.kind {
    case .empty: return []
    case .control: return controlUnderWay?.encoded
    case .start, .continuation:
      return dataUnderWay.isEmpty ? nil : Array(dataUnderWay.dropFirst(ACLPacket.headerLength))
    }
  }
}
