import Bytes
import Timeline
import Trace

/// Something that a packet meant for the product, or that a simulated world states about itself.
///
/// Events are all that monitors, temporal assertions and reports see of a run. They come from one
/// ``PacketInterpreter`` a host, whether the packets are live or from a capture, and from the world as
/// ``Happening/oracle(_:)``.
public struct ProductEvent: Sendable {
  /// When the packet passed between host and controller, or when the world stated it.
  public var instant: Instant
  /// Whose packets told it.
  public var source: TraceSource
  /// Number of the connection on that host, from 1; 0 for what belongs to none.
  public var link: UInt32
  /// The address of the other end of the connection.
  public var peer: BluetoothAddress?
  /// What happened.
  public var happening: Happening
  /// How reports call those who took part; `nil` where there is one phone and one recorder.
  package var parties: PartyNames?

  public init(
    at instant: Instant, from source: TraceSource, link: UInt32 = 0, peer: BluetoothAddress? = nil,
    _ happening: Happening
  ) {
    self.instant = instant
    self.source = source
    self.link = link
    self.peer = peer
    self.happening = happening
  }

  /// A statement of the simulated world.
  public static func oracle(_ event: OracleEvent, at instant: Instant) -> ProductEvent {
    ProductEvent(at: instant, from: .world, .oracle(event))
  }
}
