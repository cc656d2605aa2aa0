import Bytes
import HCI

/// Cuts L2CAP frames into ACL packets and hands them to the controller as it has room
/// (Core Specification Vol 4, Part E, 4.1.1).
///
/// The controller's buffers are shared by all links: each packet sent takes one credit, Number_Of_Completed_Packets
/// gives credits back, and the end of a link gives back all of that link's at once. Links with something to send take
/// turns, one packet each, so that one link's transfer cannot starve another's.
///
///     enqueue ─▶ queue of the link ─▶ (credit) ─▶ controller: in flight ─▶ completed ─▶ ticket is transmitted
struct ACLScheduler: Sendable {
  /// Notifications that may wait for one link.
  static let notificationQueueLimit = 64
  /// Frames of any kind that may wait for one link. Only a peer that keeps sending requests without taking the answers
  /// reaches this limit.
  static let frameQueueLimit = 256

  /// Who is told when a frame was sent.
  enum Receipt: Hashable, Sendable {
    /// No one.
    case none
    /// A notification: when its last fragment has been reported as sent.
    case transmitted(NotificationTicket)
    /// A command of the client: when its last fragment has gone to the controller.
    case handedOver(ClientToken)

    /// Whether the client waits for it.
    var isOfCommand: Bool {
      if case .handedOver = self { return true }
      return false
    }
  }

  /// What a step of the scheduler leads to.
  enum Report: Sendable {
    /// Send this to the controller.
    case send(HCIPacket)
    /// The last fragment of a command went to the controller.
    case handedOver(ConnectionHandle, ClientToken)
  }

  /// A frame on its way to the controller: an ACL packet, which is cut into several when it is too long.
  private struct Frame: Sendable {
    let octets: [UInt8]
    let receipt: Receipt
    /// Where the next fragment begins.
    var position = ACLPacket.headerLength
  }

  /// The waiting frames and the packets in flight of one link.
  private struct Lane: Sendable {
    let handle: ConnectionHandle
    var frames = Queue<Frame>()
    /// One entry for each packet in flight; the last packet of a frame has the frame's receipt.
    var inFlight = Queue<Receipt>()
    var waitingNotifications = 0
    /// Takes nothing more: its link is about to be ended.
    var isClosing = false
  }

  private var lanes: [Lane] = []
  /// Index of the lane that is next.
  private var turn = 0
  private(set) var credits: Int
  /// Longest data of one packet, in octets.
  let dataLength: Int

  /// The scheduler of a controller whose buffers are not known yet: it sends nothing.
  static let withoutBuffers = ACLScheduler(dataLength: Int(LEDataLength.shortest.octets), packetCount: 0)

  /// A scheduler for a controller with this many buffers of this many octets.
  init(dataLength: Int, packetCount: Int) {
    self.dataLength = dataLength
    credits = packetCount
  }

  /// Opens a lane for a new link.
  mutating func open(_ handle: ConnectionHandle) { lanes.append(Lane(handle: handle)) }

  /// Closes the lane of a link that has ended: its frames are dropped and its credits come back; no
  /// Number_Of_Completed_Packets follows for them.
  mutating func close(_ handle: ConnectionHandle) {
    guard let index = index(of: handle) else { return }
    credits += lanes[index].inFlight.count
    lanes.remove(at: index)
    if turn > index { turn -= 1 }
  }

  /// Lets a lane take nothing more, or take frames again.
  mutating func setClosing(_ handle: ConnectionHandle, _ isClosing: Bool) {
    if let index = index(of: handle) { lanes[index].isClosing = isClosing }
  }

  /// Whether the controller has reported every frame of this link as sent.
  func isIdle(_ handle: ConnectionHandle) -> Bool {
    index(of: handle).map { lanes[$0].frames.isEmpty && lanes[$0].inFlight.isEmpty } ?? true
  }

  /// Whether one more notification may wait for this link.
  func acceptsNotification(_ handle: ConnectionHandle) -> Bool {
    index(of: handle).map { !lanes[$0].isClosing && lanes[$0].waitingNotifications < Self.notificationQueueLimit }
      ?? false
  }

