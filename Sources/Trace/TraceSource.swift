/// Who wrote a record: a host of the world, or something around the hosts.
public struct TraceSource: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The parts of a run that write records.
  public enum Part: UInt8, Hashable, Sendable, CaseIterable {
    /// Packets of the host on which a phone stands.
    case phone = 1
    /// Packets of the host on which a recorder stands.
    case recorder = 2
    /// What happened to packets on their way.
    case air = 3
    /// What only a simulated world can know, and what it did by itself.
    case world = 4
    /// Steps, expectations and verdicts.
    case runner = 5
    /// Buttons, power and adapters of a bench.
    case bench = 6

    /// The part in a word; looking it up by reflection would cost more than the record it stands in.
    var name: String {
      switch self {
      case .phone: "phone"
      case .recorder: "recorder"
      case .air: "air"
      case .world: "world"
      case .runner: "runner"
      case .bench: "bench"
      }
    }
  }

  /// Which part of the run.
  public let part: Part
  /// Which one of several, from 0, in the order in which the scenario names them.
  public let index: UInt16

  /// Names one part of a run.
  @inlinable public init(_ part: Part, _ index: UInt16 = 0) {
    self.part = part
    self.index = index
  }

  /// The host of one phone.
  @inlinable public static func phone(_ index: UInt16 = 0) -> TraceSource { TraceSource(.phone, index) }
  /// The host of one recorder.
  @inlinable public static func recorder(_ index: UInt16 = 0) -> TraceSource { TraceSource(.recorder, index) }
  /// The simulated world.
  public static let world = TraceSource(.world)
  /// The runner of scenarios.
  public static let runner = TraceSource(.runner)

  /// Whether this is a host, whose packets have a direction.
  @inlinable public var isHost: Bool { part == .phone || part == .recorder }

  /// `phone 0`; without the number where there is only ever one.
  public var description: String { isHost || part == .bench ? "\(part.name) \(index)" : part.name }

  public static func < (left: Self, right: Self) -> Bool {
    (left.part.rawValue, left.index) < (right.part.rawValue, right.index)
  }
}
