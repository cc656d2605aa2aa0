import Requirements
import ScenarioLanguage
import Text
import Timeline
import Verdicts
import YAML

/// A step that did not pass, with what is known of its failure.
struct BrokenStep: Sendable {
  let step: Step
  let outcome: StepOutcome
  /// The expectations that were not met.
  let mismatches: [Expectation.Mismatch]
  let instant: Instant
  /// What phones and recorders had said by then; `nil` where nobody follows it.
  let conversation: Conversation?

  init(
    step: Step, outcome: StepOutcome, mismatches: [Expectation.Mismatch], at instant: Instant,
    after conversation: Conversation?
  ) {
    self.step = step
    self.outcome = outcome
    self.mismatches = mismatches
    self.instant = instant
    self.conversation = conversation
  }

  /// The place of what was not met: the statement about a field, the event, or else the whole step.
  var location: SourceLocation {
    if let mismatch = mismatches.first { return mismatch.matcher.location }
    return switch step.action {
    case .eventually(let pattern, _), .never(let pattern, _): pattern.location
    case .perform, .either, .wait, .ask: step.location
    }
  }
}

/// Puts a failure into the words of reports.
struct AccountWords {
  let scenario: Scenario
  let sources: [SourceFile]

  /// The account of a step that did not pass.
  func account(of broken: BrokenStep) -> FailureAccount {
    let (expected, found) = statement(broken)
    let judged: JudgedParty? = if case .failed(_, let judged) = broken.outcome { judged } else { nil }
    return account(
      at: broken.location, who: party(broken.outcome, of: broken.step), blames: judged, what: what(broken),
      expected: expected, found: found)
  }

  /// The account of a requirement that a monitor saw violated. It shows the step that ran when it was seen.
  func account(of failure: DeviceFailure, after broken: BrokenStep?, _ findings: [MonitorFinding]) -> FailureAccount {
    // Several monitors may judge one requirement.
    let violated = findings.filter {
      failure.requirements.contains($0.declaration.requirement) && !$0.violations.isEmpty
    }
    let finding = violated.first { $0.violations.contains { $0.reason == failure.reason } } ?? violated.first
    let requirement = failure.subject
    return account(
      at: broken?.location ?? scenario.location, who: party(failure.judges), blames: failure.judges,
      what: broken.map { "requirement \(requirement), during `\($0.step.sentence)`" } ?? "requirement \(requirement)",
      expected: finding?.declaration.sentence ?? "no violation of \(requirement)",
      found: "\(failure.reason) (seen at \(failure.instant.milliseconds) s)")
  }

  private func account(
    at location: SourceLocation, who: String, blames: JudgedParty?, what: String, expected: String, found: String
  ) -> FailureAccount {
    let excerpt = sources.first { $0.path == location.file }.flatMap { SourceExcerpt($0, at: location) }
    return FailureAccount(
      place: location.description, excerpt: excerpt.map { [$0.line, $0.indent + $0.caret] } ?? [], who: who,
      blames: blames, what: what, expected: expected, found: found)
  }

  private func party(_ outcome: StepOutcome, of step: Step) -> String {
    switch outcome {
    case .failed(_, let judged): party(judged, of: step)
    case .benchError: "the bench"
    case .harnessError: "dictobench itself"
    case .blocked, .passed, .skipped: "the target"
    }
  }

  /// Who failed. Only a step says which of several it was; what a monitor found names them itself.
  private func party(_ judged: JudgedParty, of step: Step? = nil) -> String {
    switch judged {
    case .recorder: name("recorder", GivenDevice.declaration, step)
    case .phone: name("phone", GivenPhone.declaration, step)
    case .pair: "the recorder or the phone"
    case .harness: "dictobench itself"
    }
  }

  private func name(_ kind: String, _ section: GivenDeclaration, _ step: Step?) -> String {
    let names = scenario.given.sections(of: section).map(\.name)
    guard names.count > 1 else { return "the \(kind)" }
    return step?.actor(of: section, among: names).map { "the \(kind) \($0)" } ?? "one of the \(kind)s"
  }

  /// An event with the values that are asked of it: `phone.status with status secured`.
  private func text(_ pattern: EventPattern) -> String {
    let values = pattern.matchers.map { "\($0.field.name) \($0.plainSentence)" }
    return pattern.declaration.name + (values.isEmpty ? "" : " with " + values.joined(separator: " and "))
  }

  private func what(_ broken: BrokenStep) -> String {
    switch broken.step.action {
    case .perform(let call):
      guard let mismatch = broken.mismatches.first else { return "`\(broken.step.sentence)`" }
      let field = mismatch.matcher.field
      let meaning = field.documentation.hasSuffix(".") ? String(field.documentation.dropLast()) : field.documentation
      return "`\(field.name)` of \(call.declaration.actor.rawValue) `\(call.declaration.name)`: \(meaning)"
    case .eventually, .either, .never, .wait, .ask: return "`\(broken.step.sentence)`"
    }
  }

  private func statement(_ broken: BrokenStep) -> (expected: String, found: String) {
    let reason = broken.outcome.reason ?? ""
    if !broken.mismatches.isEmpty {
      let several = broken.mismatches.count > 1
      func list(_ text: (Expectation.Mismatch) -> String) -> String {
        broken.mismatches.map { several ? "\($0.matcher.field.name) \(text($0))" : text($0) }.joined(separator: ", ")
      }
      return (list { $0.matcher.plainSentence }, list(\.plainFinding))
    }
    switch broken.step.action {
    case .perform(let call):
      let limit = DurationText.precise(.nanoseconds(call.deadline.wholeNanoseconds))
      let success = call.failureWords.map { "failure \($0)" } ?? "success"
      return ("\(success), within \(limit)", reason)
    case .eventually(let pattern, let limit):
      return ("\(text(pattern)) within \(DurationText.precise(limit))", reason)
    case .either(let patterns, let limit):
      return ("\(patterns.map(text).joined(separator: ", or ")) within \(DurationText.precise(limit))", reason)
    case .never(let pattern, _): return ("no \(text(pattern))", reason)
    case .wait: return ("no violation meanwhile", reason)
    case .ask: return ("the answer yes", reason)
    }
  }
}

extension Step {
  /// Whose step it is, of those whom a section names; `nil` where it does not say, or it is somebody else's.
  fileprivate func actor(of section: GivenDeclaration, among names: [String]) -> String? {
    switch action {
    case .perform(let call): section.actor == call.declaration.actor ? call.performer ?? names.first : nil
    case .eventually(let pattern, _), .never(let pattern, _): names.first { $0 == pattern.subject }
    case .either, .wait, .ask: nil
    }
  }
}
