import Bytes
import Timeline
import Trace
import Verdicts

/// Watches one requirement through a whole run, whatever the scenario asserts.
///
/// Unlike a temporal assertion it is never done: it may be met or violated many times.
public protocol Monitor: Observer, Sendable {
  /// Creates a monitor that has not seen any event.
  init()
  /// The requirement it watches, and how.
  var declaration: MonitorDeclaration { get }
  /// The number of times the requirement's precondition has held.
  var preconditionCount: Int { get }
  /// Whether a violation ends the steps of a scenario; it fails the scenario in any case.
  var endsSteps: Bool { get }
  /// Whether it is enough to be shown the last of a row of packets: octets of a record of known size and within it, on one
  /// link, between which nothing comes that any monitor wants to see. Each of them is pending, and the last tells all that
  /// those before it told. It is shown before whatever comes next, and before any deadline.
  var isLastPacketEnough: Bool { get }
  /// Whether it judges by what only a phone that this house plays states: what its user is shown, and what it keeps. Where
  /// another vendor's application is the phone, it would wait in vain.
  var needsPlayedPhone: Bool { get }
  /// The run is over: met, where it watched over something that only its end could prove.
  mutating func finish(at instant: Instant) -> Observation
}

extension Monitor {
  /// `true`: most violations make what follows meaningless.
  public var endsSteps: Bool { true }
  /// `false`: only some count nothing.
  public var isLastPacketEnough: Bool { false }
  /// `false`: most see on the link, or from a recorder, what they need.
  public var needsPlayedPhone: Bool { false }
  /// Returns `pending`: most monitors have decided before the end.
  public func finish(at instant: Instant) -> Observation { .pending }
  /// `nil`: most monitors only judge events.
  public var deadline: Instant? { nil }
  /// Returns `pending`: there is no deadline to reach.
  public mutating func reach(_ instant: Instant) -> Observation { .pending }
}

extension LinkTable: Sendable where State: Sendable {}

/// One connection as one host sees it.
struct LinkKey: Hashable, Sendable {
  var source: TraceSource
  var link: UInt32

  init(_ event: ProductEvent) {
    source = event.source
    link = event.link
  }
}

/// What a monitor keeps for each connection. There are few at a time, so it is searched in order.
struct LinkTable<State> {
  /// Connections kept; beyond it the oldest is forgotten.
  static var limit: Int { 256 }

  private(set) var keys: [LinkKey] = []
  private(set) var states: [State] = []

  /// The state of the connection an event belongs to.
  subscript(event: ProductEvent) -> State? {
    get { keys.firstIndex(of: LinkKey(event)).map { states[$0] } }
    set {
      let index = keys.firstIndex(of: LinkKey(event))
      switch (index, newValue) {
      case (let index?, let state?): states[index] = state
      case (let index?, nil):
        keys.remove(at: index)
        states.remove(at: index)
      case (nil, let state?):
        if keys.count == Self.limit {
          keys.removeFirst()
          states.removeFirst()
        }
        keys.append(LinkKey(event))
        states.append(state)
      case (nil, nil): break
      }
    }
  }

  /// Changes the state of the connection an event belongs to, in place; `nil` where there is none.
  mutating func change<Result>(_ event: ProductEvent, _ body: (inout State) -> Result) -> Result? {
    for index in keys.indices where keys[index].link == event.link && keys[index].source == event.source {
      return body(&states[index])
    }
    return nil
  }

  /// Forgets the connections of a phone.
  mutating func forget(phone index: UInt16) {
    for position in keys.indices.reversed()
    where keys[position].source.part == .phone && keys[position].source.index == index {
      keys.remove(at: position)
      states.remove(at: position)
    }
  }

  /// The earliest of the instants that states give.
  func earliest(_ instant: (State) -> Instant?) -> Instant? {
    states.reduce(nil) { earliest, state in
      guard let candidate = instant(state) else { return earliest }
      return min(earliest ?? candidate, candidate)
    }
  }

  /// Changes the states of all connections.
  mutating func changeAll(_ change: (inout State) -> Void) {
    for index in states.indices { change(&states[index]) }
  }

  /// Changes the first state that `isMeant`; says whether there was one.
  mutating func changeFirst(where isMeant: (State) -> Bool, _ change: (inout State) -> Void) -> Bool {
    guard let index = states.firstIndex(where: isMeant) else { return false }
    change(&states[index])
    return true
  }
}