  /// Whether one more frame may wait for this link.
  func acceptsFrame(_ handle: ConnectionHandle) -> Bool {
    index(of: handle).map { !lanes[$0].isClosing && lanes[$0].frames.count < Self.frameQueueLimit } ?? false
  }

  /// Whether a packet of `octets` may go to the controller at once; then it counts as sent.
  ///
  /// A free credit means that nothing waits on any link, see ``drain(_:)``, so no frame is overtaken.
  mutating func admit(_ octets: Int, for handle: ConnectionHandle, _ receipt: Receipt) -> Bool {
    guard credits > 0, octets <= dataLength + ACLPacket.headerLength, let index = index(of: handle),
      lanes[index].frames.isEmpty, !lanes[index].isClosing
    else { return false }
    credits -= 1
    lanes[index].inFlight.append(receipt)
    return true
  }

  /// Takes a frame as the one ACL packet that it would be, see ``begin(_:_:_:length:)``.
  mutating func enqueue(_ packet: [UInt8], for handle: ConnectionHandle, _ receipt: Receipt) {
    guard let index = index(of: handle) else { return }
    if case .transmitted = receipt { lanes[index].waitingNotifications += 1 }
    lanes[index].frames.append(Frame(octets: packet, receipt: receipt))
  }

  /// Writes the header of an ACL packet with `length` octets of data to follow.
  static func begin(
    _ writer: inout ByteWriter, _ handle: ConnectionHandle, _ boundary: PacketBoundary = .firstFromHost, length: Int
  ) {
    writer.write(handle.rawValue & 0x0FFF | UInt16(boundary.rawValue) << 12)
    writer.write(UInt16(truncatingIfNeeded: length))
  }

  /// Takes Number_Of_Completed_Packets for one link and tells each notification that was covered by it.
  mutating func complete(_ count: Int, for handle: ConnectionHandle, _ transmitted: (NotificationTicket) -> Void) {
    guard let index = index(of: handle) else { return }
    for _ in 0..<count {
      // A controller may report more packets than it was given; its credits never exceed its buffers.
      guard let receipt = lanes[index].inFlight.popFirst() else { return }
      credits += 1
      if case .transmitted(let ticket) = receipt { transmitted(ticket) }
    }
  }

  /// Sends as much as the controller takes; afterwards either no credit is left or nothing waits.
  mutating func drain(_ report: (Report) -> Void) {
    var idle = 0
    while credits > 0, idle < lanes.count {
      if turn >= lanes.count { turn = 0 }
      if lanes[turn].frames.isEmpty {
        idle += 1
      } else {
        idle = 0
        sendFragment(of: turn, report)
      }
      turn += 1
    }
  }

  private mutating func sendFragment(of lane: Int, _ report: (Report) -> Void) {
    guard let frame = lanes[lane].frames.first else { return }
    credits -= 1
    let isFirst = frame.position == ACLPacket.headerLength
    let end = min(frame.position + dataLength, frame.octets.count)
    if isFirst, end == frame.octets.count {
      report(.send(HCIPacket(.acl, frame.octets)))
    } else {
      var writer = ByteWriter(capacity: ACLPacket.headerLength + end - frame.position)
      let boundary: PacketBoundary = isFirst ? .firstFromHost : .continuing
      Self.begin(&writer, lanes[lane].handle, boundary, length: end - frame.position)
      writer.write(Array(frame.octets[frame.position..<end]))
      report(.send(HCIPacket(.acl, writer.bytes)))
    }
    guard end == frame.octets.count else {
      lanes[lane].inFlight.append(.none)
      return lanes[lane].frames.changeFirst { $0.position = end }
    }
    _ = lanes[lane].frames.popFirst()
    lanes[lane].inFlight.append(frame.receipt)
    if case .transmitted = frame.receipt { lanes[lane].waitingNotifications -= 1 }
    if case .handedOver(let token) = frame.receipt { report(.handedOver(lanes[lane].handle, token)) }
  }

  private func index(of handle: ConnectionHandle) -> Int? { lanes.firstIndex { $0.handle == handle } }
}
