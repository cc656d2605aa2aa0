import Bench
import Timeline

/// A claim about sensed events, and who waits for its outcome.
final class SensedWatcher {
  /// What is known of the claim. A ban that held so far may turn out not to have been observable.
  private(set) var outcome = SensedClaim.Outcome.pending
  /// The earliest instant of the certain event that decided it; `nil` for none.
  private(set) var decidedBy: Instant?
  /// Told once, when it is decided.
  var onDecided: ((SensedClaim.Outcome) -> Void)?

  private var claim: SensedClaim
  private let matches: (SensedEvent) -> Bool
  /// What ends a ban; `nil` for its time alone.
  private let ends: ((SensedEvent) -> Bool)?

  init(_ claim: SensedClaim, ends: ((SensedEvent) -> Bool)? = nil, where matches: @escaping (SensedEvent) -> Bool) {
    self.claim = claim
    self.ends = ends
    self.matches = matches
  }

  /// When nothing that is seen later changes the outcome.
  var lastInstant: Instant { claim.lastInstant }

  /// Takes what was seen.
  func observe(_ event: SensedEvent) {
    if matches(event) {
      var new =
        event.isCertain
        ? claim.take(from: event.earliest, to: event.event.instant, by: event.sensor)
        : claim.takeDoubtful(from: event.earliest, to: event.event.instant, by: event.sensor)
      if ends != nil, outcome == .pending, case .violated = new {
        // What ends the ban may have happened before, and be seen later.
        new = .unobservable(
          "it cannot be told what came first: the event that is forbidden, or the one that ends the ban")
      }
      if new != .pending {
        if outcome == .pending { decidedBy = event.earliest }
        decide(new)
      }
    } else if outcome == .pending, let ends, ends(event) {
      // What happened before the end may still be seen after it.
      claim.end(at: event.event.instant)
      decide(claim.conclude())
    }
  }

  /// A ban ends now.
  func end(at instant: Instant) {
    claim.end(at: instant)
    decide(claim.conclude())
  }

  /// Nothing was seen for as long as it takes.
  func conclude() { decide(claim.conclude()) }

  /// The time of a ban with an end by another event is over, and the other event was not seen.
  func expire(_ reason: SensedClaim.Outcome) { decide(reason) }

  private func decide(_ new: SensedClaim.Outcome) {
    switch outcome {
    case .pending:
      outcome = new
      onDecided?(new)
    // A ban that held, as far as was seen.
    case .holds: if case .holds = new {} else { outcome = new }
    case .violated, .unobservable: break
    }
  }
}
