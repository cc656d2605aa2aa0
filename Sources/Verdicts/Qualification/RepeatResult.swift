/// The decision of a person to let a flaky scenario be, until a day.
package struct Quarantine: Hashable, Sendable, Codable {
  /// The scenario, or a pattern with `*` and `?`.
  package var scenario: String
  /// Who decided.
  package var grantedBy: String
  /// The last day on which it holds, as `2026-12-31`.
  package var until: String
  /// Why, in the words of the plan.
  package var reason: String

  package init(scenario: String, grantedBy: String, until: String, reason: String) {
    self.scenario = scenario
    self.grantedBy = grantedBy
    self.until = until
    self.reason = reason
  }

  /// Until when, by whom and why, as part of a sentence.
  package var sentence: String { "in quarantine until \(until) by \(grantedBy): \(reason)" }
}

/// What the repetitions of one scenario on one target come to.
package struct RepeatResult: Hashable, Sendable, Codable {
  /// How they ended.
  package enum Ending: String, Hashable, Sendable, Codable {
    /// Every repetition was good, and there were enough.
    case passed
    /// Some failed, but the failure rate is below the bound.
    case flaky
    /// The failure rate is too high.
    case failed
    /// The bench failed too often, or the limit came first.
    case notJudged
  }

  /// The scenario, with its cell.
  package var scenario: String
  /// The target.
  package var target: String
  /// What was to be found out.
  package var question: SequentialTest.Question
  /// What the test said at its end.
  package var decision: SequentialTest.Decision
  /// Repetitions in which the device was judged.
  package var judged: Int
  /// Those among them in which it failed.
  package var failed: Int
  /// Repetitions in which the bench failed.
  package var benchErrors: Int
  /// The quarantine that applies; `nil` where there is none, or it has expired.
  package var quarantine: Quarantine?

  /// What a test came to. `quarantine` is the one that still holds.
  package init(_ scenario: String, on target: String, _ test: SequentialTest, quarantine: Quarantine?) {
    self.scenario = scenario
    self.target = target
    self.question = test.question
    decision = test.decision
    judged = test.judged
    failed = test.failed
    benchErrors = test.benchErrors
    self.quarantine = quarantine
  }

  /// How they ended.
  package var ending: Ending {
    switch decision {
    case .below: failed == 0 ? .passed : .flaky
    case .above: .failed
    case .undecided, .benchUnusable, .exhausted: .notJudged
    }
  }

  /// Whether the firmware cannot be released with it: it fails too often, or now and then without a quarantine.
  package var isBad: Bool { ending == .failed || (ending == .flaky && quarantine == nil) }

  /// The result in one sentence.
  package var sentence: String {
    let counts =
      "\(failed) of \(judged) failed" + (benchErrors > 0 ? ", and the bench \(benchErrors) times" : "")
    let confidence = "with \(Self.percent(1_000_000 - question.risk)) % confidence"
    let bound = "\(Self.percent(question.bound)) % \(confidence)"
    switch ending {
    case .passed: return "\(counts); the failure rate is below \(bound)"
    case .flaky:
      return "\(counts); flaky, although below \(bound); \(quarantine?.sentence ?? "not in quarantine")"
    case .failed: return "\(counts); the failure rate is above \(Self.percent(question.aim)) % \(confidence)"
    case .notJudged:
      return decision == .benchUnusable
        ? "\(counts); the bench fails too often to learn anything" : "\(counts); not decided yet"
    }
  }

  /// Millionths in percent, exactly: `2.9` for 29,000.
  private static func percent(_ millionths: Int) -> String {
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String(10_000 + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
