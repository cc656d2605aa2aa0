import Requirements
import Runner
import Text
import Verdicts

/// Why a run failed, so far as two runs can fail for the same reason: what was broken, and the sentence about it without its
/// numbers, and without where the program was when it was seen.
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

  /// The text without the place in a program, and with every word that holds a digit replaced: numbers, addresses and
  /// identifiers differ from run to run.
  private static func outline(of reason: String) -> String {
    let words = FailureCause.withoutPlace(reason).split(separator: " ").map { word in
      word.contains(where: \.isNumber) ? "#" : String(word)
    }
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

  /// What a report says of failures, besides those that are known; empty for a run in which nothing was found.
  ///
  /// Of several violations the first one counts: later ones may follow from it. What a chip does wrong inside counts beside
  /// it, because the conversation goes on as before.
  static func all(in report: ScenarioReport, besides known: KnownDefects) -> [TrialFailure] {
    if case .harnessError(let trouble) = report.verdict {
      return [TrialFailure([], trouble.reason, .harness, "the bench itself does what it is declared to do")]
    }
    let violations = report.findings.filter { !known.declares($0.declaration.requirement, in: report) }
      .flatMap { finding in finding.violations.map { (sentence: finding.declaration.sentence, violation: $0) } }
      .sorted { $0.violation.instant < $1.violation.instant }
    let failures = violations.map { sentence, violation in
      TrialFailure([violation.requirement], violation.reason, violation.judges, sentence)
    }
    var found: [TrialFailure] = []
    for failure in failures where !failure.endsSteps && !found.contains(where: { $0.cause == failure.cause }) {
      found.append(failure)
    }
    if let first = failures.first(where: \.endsSteps) { return found + [first] }
    guard case .failed(let failure) = report.verdict else { return found }
    let step = TrialFailure(
      failure.violated, failure.reason, failure.judges, "everything that the recorder stores reaches the phone")
    return step.endsSteps ? found + [step] : found
  }

  /// Whether what follows it says little; `false` for what a chip does wrong inside.
  package var endsSteps: Bool {
    cause.violated.isEmpty || !cause.violated.allSatisfy(RequirementReference.isOfImage)
  }

  package init(_ violated: [String], _ reason: String, _ judges: JudgedParty, _ sentence: String) {
    cause = TrialCause(violated: violated, reason: reason)
    self.reason = reason
    self.judges = judges
    self.sentence = sentence
  }
}
