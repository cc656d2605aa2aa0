import World

/// How far a look at a bench, or at one thing of it, has come. There are exactly these three.
package enum Readiness: String, Hashable, Sendable, CaseIterable {
  /// It is not known yet, or was not looked at because something that it needs has failed.
  case checking
  /// A run may begin.
  case ready
  /// A run would fail for want of it; the finding says what to do.
  case failed
}

/// What was found out about one thing of a bench, in plain text.
package struct Finding: Hashable, Sendable {
  /// Whether a run may begin.
  package var outcome: Readiness
  /// What was found.
  package var found: String
  /// What to do, in one sentence; `nil` where there is nothing to do.
  package var advice: String?
  /// What identifies the thing, so that another one in its place is noticed.
  package var traits: [BenchTrait]

  private init(_ outcome: Readiness, _ found: String, _ advice: String?, _ traits: [BenchTrait]) {
    self.outcome = outcome
    self.found = found
    self.advice = advice
    self.traits = traits
  }

  /// It can be used, though there may be something to do about it.
  package static func ready(_ found: String, advice: String? = nil, traits: [BenchTrait] = []) -> Finding {
    Finding(.ready, found, advice, traits)
  }

  /// It cannot be used before that was done.
  package static func failed(_ found: String, advice: String, traits: [BenchTrait] = []) -> Finding {
    Finding(.failed, found, advice, traits)
  }

  /// It was not looked at.
  package static func checking(_ found: String) -> Finding { Finding(.checking, found, nil, []) }

  /// It failed; what to do is in the fault.
  package static func failed(_ fault: BenchFault) -> Finding {
    .failed(fault.problem, advice: fault.advice ?? "check it, and try again")
  }
}
