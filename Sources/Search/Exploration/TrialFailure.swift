import Requirements
import Text
import Verdicts

/// Why a run failed, so far as two runs can fail for the same reason: what was broken, and the sentence about it without its
/// numbers.
package struct TrialCause: Hashable, Sendable {
  /// What was broken, as references to requirements; empty for trouble of this harness.
  package let violated: [String]
  /// The sentence, with `#` for each number.
  package let outline: String

  package init(violated: [String], reason: String) {
    self.violated = violated
    outline = Self.outline(of: reason)
  }

  /// The ids of the requirements that were broken, each once.
  var requirements: [String] {
    var ids: [String] = []
    for id in violated.map(RequirementReference.id) where !ids.contains(id) { ids.append(id) }
    return ids
  }

  /// The text with every word that holds a digit replaced: numbers, addresses and identifiers differ from run to run.
  private static func outline(of reason: String) -> String {
    let words = reason.split(separator: " ").map { word in word.contains(where: \.isNumber) ? "#" : String(word) }
    return words.joined(separator: " ")
  }
}

/// How a run failed.
package struct TrialFailure: Hashable, Sendable {
  /// Why, for comparing.
  package let cause: TrialCause
  /// Why, in one sentence; it may hold text of a device.
  package let reason: String
  /// Whom it counts against.
  package let judges: JudgedParty
  /// What would have held, in one sentence.
  package let sentence: String

  /// What a report says of a failure; `nil` for a run in which nothing was found.
  ///
  /// Of several violations the first one counts: later ones may follow from it.
  init?(_ report: ScenarioReport) {
    let violations = report.findings.flatMap { finding in
      finding.violations.map { (finding.declaration.sentence, $0) }
    }
    if case .harnessError(let trouble) = report.verdict {
      self.init([], trouble.reason, .harness, "the bench itself does what it is declared to do")
    } else if let (sentence, first) = violations.min(by: { $0.1.instant < $1.1.instant }) {
      self.init([first.requirement], first.reason, first.judges, sentence)
    } else if let failure = report.verdict.failure {
      self.init(
        failure.violated, failure.reason, failure.judges, "everything that the recorder stores reaches the phone")
    } else {
      return nil
    }
  }

  package init(_ violated: [String], _ reason: String, _ judges: JudgedParty, _ sentence: String) {
    cause = TrialCause(violated: violated, reason: reason)
    self.reason = reason
    self.judges = judges
    self.sentence = sentence
  }
}
