import Recorder
import Runner
import ScenarioLanguage
import Verdicts

/// Faults that nobody wrote: each is looked for with the whole suite until a scenario notices it, and each weakening of a
/// monitor with the rows of the fault table that the whole monitor notices.
struct GeneratedMutation {
  private let scenarios: [Scenario]
  private let table: FaultTable
  private let settings: RunSettings
  private let jobs: Int
  private let sounds = SoundFiles()
  private let firmware = FirmwareFiles()
  /// What scenarios come to without a fault, and what they come to when monitors judge alone.
  private let unfaulted: UnfaultedRuns
  private let unfaultedByMonitors: UnfaultedRuns

  /// What became of one fault.
  private enum Outcome {
    case noticed(scenario: String, reason: String)
    case missed
  }

  /// A violation that the whole monitors found in a row of the table.
  private struct Evidence {
    let fault: PlantedFault
    let scenario: Scenario
    let claims: [String]
  }

  init(_ scenarios: [Scenario], _ table: FaultTable, _ settings: RunSettings, jobs: Int) {
    self.scenarios = scenarios
    self.table = table
    self.settings = settings
    self.jobs = jobs
    unfaulted = UnfaultedRuns(settings, sounds: sounds, firmware: firmware)
    var settings = settings
    settings.onlyMonitorsJudge = true
    unfaultedByMonitors = UnfaultedRuns(settings, sounds: sounds, firmware: firmware)
  }

  /// What fails without a fault, of what was tried so far, a sentence each.
  var unfaultedFailures: [String] {
    let failures = unfaulted.failures(among: scenarios)
    return failures + unfaultedByMonitors.failures(among: scenarios).filter { !failures.contains($0) }
  }

  /// The faults whose name or subject contains a text; all without one.
  static func faults(containing part: String?) -> [GeneratedFault] {
    guard let part else { return GeneratedFault.all }
    return GeneratedFault.all.filter { $0.name.contains(part) || $0.subject.contains(part) }
  }

  /// Tries every fault that somebody could notice, and tells of each; `part` keeps those whose name or subject contains
  /// it.
  func run(only part: String?, _ tell: (String) -> Void) -> MutationScore {
    let faults = Self.faults(containing: part)
    let evidence = faults.contains { $0.weakening != nil && $0.equivalence == nil } ? evidence() : []
    let outcomes = ParallelRuns(jobs: jobs).run(faults.count) { index in
      faults[index].equivalence == nil ? outcome(of: faults[index], evidence) : .missed
    }
    var score = MutationScore()
    for (fault, outcome) in zip(faults, outcomes) {
      if let reason = fault.equivalence {
        score.leaveOut(fault: fault.name, subject: fault.subject, reason: reason)
        tell("same     \(fault.name): \(reason)")
        continue
      }
      switch outcome {
      case .noticed(let scenario, let reason)?:
        score.add(
          fault: fault.name, subject: fault.subject, requirement: fault.requirement, scenario: scenario,
          isNoticed: true)
        tell("noticed  \(fault.name)  by \(scenario): \(reason)")
      case .missed?, nil:
        score.add(
          fault: fault.name, subject: fault.subject, requirement: fault.requirement, scenario: "", isNoticed: false)
        tell("MISSED   \(fault.name)")
      }
    }
    return score
  }

  private func report(_ scenario: Scenario, _ settings: RunSettings) -> ScenarioReport {
    ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run()
  }

  private func outcome(of fault: GeneratedFault, _ evidence: [Evidence]) -> Outcome {
    if let weakening = fault.weakening { return outcome(of: fault, weakening.claim, weakening.requirement, evidence) }
    var settings = settings
    settings.generated = fault
    for scenario in order(for: fault) {
      if case .failed(let failure) = report(scenario, settings).verdict, unfaulted.passes(scenario) {
        return .noticed(scenario: scenario.name, reason: failure.reason)
      }
    }
    return .missed
  }

  /// The scenarios, those first that are about the same requirement or are quick.
  private func order(for fault: GeneratedFault) -> [Scenario] {
    let about = scenarios.filter { scenario in fault.requirement.map(scenario.requirements.contains) ?? false }
    let quick = scenarios.filter { $0.tags.contains(Self.quickTag) }
    var seen: Set<String> = []
    return (about + quick + scenarios).filter { seen.insert($0.name).inserted }
  }

  /// What marks scenarios that run in every build.
  private static let quickTag = "smoke"

  // MARK: Monitors

  /// Which violations each row of the table shows when monitors judge alone.
  private func evidence() -> [Evidence] {
    var settings = settings
    settings.onlyMonitorsJudge = true
    let found = ParallelRuns(jobs: jobs).run(table.rows.count) { [settings] index -> Evidence? in
      let row = table.rows[index]
      guard row.requirement != nil else { return nil }
      var settings = settings
      settings.faults = [row.fault]
      for scenario in scenarios where scenario.id == row.scenario {
        let claims = violated(report(scenario, settings))
        if !claims.isEmpty, unfaultedByMonitors.passes(scenario) {
          return Evidence(fault: row.fault, scenario: scenario, claims: claims)
        }
      }
      return nil
    }
    return found.compactMap { $0 ?? nil }
  }

  private func violated(_ report: ScenarioReport) -> [String] {
    report.findings.filter { !$0.violations.isEmpty }.map(\.declaration.sentence)
  }

  /// A weakened monitor is noticed where it loses a violation, finds one in a scenario without faults, or shows its
  /// requirement in none of them.
  private func outcome(
    of fault: GeneratedFault, _ claim: String, _ requirement: String, _ evidence: [Evidence]
  ) -> Outcome {
    var settings = settings
    settings.generated = fault
    settings.onlyMonitorsJudge = true
    for row in evidence where row.claims.contains(claim) {
      settings.faults = [row.fault]
      if !violated(report(row.scenario, settings)).contains(claim) {
        return .noticed(scenario: row.scenario.name, reason: "\(row.fault.text) is not found any more")
      }
    }
    settings.faults = []
    var isShown = false
    for scenario in scenarios where scenario.requirements.contains(requirement) {
      let report = report(scenario, settings)
      if violated(report).contains(claim), unfaultedByMonitors.passes(scenario) {
        return .noticed(scenario: scenario.name, reason: "a violation is found where there is none")
      }
      isShown = isShown || report.findings.contains { $0.declaration.sentence == claim && $0.met > 0 }
    }
    return isShown ? .missed : .noticed(scenario: "all", reason: "no scenario shows it any more")
  }
}
