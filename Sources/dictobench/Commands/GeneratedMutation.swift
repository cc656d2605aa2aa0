import Recorder
import Runner
import ScenarioLanguage
import Verdicts

/// Faults that nobody wrote: each runs the whole suite until a scenario notices.
struct GeneratedMutation {
  private let scenarios: [Scenario]
  private let settings: RunSettings
  private let jobs: Int

  init(_ scenarios: [Scenario], _ settings: RunSettings, jobs: Int) {
    self.scenarios = scenarios
    self.settings = settings
    self.jobs = jobs
  }

  func run(_ tell: (String) -> Void) -> MutationScore {
    let faults = GeneratedFault.all
    let sounds = SoundFiles()
    let firmware = FirmwareFiles()
    let outcomes = ParallelRuns(jobs: jobs).run(faults.count) { [settings, scenarios] index in
      var settings = settings
      settings.profile = faults[index].profile
      for scenario in scenarios {
        let report = ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run()
        if case .failed(let failure) = report.verdict { return (scenario.name, failure.reason) }
      }
      return ("", "")
    }
    var score = MutationScore()
    for (fault, outcome) in zip(faults, outcomes) {
      let isNoticed = outcome.map { !$0.0.isEmpty } ?? false
      score.add(
        fault: fault.name, subject: fault.subject, requirement: nil, scenario: outcome?.0 ?? "", isNoticed: isNoticed)
      tell(
        isNoticed
          ? "noticed  \(fault.name)  by \(outcome?.0 ?? ""): \(outcome?.1 ?? "")" : "MISSED   \(fault.name)")
    }
    return score
  }
}
