import Bytes
import Text
import Timeline
import Verdicts

/// What happened in one scenario, in the words and the order of every report.
///
/// Each text may hold what a device or a file said; whoever renders it makes it safe for its own format.
package struct ScenarioStory: Sendable {
  /// Last steps of the conversation shown of a scenario that did not pass.
  static let eventLimit = 10
  /// Violations shown besides the one that decided the verdict.
  private static let violationLimit = 8

  /// One line of the story: what it is about, and what there is to say.
  package struct Line: Hashable, Sendable {
    /// What it is about, in one or two words.
    package var label: String
    /// What there is to say.
    package var text: String

    init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }

    /// `label: text`.
    package var sentence: String { "\(label): \(text)" }
  }

  /// The exact values.
  package let report: ScenarioReport
  /// Whether the scenario ran in virtual time.
  package let isSimulated: Bool

  init(_ report: ScenarioReport, isSimulated: Bool) {
    self.report = report
    self.isSimulated = isSimulated
  }

  /// The kind of its verdict.
  package var kind: Verdict.Kind { report.verdict.kind }
  /// Its id with its matrix cell.
  package var name: String { report.name }
  /// The same with the numbers of the repetition, from 0, and of the retry, where it is not the first attempt of all.
  var attemptName: String {
    let (turn, retry) = (AttemptNumber.turn(of: report.repetition), AttemptNumber.retry(of: report.repetition))
    let words = [turn > 0 ? "repetition \(turn)" : nil, retry > 0 ? "retry \(retry)" : nil].compactMap { $0 }
    return words.isEmpty ? name : "\(name) (\(words.joined(separator: ", ")))"
  }
  /// Why it did not pass; empty where it did.
  package var reason: String { report.verdict.reason ?? "" }
  /// The requirement that was broken, or the first of several; `nil` where none is known.
  package var requirement: String? { report.verdict.failure?.requirements.first }
  /// The reason, after what was broken; a failure that cannot be attributed says so.
  package var headline: String { (report.verdict.failure.map { "\($0.subject): " } ?? "") + reason }
  /// The first step that did not pass.
  package var firstFailure: StepReport? { report.steps.first { $0.outcome.isTrouble } }
  /// The last events before the failure, oldest first.
  package var lastEvents: [String] { report.lastEvents.suffix(Self.eventLimit) }

  /// Where the failure is written, or the line that declares a defect which did not show; else where the scenario begins.
  package var place: (file: String, line: String) {
    if case .mended(let defect) = report.verdict { return (defect.file, String(defect.line)) }
    if let place = report.verdict.failure?.place, let colon = place.lastIndex(of: ":") {
      return (String(place[..<colon]), String(place[place.index(after: colon)...]))
    }
    if let step = firstFailure { return (step.file, String(step.line)) }
    return (report.file, String(report.line))
  }

  /// Violations besides the one that decided the verdict, the first of each requirement.
  package var furtherViolations: [MonitorViolation] {
    let told = report.verdict.failure?.requirements ?? []
    return report.findings.compactMap(\.violations.first).filter { !told.contains($0.requirement) }
  }

  /// Why it did not pass, and where; empty where it passed.
  package var failure: [Line] {
    guard kind != .passed else { return [] }
    return statement + others + open + difference
  }

  /// Where the failure is written, who failed, what was expected and what was found.
  package var statement: [Line] {
    var lines: [Line] = []
    let failure = report.verdict.failure
    if let account = report.account {
      lines.append(Line("at", account.place))
      lines.append(Line("who", account.who))
      lines.append(Line("what", account.what))
      if let step = firstFailure, !account.what.contains(step.sentence) { lines.append(Line("step", step.sentence)) }
      lines.append(Line("expected", account.expected))
      lines.append(Line("found", account.found))
      if let failure { lines.append(Line("violated", Self.violated(failure))) }
    } else {
      if let failure {
        lines.append(Line("violated", Self.violated(failure)))
        lines.append(Line("judges", failure.judges.rawValue))
      }
      lines.append(Line("reason", reason))
      lines.append(Line("at", "\(place.file):\(place.line)"))
      if let step = firstFailure { lines.append(Line("step", "\(step.sentence) (\(outcome(of: step)))")) }
    }
    if let failure {
      lines.append(Line(isSimulated ? "virtual time" : "time of the scenario", "\(failure.instant) s"))
    }
    return lines
  }

  private static func violated(_ failure: DeviceFailure) -> String {
    failure.violated.isEmpty ? "no known requirement (\(failure.subject))" : failure.subject
  }

  /// What somebody still owed when it ended.
  package var open: [Line] { report.account?.open.map { Line("open", $0) } ?? [] }

  /// Where the run first went another way than one that passes.
  package var difference: [Line] {
    guard let difference = report.account?.difference else { return [] }
    return [
      Line("first difference", "until \(difference.until) s the same as \(difference.other); then"),
      Line("here", difference.here), Line("there", difference.there),
    ]
  }

  /// What else went wrong.
  package var others: [Line] {
    var lines: [Line] = []
    lines += furtherViolations.prefix(Self.violationLimit).map { violation in
      Line("also violated", "\(violation.requirement): \(violation.reason), at \(violation.instant) s")
    }
    if report.attempts.count > 1 {
      lines.append(Line("attempts", report.attempts.map(\.kind.rawValue).joined(separator: ", ")))
    }
    return lines
  }

  /// How a step ended, with its reason where the verdict has another one.
  private func outcome(of step: StepReport) -> String {
    guard let why = step.outcome.reason, !why.contains(reason) else { return step.outcome.word }
    return "\(step.outcome.word): \(why)"
  }

  /// What else is worth knowing, whatever the verdict: the bench, its operator, the answers.
  package var notes: [Line] {
    var lines: [Line] = []
    if let bench = report.bench { lines.append(Line("on bench", bench)) }
    if let recovery = report.recovery { lines.append(Line("bench", recovery)) }
    if let leftover = report.leftover { lines.append(Line("bench", leftover)) }
    lines += report.prompts.map { prompt in
      let answer = prompt.answered.map { "answered after \(DurationText.text(prompt.asked.duration(to: $0)))" }
      let words = prompt.answer.map { ": \($0)" } ?? ""
      return Line("operator", "\(prompt.text) (\(answer ?? "not answered")\(words))")
    }
    lines += report.steps.filter { !$0.seenBy.isEmpty }.map { step in
      Line("seen by", "\(step.seenBy.joined(separator: " and ")): \(step.sentence)")
    }
    lines += report.answers.map { answer in
      Line(
        "answer",
        "\(answer.question) `\(answer.text)`, \(answer.isYes ? "yes" : "no"), \(UTCTime.text(answer.answeredAt))")
    }
    return lines
  }

  /// How to look at it again.
  package var again: [Line] {
    (report.capture.map { [Line("capture", $0)] } ?? []) + [Line("replay", report.replay)]
  }

  /// Scenarios that neither passed nor failed as declared, what matters most first.
  static func byWeight(_ stories: [ScenarioStory]) -> [ScenarioStory] {
    let order: [Verdict.Kind] = [.failed, .mended, .harnessError, .benchError, .flaky, .blocked]
    return order.flatMap { kind in stories.filter { $0.kind == kind } }
  }
}
