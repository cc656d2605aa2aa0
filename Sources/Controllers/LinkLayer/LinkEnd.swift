import Bytes
import Crypto
import HCI
import Timeline

/// One controller's end of a connection: queues, acknowledgement, procedures.
final class LinkEnd: EventTarget {
  let controller: any LinkController
  let profile: ControllerProfile
  /// How it plans the time of a connection event.
  let plan: EventPlan
  let role: LinkRole
  let handle: ConnectionHandle
  let peerAddress: BluetoothAddress
  /// The link, which owns its ends; set as soon as it has made them.
  var link: Link {
    get { owner!.takeUnretainedValue() }
    set { owner = .passUnretained(newValue) }
  }
  // The link, not counted while it is woken: that happens with every packet of a host.
  private var owner: Unmanaged<Link>?
  /// Whether this controller still believes in the connection.
  var isAlive = true
  /// Whether it has received anything at all, so that the connection is established (Core Specification Vol 6,
  /// Part B, 4.5).
  var isEstablished = false
  /// When it last received a packet, in nanoseconds; before the first, when the connection was made.
  var lastHeard: UInt64
  var supervision: ScheduledEvent?
  /// The end of the time in which the other end may acknowledge that this one leaves.
  var farewell: ScheduledEvent?
  /// The peripheral follows another schedule or PHY than the central: it missed a change.
  var isAstray = false
  /// The next connection event at which a peripheral with latency listens at the latest.
  var nextListening: UInt64 = 0

  /// What waits, what is under way and what has come.
  var channel: LinkChannel
  /// Control PDUs that wait until encryption is started.
  private(set) var heldControls: [ControlPDU] = []
  private var batch: [LinkPDU] = []
  /// What tells the host that one of its packets was sent: made once, because it comes with every packet of a transfer.
  private let completionOfOne: HCIPacket
  /// ACL packets in the controller's buffers that belong to this connection.
  var packetsInBuffers = 0

  /// The longest packets, as far as they are agreed.
  var dataLength: DataLengthState

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

  init(
    _ controller: any LinkController, _ role: LinkRole, peer: BluetoothAddress, createdAt: UInt64
  ) {
    self.controller = controller
    profile = controller.profile
    plan = EventPlan(profile.timing)
    self.role = role
    handle = controller.newHandle()
    completionOfOne = Event.packet(completing: 1, of: handle)
    peerAddress = peer
    lastHeard = createdAt
    channel = LinkChannel(
      waitsForAcknowledgement: profile.timing.waitsForAcknowledgement,
      room: profile.receiveLimit ?? .max)
    dataLength = DataLengthState(
      wanted: controller.suggestedDataLength, receivable: profile.maximumDataLength)
  }

  var other: LinkEnd { role == .central ? link.peripheral : link.central }

  // MARK: Sending

  /// Takes an ACL packet of the host: its octets with the header.
  func enqueue(_ octets: consuming [UInt8], isContinuation: Bool) {
    packetsInBuffers += 1
    controller.packetsInBuffers += 1
    channel.append(octets, isContinuation: isContinuation)
    owner?._withUnsafeGuaranteedRef { $0.wake() }
  }

  func enqueue(_ control: ControlPDU) {
    guard encryption.isIdle || control.belongsToEncryption else { return heldControls.append(control) }
    channel.append(control)
    link.wake()
  }

  /// Sends what had to wait until encryption was started.
  func releaseHeldControls() {
    let held = heldControls
    heldControls.removeAll()
    for control in held { enqueue(control) }
  }

  /// Whether a peripheral listens in an event: it may skip some while it has nothing to say or to wait for.
  func isWaiting(for event: UInt64) -> Bool {
    event >= nextListening || !isEstablished || !channel.isQuiet || pendingInstant != nil || procedures.active != nil
      || !encryption.isIdle
  }

  // MARK: Beginning

  /// The connection request has been sent or received: tells the host.
  func reportConnection(_ parameters: LELinkParameters) {
    let accuracy = role == .peripheral ? other.profile.clockAccuracyCode : 0
    controller.emit(
      .leConnectionComplete(
        LEConnectionComplete(
          handle: handle, role: role, peerAddress: peerAddress, link: parameters, centralClockAccuracy: accuracy)))
    if controller.asksForSuggestedLength, profile.features.contains(.dataPacketLengthExtension) {
      start(.dataLength)
    }
  }

  // MARK: After a connection event

  /// Hands what came and what was acknowledged to host and procedures.
  func finishEvent() {
    guard isAlive else { return }
    let completed = channel.takeCompleted()
    if completed > 0 {
      packetsInBuffers -= completed
      controller.packetsInBuffers -= completed
      controller.emit(completed == 1 ? completionOfOne : Event.packet(completing: UInt16(completed), of: handle))
    }
    guard channel.hasReceived else { return }
    var received: [LinkPDU] = []
    swap(&received, &batch)
    channel.exchangeReceived(with: &received)
    for index in received.indices where isAlive {
      if let control = received[index].control {
        handle(control)
      } else {
        deliver(&received[index])
      }
    }
    received.drain()
    swap(&received, &batch)
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
    controller.forget(self)
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
    if let farewell { controller.loop.cancel(farewell) }
    farewell = nil
    procedures.stop(controller.loop)
  }

  func fire(_ argument: UInt64) { alarm(argument) }
}
