import Timeline

/// A claim of a scenario about what happens within a span of time: `eventually`, `never`, `until`, `always`.
///
/// It says `met` or `violated` once and is `pending` before and after.
package struct TemporalObserver: Observer {
  /// Whether an event is meant.
  package typealias Pattern = (ProductEvent) -> Bool

  private enum Claim {
    case eventually(Pattern)
    case never(Pattern)
    case neverUntil(Pattern, end: Pattern)
    case always(Pattern, holds: Pattern)
  }

  /// The events that the claim is about.
  package let interests: EventKinds
  /// When the claim is decided at the latest; `nil` once it is, and for one without an end.
  package private(set) var deadline: Instant?

  private let claim: Claim
  private let sentence: String

  private init(_ claim: Claim, _ sentence: String, until deadline: Instant?, of interests: EventKinds) {
    self.claim = claim
    self.sentence = sentence
    self.deadline = deadline
    self.interests = interests
  }

  /// A matching event happens by `deadline`.
  package static func eventually(
    _ sentence: String, by deadline: Instant, of interests: EventKinds = .all, where pattern: @escaping Pattern
  ) -> TemporalObserver {
    TemporalObserver(.eventually(pattern), sentence, until: deadline, of: interests)
  }

  /// No matching event happens before `deadline`.
  package static func never(
    _ sentence: String, before deadline: Instant, of interests: EventKinds = .all, where pattern: @escaping Pattern
  ) -> TemporalObserver {
    TemporalObserver(.never(pattern), sentence, until: deadline, of: interests)
  }

  /// No matching event happens before one that matches `end`, which itself happens by `deadline`.
  package static func never(
    _ sentence: String, until end: @escaping Pattern, by deadline: Instant, of interests: EventKinds = .all,
    where pattern: @escaping Pattern
  ) -> TemporalObserver {
    TemporalObserver(.neverUntil(pattern, end: end), sentence, until: deadline, of: interests)
  }

  /// Every matching event before `deadline`, or ever without one, satisfies `holds`.
  package static func always(
    _ sentence: String, before deadline: Instant?, of interests: EventKinds = .all, where pattern: @escaping Pattern,
    holds: @escaping Pattern
  ) -> TemporalObserver {
    TemporalObserver(.always(pattern, holds: holds), sentence, until: deadline, of: interests)
  }

  /// Whether the claim has been decided.
  package private(set) var isDecided = false

  /// Takes the next event: the claim may be decided by it.
  package mutating func observe(_ event: ProductEvent) -> Observation {
    guard !isDecided else { return .pending }
    switch claim {
    case .eventually(let pattern):
      return pattern(event) ? decide(.met) : .pending
    case .never(let pattern):
      return pattern(event)
        ? decide(.violated("\(sentence): happened at \(event.instant) s: \(event.who): \(event.happening.words)"))
        : .pending
    case .neverUntil(let pattern, let end):
      if pattern(event) {
        return decide(.violated("\(sentence): happened at \(event.instant) s: \(event.who): \(event.happening.words)"))
      }
      return end(event) ? decide(.met) : .pending
    case .always(let pattern, let holds):
      guard pattern(event), !holds(event) else { return .pending }
      return decide(
        .violated("\(sentence): did not hold at \(event.instant) s: \(event.who): \(event.happening.words)"))
    }
  }

  /// Takes the time: the deadline decides a claim that is still open.
  package mutating func reach(_ instant: Instant) -> Observation {
    guard !isDecided, let deadline, instant >= deadline else { return .pending }
    switch claim {
    case .eventually: return decide(.violated("\(sentence): did not happen by \(deadline) s"))
    case .neverUntil:
      return decide(.violated("\(sentence): the event that should end it did not happen by \(deadline) s"))
    case .never, .always: return decide(.met)
    }
  }

  private mutating func decide(_ observation: Observation) -> Observation {
    isDecided = true
    deadline = nil
    return observation
  }
}
