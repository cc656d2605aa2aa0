import ScenarioLanguage
import Verdicts

/// Which faults the suite must notice, and by what: `scenarios/faults.yaml`.
///
/// ```yaml
/// - {fault: recorder:list-count-off-by-one, scenario: records-count, requirement: APP-1.2.1}
/// ```
public struct FaultTable: Sendable {
  /// One fault, and who must notice it.
  public struct Row: Sendable {
    /// What is planted.
    public let fault: PlantedFault
    /// Id of the scenario that must fail.
    public let scenario: String
    /// Id of the requirement that must be named.
    public let requirement: String
    /// Where it is written, from 1.
    public let line: Int
  }

  /// What became of a row.
  public enum Outcome: Hashable, Sendable {
    /// A cell of the scenario failed and named the requirement; the cell, and why it failed.
    case noticed(String, String)
    /// Every cell passed, or failed for something else; the sentence says what.
    case missed(String)
  }

  /// The rows in order.
  public let rows: [Row]

  /// Reads a table. Throws with the line of a fault, field or scenario that does not exist.
  public init(_ bytes: [UInt8], scenarios: [Scenario]) throws(CatalogueFailure) {
    var rows: [Row] = []
    for entry in try FlatYAML(bytes).entries {
      guard let text = entry["fault"], let id = entry["scenario"], let requirement = entry["requirement"] else {
        throw CatalogueFailure(line: entry.line, "a row has `fault`, `scenario` and `requirement`")
      }
      guard let fault = PlantedFault(text) else {
        let nearest = Spelling.nearest(to: text, among: PlantedFault.names).map { "; did you mean `\($0)`?" } ?? ""
        throw CatalogueFailure(line: entry.line, "there is no fault `\(text)`\(nearest)")
      }
      guard scenarios.contains(where: { $0.id == id }) else {
        throw CatalogueFailure(line: entry.line, "there is no scenario `\(id)`")
      }
      rows.append(Row(fault: fault, scenario: id, requirement: requirement, line: entry.line))
    }
    self.rows = rows
  }

  /// Ids of scenarios that no row asks to notice anything: nothing shows that they can fail.
  public func untried(among scenarios: [Scenario]) -> [String] {
    var ids: [String] = []
    for scenario in scenarios where !ids.contains(scenario.id) && !rows.contains(where: { $0.scenario == scenario.id })
    {
      ids.append(scenario.id)
    }
    return ids
  }
}

extension FaultTable.Row {
  /// Plants the fault and runs the cells of the scenario until one notices.
  public func run(
    _ scenarios: [Scenario], _ settings: RunSettings, sounds: any SoundLibrary, firmware: any FirmwareLibrary
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
      if failure.requirement == requirement || (failure.requirement == nil && cell.requirements.contains(requirement)) {
        return .noticed(cell.name, failure.reason)
      }
      // A monitor of another requirement was first; the scenario notices if its own requirement is violated as well.
      if report.findings.contains(where: { $0.declaration.requirement == requirement && !$0.violations.isEmpty }) {
        return .noticed(cell.name, failure.reason)
      }
      seen.append("\(cell.name) failed for \(failure.requirement ?? "another reason"): \(failure.reason)")
    }
    return .missed(seen.prefix(3).joined(separator: "; "))
  }
}
