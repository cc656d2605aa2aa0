import Bytes
import Crypto
import HCI
import Timeline

/// One controller's end of a connection: queues, acknowledgement, procedures.
final class LinkEnd: EventTarget {
  let controller: VirtualController
  let role: LinkRole
  let handle: ConnectionHandle
  let peerAddress: BluetoothAddress
  unowned let link: Link
  /// Whether this controller still believes in the connection.
  var isAlive = true
  /// Whether it has received anything at all, so that the connection is established (Core Specification Vol 6,
  /// Part B, 4.5).
  var isEstablished = false
  /// When it last received a packet, in nanoseconds; before the first, when the connection was made.
  var lastHeard: UInt64
  var supervision: ScheduledEvent?
  /// A reason to leave at the end of this connection event, and whether a terminate PDU has to be acknowledged first.
  var departure: Departure?
  /// The peripheral follows another schedule or PHY than the central: it missed a change.
  var isAstray = false
  /// The next connection event at which a peripheral with latency listens at the latest.
  var nextListening: UInt64 = 0

  // Acknowledgement (Vol 6, Part B, 4.5.9).
  var sequenceNumber: UInt8 = 0
  var nextExpected: UInt8 = 0
  var unacknowledged: LinkPDU?
  var consecutiveErrors = 0

  // To send.
  var controls: [ControlPDU] = []
  /// Control PDUs that wait until encryption is started.
  var heldControls: [ControlPDU] = []
  private var packets: [OutgoingPacket] = []
  private var firstPacket = 0
  var isDataPaused = false

  // Results of the connection event under way.
  var received: [LinkPDU] = []
  var completedPackets: UInt16 = 0
  /// ACL packets in the controller's buffers that belong to this connection.
  var packetsInBuffers = 0

  // What was negotiated.
  var transmitPHY = PhysicalLayer.le1M
  var receivePHY = PhysicalLayer.le1M
  var dataLength: DataLengthState
  /// Octets of payload of the longest packet to send, at the PHY in use.
  var transmitLimit = 27
  var transmitCipher: CipherState?
  var receiveCipher: CipherState?

  // Procedures.
  var procedures = ProcedureQueue()
  var encryption = EncryptionState.idle
  /// Whether the encryption being started replaces one.
  var isRefreshing = false
  var pendingInstant: PendingInstant?
  var remoteFeatures: LEFeatures?
  var remoteVersion: RemoteVersion?
  var hasSentVersion = false
  var hasParameterRequest = false
  var isTerminating = false
  /// What follows the last data that is still to be sent.
  var farewell: ControlPDU?

  private struct OutgoingPacket {
    var octets: [UInt8]
    var position = ACLPacket.headerLength
    var isContinuation: Bool
  }

  /// Why and how an end leaves.
  struct Departure {
    var reason: ErrorCode
    /// An acknowledgement has to be sent first.
    var mustAcknowledge = false
  }

  init(
    _ controller: VirtualController, _ role: LinkRole, peer: BluetoothAddress, link: Link, createdAt: UInt64
  ) {
    self.controller = controller
    self.role = role
    self.link = link
    handle = controller.newHandle()
    peerAddress = peer
    lastHeard = createdAt
    dataLength = DataLengthState(
      wanted: controller.suggestedDataLength, receivable: controller.profile.maximumDataLength)
  }

  var other: LinkEnd { role == .central ? link.peripheral : link.central }

  // MARK: Sending

  /// Takes an ACL packet of the host: its octets with the header.
  func enqueue(_ octets: [UInt8], isContinuation: Bool) {
    packetsInBuffers += 1
    controller.packetsInBuffers += 1
    packets.append(OutgoingPacket(octets: octets, isContinuation: isContinuation))
    link.wake()
  }

  func enqueue(_ control: ControlPDU) {
    guard encryption.isIdle || control.belongsToEncryption else { return heldControls.append(control) }
    controls.append(control)
    link.wake()
  }

  var hasData: Bool { firstPacket < packets.count && !isDataPaused }

