import ScenarioLanguage
import Text
import Verdicts
import YAML

/// Which faults the suite must notice, and by what: `scenarios/faults.yaml`.
///
/// ```yaml
/// - {fault: recorder:list-count-off-by-one, scenario: records-count, requirement: APP-1.2.1}
/// ```
///
/// A row without `requirement` asks only that the scenario fails.
package struct FaultTable: Sendable {
  /// One fault, and who must notice it.
  package struct Row: Sendable {
    /// The planted fault.
    package let fault: PlantedFault
    /// Id of the scenario that must fail.
    package let scenario: String
    /// Id of the requirement that must be violated, by its monitor or by an assertion that is marked for it; `nil` where
    /// it is enough that the scenario fails.
    package let requirement: String?
    /// Where it is written.
    package let location: SourceLocation
  }

  /// Whether the fault of a row was detected.
  package enum Outcome: Hashable, Sendable {
    /// A cell of the scenario failed and named the requirement; the cell, and why it failed.
    case noticed(String, String)
    /// Every cell passed, or failed for something else or without the fault as well; the sentence says what.
    case missed(String)
  }

  /// The rows in order.
  package let rows: [Row]

  /// Reads a table. Throws the place of a fault, a field or a scenario that does not exist. Where only some scenarios
  /// are at hand (`isPart`), rows about others are left out.
  package init(_ file: SourceFile, scenarios: [Scenario], isPart: Bool = false) throws(YAMLProblem) {
    var rows: [Row] = []
    for row in try YAMLTable(file).rows {
      if isPart, let id = row["scenario"], !scenarios.contains(where: { $0.id == id.value }) { continue }
      rows.append(try Self.row(row, scenarios))
    }
    self.rows = rows
  }

  /// Every fault there is, with each of these scenarios.
  package init(everyFaultWith scenarios: [Scenario]) {
    var known: [String] = []
    var rows: [Row] = []
    for scenario in scenarios where !known.contains(scenario.id) {
      known.append(scenario.id)
      rows += PlantedFault.all.map {
        Row(fault: $0, scenario: scenario.id, requirement: nil, location: scenario.location)
      }
    }
    self.rows = rows
  }

  private static func row(_ row: YAMLTable.Row, _ scenarios: [Scenario]) throws(YAMLProblem) -> Row {
    func field(_ name: String) throws(YAMLProblem) -> YAMLTable.Field {
      guard let field = row[name] else {
        throw YAMLProblem(at: row.location, "the row has no `\(name)`", expected: Wording.choices(fields))
      }
      return field
    }
    if let other = row.fields.first(where: { !fields.contains($0.key) }) {
      throw YAMLProblem(
        at: other.keyLocation, "a row has no field `\(Wording.shortened(other.key))`",
        expected: Wording.choices(fields),
        suggestion: Spelling.nearest(to: other.key, among: fields))
    }
    let (text, id, requirement) = (try field("fault"), try field("scenario"), row["requirement"])
    guard let fault = PlantedFault(text.value) else {
      throw YAMLProblem(
        at: text.location, "unknown fault `\(Wording.shortened(text.value))`",
        expected: Wording.choices(PlantedFault.names),
        suggestion: Spelling.nearest(to: text.value, among: PlantedFault.names))
    }
    guard scenarios.contains(where: { $0.id == id.value }) else {
      throw YAMLProblem(
        at: id.location, "unknown scenario `\(Wording.shortened(id.value))`", expected: "the id of a scenario",
        suggestion: Spelling.nearest(to: id.value, among: scenarios.map(\.id)))
    }
    if let requirement, !RequirementCatalogue.isIdentifier(requirement.value) {
      throw YAMLProblem(
        at: requirement.location, "`\(Wording.shortened(requirement.value))` is not a requirement",
        expected: "an id such as `APP-1.2.1`")
    }
    return Row(fault: fault, scenario: id.value, requirement: requirement?.value, location: row.location)
  }

  private static let fields = ["fault", "scenario", "requirement"]

  /// Ids of scenarios that no row asks to notice anything: nothing shows that they can fail.
  package func untried(among scenarios: [Scenario]) -> [String] {
    var ids: [String] = []
    for scenario in scenarios where !ids.contains(scenario.id) && !rows.contains(where: { $0.scenario == scenario.id })
    {
      ids.append(scenario.id)
    }
    return ids
  }
}

extension FaultTable.Row {
  /// Plants the fault and runs the cells of the scenario until one notices, which one that fails without the fault cannot.
  package func run(
    _ scenarios: [Scenario], _ settings: RunSettings, besides unfaulted: UnfaultedRuns, sounds: any SoundLibrary,
    firmware: any FirmwareLibrary
  ) -> FaultTable.Outcome {
    var settings = settings
    settings.faults = [fault]
    var seen: [String] = []
    for cell in scenarios where cell.id == scenario {
      let report = ScenarioRun(cell, settings, sounds: sounds, firmware: firmware).run()
      guard case .failed(let failure) = report.verdict else {
        seen.append("\(cell.name) \(report.verdict.kind.rawValue)")
        continue
      }
      guard unfaulted.passes(cell) else {
        seen.append(UnfaultedRuns.sentence(cell))
        continue
      }
      guard let requirement else { return .noticed(cell.name, failure.reason) }
      if settings.onlyMonitorsJudge {
        let finding = report.findings.first { $0.declaration.requirement == requirement && !$0.violations.isEmpty }
        if let violation = finding?.violations.first { return .noticed(cell.name, violation.reason) }
        seen.append("\(cell.name) violated \(failure.violated.joined(separator: " ")): \(failure.reason)")
        continue
      }
      if failure.requirements.contains(requirement) { return .noticed(cell.name, failure.reason) }
      // A monitor of another requirement was first; the scenario notices if its own requirement is violated as well.
      if report.findings.contains(where: { $0.declaration.requirement == requirement && !$0.violations.isEmpty }) {
        return .noticed(cell.name, failure.reason)
      }
      seen.append("\(cell.name) failed for \(failure.subject): \(failure.reason)")
    }
    return .missed(seen.prefix(3).joined(separator: "; "))
  }
}
