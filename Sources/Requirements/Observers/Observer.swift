import Timeline

/// What an observer concludes from an event.
public enum Observation: Hashable, Sendable {
  /// Undecided: it continues to watch.
  case pending
  /// The claim held, once.
  case met
  /// The claim did not hold; the sentence says why.
  case violated(String)
}

/// Watches events and time, and says whether a claim about them holds.
///
/// Temporal assertions of a scenario and the monitors of requirements are both observers. Nothing polls one: it is
/// told every event it is interested in and, once, that its deadline has come.
public protocol Observer {
  /// The events it wants to see.
  var interests: EventKinds { get }
  /// When it wants to be told the time next; `nil` when only events matter.
  var deadline: Instant? { get }
  /// Takes the next event. The caller has told a deadline before any event that is later.
  mutating func observe(_ event: ProductEvent) -> Observation
  /// Takes the time, which has reached ``deadline``.
  mutating func reach(_ instant: Instant) -> Observation
}