  /// Whether there is anything to send besides what is not acknowledged yet.
  var hasMore: Bool { !controls.isEmpty || hasData }

  /// Whether the end has nothing to tell: an empty PDU that is not acknowledged does not count.
  var isQuiet: Bool { !hasMore && (unacknowledged.map { $0.kind == .empty } ?? true) && departure == nil }

  /// Whether the end says in its packets that it has more to send.
  var announcesMore: Bool {
    if hasMore { return true }
    guard controller.profile.timing.waitsForAcknowledgement, let unacknowledged else { return false }
    return unacknowledged.kind != .empty
  }

  /// Whether the other end has received what is under way.
  func isAcknowledged(by other: LinkEnd) -> Bool { other.nextExpected != sequenceNumber }

  /// Whether a connection event left something to be dealt with.
  var hasResults: Bool {
    completedPackets > 0 || !received.isEmpty || departure.map { !$0.mustAcknowledge } == true
  }

  /// Whether an integrity check has failed, so that not one more packet is exchanged.
  var hasFailed: Bool { departure?.reason == .connectionTerminatedDueToMICFailure }

  /// Whether a peripheral listens in an event: it may skip some while it has nothing to say or to wait for.
  func isWaiting(for event: UInt64) -> Bool {
    event >= nextListening || !isEstablished || !isQuiet || pendingInstant != nil || procedures.active != nil
      || !encryption.isIdle
  }

  /// Octets of payload of the next packet, were it sent now; with `acknowledged` what is under way counts as done.
  func nextLength(acknowledged: Bool) -> Int {
    if let unacknowledged, !acknowledged { return unacknowledged.length }
    if let control = controls.first { return control.shape.length }
    guard hasData else { return 0 }
    let packet = packets[firstPacket]
    return min(packet.octets.count - packet.position, transmitLimit)
  }

  /// Makes sure that there is a packet to send: the one not acknowledged yet, else the next.
  func load() {
    if unacknowledged != nil {
      unacknowledged?.isRetransmission = true
      return
    }
    var pdu = LinkPDU()
    if !controls.isEmpty {
      let control = controls.removeFirst()
      pdu.kind = .control
      pdu.length = control.shape.length
      pdu.control = control
    } else if hasData {
      fragment(into: &pdu)
    }
    if pdu.length > 0 { pdu.seal = transmitCipher?.next() }
    unacknowledged = pdu
  }

