import HCI
import Timeline

/// A controller as its connections know it.
protocol LinkController: AirStation {
  var medium: Medium { get }
  var loop: EventLoop { get }

  // What its host has set.
  var suggestedDataLength: LEDataLength { get }
  /// Whether new connections begin by asking for the suggested length.
  var asksForSuggestedLength: Bool { get }
  var preferredPHYs: PHYPreference { get }
  /// Whether the host's masks let an event through.
  func isWanted(_ event: Event) -> Bool

  // What its connections share.
  /// ACL packets of the host that are not acknowledged yet, over all connections.
  var packetsInBuffers: Int { get set }
  /// Until when a connection event keeps the radio, in nanoseconds.
  var radioBusyUntil: UInt64 { get set }
  /// Connections that it has.
  var linkCount: Int { get }
  /// A handle that no connection uses.
  func newHandle() -> ConnectionHandle
  /// A connection is over for this end.
  func forget(_ end: LinkEnd)
  /// When the next connection event of another link needs the radio, in nanoseconds.
  func radioFreeUntil(after time: UInt64, besides link: Link) -> UInt64
  /// How long after `time` a new schedule should begin, in nanoseconds, to keep clear of other links.
  func freeOffset(from time: UInt64, intervalUnits: UInt16, besides link: Link?) -> UInt64

  // What it tells.
  func emit(_ packet: consuming HCIPacket)
  func emit(_ event: Event)
  func observe(
    _ content: @autoclosure () -> AirObservation.Content, _ radio: @autoclosure () -> RadioPacket?,
    of link: LinkIdentity?, at begin: UInt64, _ duration: UInt64)
  func stream(_ purpose: String) -> ChoiceStream
}

extension LinkController {
  /// Tells of a packet whose octets listeners do not need.
  func observe(_ content: @autoclosure () -> AirObservation.Content, at begin: UInt64, _ duration: UInt64) {
    observe(content(), nil, of: nil, at: begin, duration)
  }
}
