import ScenarioLanguage
import Verdicts
import YAML

/// The fields of a qualification plan.
enum PlanFields {
  static let targets = Field<[QualificationPlan.Target]>(
    "targets", "The columns; those that the firmware allows unless stated.", default: [])
  static let requirements = Field<[PlanWord]>("requirements", "Ids of requirements; all unless stated.", default: [])
  static let scenarios = Field<[PlanWord]>(
    "scenarios", "Ids of scenarios, or patterns with * and ?; all unless stated.", default: [])
  static let updateFrom = Field<[PlanWord]>(
    "update-from", "Releases from which an update to this firmware is tried, a column for each.", default: [])
  static let seed = Field<Int>("seed", "The seed of all random choices.", default: 1).limited(to: 0...Int.max)
  static let known = Field<String?>("known", "The file of known defects.")
  static let repeats = Field<[RepeatEntry]>(
    "repeat", "Scenarios that are repeated until their failure rate is known.", default: [])
  static let waivers = Field<[WaiverEntry]>(
    "waivers", "Requirements that may be violated until a day.", default: [])
  static let quarantines = Field<[QuarantineEntry]>(
    "quarantine", "Flaky scenarios that are let be until a day.", default: [])

  static var group: FieldGroup {
    FieldGroup([targets, requirements, scenarios, updateFrom, seed, known, repeats, waivers, quarantines])
  }
}

/// A name that knows where it is written.
struct PlanWord: FieldGroupValue {
  static let name = Field<String>("name", "An id, or a pattern.")
  static var group: FieldGroup { FieldGroup([name], shorthand: name) }

  let text: String
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    text = arguments[Self.name]
    location = arguments.location(of: Self.name)
  }
}

/// Scenarios that are repeated, and what shall be found out.
struct RepeatEntry: FieldGroupValue {
  static let names = Field<[PlanWord]>("scenarios", "The scenarios that are repeated.")
  static let below = Field<Share>("below", "The failure rate that must not be reached.")
    .limited(to: Share(millionths: 100)...Share(percent: 90))
  static let aim = Field<Share?>("aim", "The failure rate of a good firmware; a quarter of `below` unless stated.")
  static let confidence = Field<Share>(
    "confidence", "How sure the answer must be.", default: Share(percent: 95))
  static let limit = Field<Int>("at-most", "No repetition begins after this many.", default: 1_000)
    .limited(to: 1...100_000)
  static let benchErrors = Field<Share>(
    "bench-errors", "The share of bench errors that ends the repetition.", default: Share(percent: 20)
  ).limited(to: Share(percent: 1)...Share(percent: 90))
  static var group: FieldGroup { FieldGroup([names, below, aim, confidence, limit, benchErrors]) }

  let scenarios: [PlanWord]
  /// `nil` where the numbers contradict each other.
  let question: SequentialTest.Question?
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    scenarios = arguments[Self.names]
    question = SequentialTest.Question(
      below: arguments[Self.below].millionths, aim: arguments[Self.aim]?.millionths,
      risk: 1_000_000 - arguments[Self.confidence].millionths, benchBound: arguments[Self.benchErrors].millionths,
      limit: arguments[Self.limit])
    location = arguments.location(of: Self.below)
  }
}

/// Who lets something pass, until when and why.
struct Grant {
  private static let by = Field<String>("by", "Who decided.")
  private static let untilField = Field<CivilDateTime>("until", "The last day on which it holds.")
  private static let why = Field<String>("why", "Why.")

  /// The fields of a grant for what `subject` names.
  static func group(for subject: Field<String>) -> FieldGroup { FieldGroup([subject, by, untilField, why]) }

  let author: String
  /// The last day, as `2026-12-31`.
  let until: String
  let reason: String

  init(_ arguments: Arguments) {
    author = arguments[Self.by]
    until = String(arguments[Self.untilField].description.prefix(10))
    reason = arguments[Self.why]
  }
}

/// One waiver.
struct WaiverEntry: FieldGroupValue {
  static let requirementField = Field<String>("requirement", "Id of the requirement.")
  static var group: FieldGroup { Grant.group(for: requirementField) }

  let requirement: String
  let grant: Grant
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    requirement = arguments[Self.requirementField]
    grant = Grant(arguments)
    location = arguments.location(of: Self.requirementField)
  }
}

/// One quarantine.
struct QuarantineEntry: FieldGroupValue {
  static let scenarioField = Field<String>("scenario", "The scenario, or a pattern with * and ?.")
  static var group: FieldGroup { Grant.group(for: scenarioField) }

  let scenario: String
  let grant: Grant
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    scenario = arguments[Self.scenarioField]
    grant = Grant(arguments)
    location = arguments.location(of: Self.scenarioField)
  }
}
