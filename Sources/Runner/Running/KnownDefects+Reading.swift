import ScenarioLanguage
import Text
import Verdicts
import YAML

/// One entry of the file:
///
/// ```yaml
/// defects:
///   - requirement: DEV-5
///     scenarios: [transfer-slow, "battery-*"]
///     reason: the parameters of the connection are declined too late
///     since: 1.4.2
/// ```
struct KnownDefectEntry: FieldGroupValue {
  static let requirementField = Field<String>("requirement", "Id of the requirement that does not hold.")
  static let scenariosField = Field<[KnownScenario]>(
    "scenarios", "The scenarios in which it does not hold; every one that verifies it unless stated.", default: [])
  static let reasonField = Field<String>("reason", "Why that is accepted for now.")
  static let sinceField = Field<String?>("since", "The firmware, commit or date with which it was first seen.")
  static var group: FieldGroup { FieldGroup([requirementField, scenariosField, reasonField, sinceField]) }

  let requirement: String
  let scenarios: [KnownScenario]
  let reason: String
  let since: String?
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    requirement = arguments[Self.requirementField]
    scenarios = arguments[Self.scenariosField]
    reason = arguments[Self.reasonField]
    since = arguments[Self.sinceField]
    location = arguments.location(of: Self.requirementField)
  }
}

/// A scenario of an entry: its id, with or without its matrix cell, or a pattern with `*` and `?`.
struct KnownScenario: FieldGroupValue {
  static let nameField = Field<String>("name", "The id of a scenario, or a pattern with * and ?.")
  static var group: FieldGroup { FieldGroup([nameField], shorthand: nameField) }

  let name: String
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    name = arguments[Self.nameField]
    location = arguments.location(of: Self.nameField)
  }
}

extension KnownDefects {
  private static let defectsField = Field<[KnownDefectEntry]>("defects", "What the firmware is known to do wrong.")

  /// Reads a file of known defects; every mistake has its message.
  ///
  /// `requirements` are the ids of the catalogue, `scenarios` those that may be run. `others` finds further scenarios; it is
  /// asked only where the file names one that is not among them.
  package static func read(
    _ file: SourceFile, requirements: [String], scenarios: [Scenario], others: () -> [Scenario]
  ) -> (defects: KnownDefects?, diagnostics: [Diagnostic]) {
    let (arguments, diagnostics) = DocumentReader.read(
      file, as: FieldGroup([defectsField]), called: "a file of known defects")
    guard let arguments else { return (nil, diagnostics) }
    let top = SourceLocation(file: file.path, line: 1, column: 1)
    var problems = diagnostics
    var seen: [KnownDefect] = []
    var known = scenarios
    var hasAsked = false
    for entry in arguments[defectsField] {
      let place = entry.location ?? top
      if !requirements.contains(entry.requirement) {
        problems.append(
          Diagnostic(
            at: place, "unknown requirement `\(Wording.shortened(entry.requirement))`",
            expected: "an id of the catalogue, such as `\(requirements.first ?? "DEV-1")`",
            suggestion: Spelling.nearest(to: entry.requirement, among: requirements)))
      }
      for scenario in entry.scenarios {
        if !hasAsked, !matches(scenario, known) {
          known += others()
          hasAsked = true
        }
        if !matches(scenario, known) { problems.append(unknown(scenario, at: place, known)) }
      }
      let defect = KnownDefect(
        requirement: entry.requirement, scenarios: entry.scenarios.map(\.name), reason: entry.reason,
        since: entry.since, file: file.path, line: place.line)
      if let twin = seen.first(where: { $0.requirement == defect.requirement && $0.scenarios == defect.scenarios }) {
        problems.append(
          Diagnostic(
            at: place, "`\(defect.requirement)` is declared twice for the same scenarios, first in line \(twin.line)",
            expected: "every defect once"))
      }
      seen.append(defect)
    }
    return (problems.isEmpty ? KnownDefects(seen) : nil, problems)
  }

  private static func matches(_ scenario: KnownScenario, _ scenarios: [Scenario]) -> Bool {
    scenarios.contains(where: NamePattern(scenario.name).matches)
  }

  private static func unknown(
    _ scenario: KnownScenario, at place: SourceLocation, _ scenarios: [Scenario]
  ) -> Diagnostic {
    // A name with a cell is compared with names that have one.
    let names = scenarios.map { scenario.name.contains("[") ? $0.name : $0.id }
    return Diagnostic(
      at: scenario.location ?? place, "unknown scenario `\(Wording.shortened(scenario.name))`",
      expected: "the id of a scenario, with or without its cell, or a pattern with * and ?",
      suggestion: Spelling.nearest(to: scenario.name, among: names))
  }
}
