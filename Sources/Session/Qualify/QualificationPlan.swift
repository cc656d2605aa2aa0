import ScenarioLanguage
import Text
import Verdicts
import YAML

/// What a release has to show: the file of `qualify --plan`.
///
/// ```yaml
/// targets: [image, hardware]
/// requirements: [DEV-1, DEV-5]
/// scenarios: ["transfer-*", "recording-*"]
/// known: known.yaml
/// update-from: [1.4.0]
/// repeat:
///   - {scenarios: ["transfer-*"], below: 2 %, confidence: 95 %}
/// waivers:
///   - {requirement: DEV-5, by: A. Person, until: 2026-12-31, why: the label is mended in 1.5}
/// quarantine:
///   - {scenario: pairing-window, by: A. Person, until: 2026-12-31, why: the bench's clock drifts}
/// ```
package struct QualificationPlan: Sendable {
  /// A target that may be a column.
  package enum Target: String, FieldChoice, Sendable {
    /// A simulated recorder that behaves like the firmware.
    case modelled
    /// The firmware image, executed.
    case image
    /// A real recorder on a bench.
    case hardware
  }

  /// Scenarios that are repeated until enough is known.
  package struct Repeat: Sendable {
    /// Which ones.
    package var scenarios: [NamePattern]
    /// What shall be found out.
    package var question: SequentialTest.Question
  }

  /// A release from which an update is tried.
  package struct UpdateSource: Hashable, Sendable {
    /// Its name in the catalogue of firmware.
    package let release: String
    /// Where it is written, as `file:line`.
    package let place: String
  }

  /// The file, as the command line names it.
  package let file: String
  /// The columns; empty for those that the firmware allows.
  package let targets: [Target]
  /// Ids of the requirements; empty for all.
  package let requirements: [String]
  /// Patterns of the scenarios; empty for all.
  package let scenarios: [NamePattern]
  /// Releases from which an update is tried.
  package let updateSources: [UpdateSource]
  /// The seed of all random choices.
  package let seed: UInt64
  /// The file of known defects; `nil` for none.
  package let known: String?
  /// Scenarios that are repeated.
  package let repeats: [Repeat]
  /// What is shipped although it is violated.
  package let waivers: [Waiver]
  /// Flaky scenarios that are let be.
  package let quarantines: [Quarantine]

  /// Reads a plan; every mistake has its message. `requirements` are the ids of the catalogue, `scenarios` those that can
  /// be run, and `releases` the names of the known firmware.
  package static func read(
    _ file: SourceFile, requirements: [String], scenarios: [Scenario], releases: [String]
  ) -> (plan: QualificationPlan?, diagnostics: [Diagnostic]) {
    let (arguments, diagnostics) = DocumentReader.read(file, as: PlanFields.group, called: "a qualification plan")
    guard let arguments else { return (nil, diagnostics) }
    var checker = PlanChecker(
      file: file.path, requirements: requirements, scenarios: scenarios, releases: releases)
    let plan = QualificationPlan(file.path, arguments, &checker)
    let problems = diagnostics + checker.problems
    return (problems.isEmpty ? plan : nil, problems)
  }

  private init(_ file: String, _ arguments: Arguments, _ checker: inout PlanChecker) {
    self.file = file
    targets = arguments[PlanFields.targets]
    let top = SourceLocation(file: file, line: 1, column: 1)
    requirements = arguments[PlanFields.requirements].map { item in
      checker.checkRequirement(item.text, item.location ?? top)
      return item.text
    }
    scenarios = arguments[PlanFields.scenarios].map { item in
      checker.checkScenario(item.text, item.location ?? top)
      return NamePattern(item.text)
    }
    updateSources = arguments[PlanFields.updateFrom].map { item in
      let place = item.location ?? top
      checker.checkRelease(item.text, place)
      return UpdateSource(release: item.text, place: "\(file):\(place.line)")
    }
    seed = UInt64(arguments[PlanFields.seed])
    known = arguments[PlanFields.known]
    repeats = arguments[PlanFields.repeats].compactMap { entry in
      for item in entry.scenarios { checker.checkScenario(item.text, item.location ?? entry.location ?? top) }
      guard let question = entry.question else {
        checker.refuseQuestion(entry.location ?? top)
        return nil
      }
      return Repeat(scenarios: entry.scenarios.map { NamePattern($0.text) }, question: question)
    }
    waivers = arguments[PlanFields.waivers].map { entry in
      let place = entry.location ?? top
      checker.checkRequirement(entry.requirement, place)
      return Waiver(
        requirement: entry.requirement, grantedBy: entry.grant.author, until: entry.grant.until,
        reason: entry.grant.reason, place: "\(file):\(place.line)")
    }
    quarantines = arguments[PlanFields.quarantines].map { entry in
      checker.checkScenario(entry.scenario, entry.location ?? top)
      return Quarantine(
        scenario: entry.scenario, grantedBy: entry.grant.author, until: entry.grant.until,
        reason: entry.grant.reason)
    }
  }

  /// The waivers and quarantines that no longer hold on a day, a sentence each.
  package func expired(on today: String) -> [String] {
    waivers.filter { $0.isExpired(on: today) }.map {
      "the waiver of \($0.requirement) (\($0.place)) expired on \($0.until); a violation counts again"
    }
      + quarantines.filter { $0.until < today }.map {
        "the quarantine of \($0.scenario) expired on \($0.until); a flaky result counts again"
      }
  }

  /// What shall be found out by repeating a scenario; `nil` where it runs once.
  func question(about scenario: Scenario) -> SequentialTest.Question? {
    repeats.first { $0.scenarios.contains { $0.matches(scenario) } }?.question
  }

  /// The quarantine of a scenario that holds on a day.
  func quarantine(of scenario: Scenario, on today: String) -> Quarantine? {
    quarantines.first { $0.until >= today && NamePattern($0.scenario).matches(scenario) }
  }

  /// The scenarios of the plan: those that are named, and verify one of its requirements.
  package func select(_ all: [Scenario]) -> [Scenario] {
    var selection = Selection()
    selection.names = scenarios
    selection.requirements = requirements
    return selection.select(all)
  }
}