  private func fragment(into pdu: inout LinkPDU) {
    let position = packets[firstPacket].position
    let remaining = packets[firstPacket].octets.count - position
    let isFirst = position == ACLPacket.headerLength && !packets[firstPacket].isContinuation
    pdu.kind = isFirst ? .start : .continuation
    if remaining <= transmitLimit {
      pdu.length = remaining
      pdu.endsPacket = true
      if position == ACLPacket.headerLength {
        swap(&pdu.octets, &packets[firstPacket].octets)
      } else {
        pdu.octets = Self.headed(packets[firstPacket].octets[position...])
      }
      firstPacket += 1
      if firstPacket == packets.count {
        packets.removeAll(keepingCapacity: true)
        firstPacket = 0
        if let farewell { controls.append(farewell) }
      }
    } else {
      pdu.length = transmitLimit
      pdu.octets = Self.headed(packets[firstPacket].octets[position..<(position + transmitLimit)])
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

  /// Takes a packet of the other end whose CRC is right.
  func receive(from sender: LinkEnd) {
    consecutiveErrors = 0
    if sender.nextExpected != sequenceNumber { acknowledge() }
    guard sender.sequenceNumber == nextExpected else { return }
    guard sender.unacknowledged!.kind == .empty || hasRoom else { return }
    nextExpected ^= 1
    if sender.unacknowledged!.length > 0 { accept(&sender.unacknowledged!) }
  }

  /// A receiver without room leaves the packet to be sent again.
  private var hasRoom: Bool { controller.profile.receiveLimit.map { received.count < $0 } ?? true }

  private func accept(_ pdu: inout LinkPDU) {
    guard pdu.seal == receiveCipher?.next() else {
      departure = Departure(reason: .connectionTerminatedDueToMICFailure)
      return
    }
    if case .terminateIndication(let reason) = pdu.control {
      departure = Departure(reason: reason, mustAcknowledge: true)
      return
    }
    var taken = LinkPDU(kind: pdu.kind, length: pdu.length, control: pdu.control)
    swap(&taken.octets, &pdu.octets)
    received.append(taken)
  }

  private func acknowledge() {
    guard let pdu = unacknowledged else { return }
    sequenceNumber ^= 1
    unacknowledged = nil
    if pdu.endsPacket { completedPackets += 1 }
    if case .terminateIndication = pdu.control { departure = Departure(reason: .connectionTerminatedByLocalHost) }
  }

  /// As many exchanges of empty packets as were skipped leave their mark only in the two bits.
  func skipEmptyExchanges(_ count: UInt64) {
    guard count & 1 != 0 else { return }
    sequenceNumber ^= 1
    nextExpected ^= 1
  }

  // MARK: Beginning

  /// The connection request has been sent or received: tells the host.
  func reportConnection(_ parameters: LELinkParameters) {
    let accuracy = role == .peripheral ? other.controller.profile.clockAccuracyCode : 0
    controller.emit(
      .leConnectionComplete(
        LEConnectionComplete(
          handle: handle, role: role, peerAddress: peerAddress, link: parameters, centralClockAccuracy: accuracy)))
    if controller.asksForSuggestedLength, controller.profile.features.contains(.dataPacketLengthExtension) {
      start(.dataLength)
    }
  }

  // MARK: After a connection event

  /// Hands what came and what was acknowledged to host and procedures.
  func finishEvent() {
    guard isAlive else { return }
    if completedPackets > 0 {
      packetsInBuffers -= Int(completedPackets)
      controller.packetsInBuffers -= Int(completedPackets)
      controller.emit(.numberOfCompletedPackets([CompletedPackets(handle, completedPackets)]))
      completedPackets = 0
    }
    guard !received.isEmpty else { return }
    var batch: [LinkPDU] = []
    swap(&batch, &received)
    for index in batch.indices where isAlive {
      if let control = batch[index].control {
        handle(control)
      } else {
        deliver(&batch[index])
      }
    }
    if received.isEmpty {
      batch.removeAll(keepingCapacity: true)
      swap(&batch, &received)
    }
  }

  private func deliver(_ pdu: inout LinkPDU) {
    var octets: [UInt8] = []
    swap(&octets, &pdu.octets)
    let boundary: PacketBoundary = pdu.kind == .start ? .firstFromController : .continuing
    let head = handle.rawValue | UInt16(boundary.rawValue) << 12
    octets[0] = UInt8(truncatingIfNeeded: head)
    octets[1] = UInt8(truncatingIfNeeded: head >> 8)
    octets[2] = UInt8(truncatingIfNeeded: pdu.length)
    octets[3] = UInt8(truncatingIfNeeded: pdu.length >> 8)
    controller.emit(HCIPacket(.acl, octets))
  }

  // MARK: Ending

  /// The connection is over for this end: tells the host.
  func leave(_ reason: ErrorCode) {
    guard isAlive else { return }
    vanish()
    controller.links.removeAll { $0 === self }
    controller.emit(.disconnectionComplete(.success, handle, reason: reason))
  }

  /// The connection is over for this end without a word.
  func vanish() {
    isAlive = false
    cancelAlarms()
    // The host gets its credits back by the disconnection itself (Vol 4, Part E, 4.1.1).
    controller.packetsInBuffers -= packetsInBuffers
    packetsInBuffers = 0
    link.endVanished()
  }

  private func cancelAlarms() {
    if let supervision { controller.loop.cancel(supervision) }
    supervision = nil
    procedures.stop(controller.loop)
  }

  func fire(_ argument: UInt64) { alarm(argument) }
}