extension QualificationPlan {
  /// The scenarios that update a recorder from one release to another: the cells whose matrix binds `from` and `to` to
  /// them. Of the plan only the requirements choose among them.
  package func updates(from old: String, to new: String, in all: [Scenario]) -> [Scenario] {
    var selection = Selection()
    selection.requirements = requirements
    return selection.select(all).filter { scenario in
      func value(_ name: String) -> String? { scenario.cell.bindings.first { $0.name == name }?.text }
      return value("from") == old && value("to") == new
    }
  }
}

/// Finds what a plan names and nobody knows.
private struct PlanChecker {
  let file: String
  let requirements: [String]
  let scenarios: [Scenario]
  let releases: [String]
  var problems: [Diagnostic] = []

  mutating func checkRequirement(_ id: String, _ place: SourceLocation) {
    guard !requirements.contains(id) else { return }
    problems.append(
      Diagnostic(
        at: place, "unknown requirement `\(Wording.shortened(id))`",
        expected: "an id of the catalogue, such as `\(requirements.first ?? "DEV-1")`",
        suggestion: Spelling.nearest(to: id, among: requirements)))
  }

  mutating func checkScenario(_ name: String, _ place: SourceLocation) {
    guard !scenarios.contains(where: NamePattern(name).matches) else { return }
    problems.append(
      Diagnostic(
        at: place, "unknown scenario `\(Wording.shortened(name))`",
        expected: "the id of a scenario, with or without its cell, or a pattern with * and ?",
        suggestion: Spelling.nearest(to: name, among: scenarios.map { name.contains("[") ? $0.name : $0.id })))
  }

  mutating func checkRelease(_ name: String, _ place: SourceLocation) {
    guard !releases.contains(name) else { return }
    problems.append(
      Diagnostic(
        at: place, "unknown release `\(Wording.shortened(name))`",
        expected: "the name of a release, as `dictobench dfu releases` lists it",
        suggestion: Spelling.nearest(to: name, among: releases)))
  }

  mutating func refuseQuestion(_ place: SourceLocation) {
    problems.append(
      Diagnostic(
        at: place, "this cannot be found out by repeating",
        expected: "`aim` between 0 % and `below`, and `confidence` above 50 % and below 100 %"))
  }
}
