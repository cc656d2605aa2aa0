import Bench
import Verdicts
import Timeline

/// The check of a bench before the first scenario, and what is remembered of the bench after a good run.
package struct RunPreflight {
  private let checkup: Checkup

  /// Checks what the run depends on. A problem becomes the bench trouble of all its scenarios. `nil` for a simulated run.
  package init?(_ plan: inout RunPlan, folders: [String], on machine: BenchMachine) {
    guard let subject = Self.subject(plan, folders) else { return nil }
    var checkup = Checkup(Checkup.preflight, of: subject, on: machine)
    checkup.perform()
    self.checkup = checkup
    plan.settings.benchTrouble = checkup.trouble
    if checkup.trouble == nil { plan.settings.hardware?.look(plan.settings.interruption) }
  }

  /// What is checked; `nil` for a simulated run.
  private static func subject(_ plan: RunPlan, _ folders: [String]) -> BenchSubject? {
    if let target = plan.settings.hardware { return BenchSubject(target, folders: folders) }
    return plan.settings.application.map { BenchSubject($0, folders: folders) }
  }

  /// The run to remember for a bench, with the bench's name; `nil` unless real recorders were run and all went well.
  package func goodRun(_ plan: RunPlan, _ report: RunReport) -> (run: GoodRun, bench: String)? {
    guard report.exitCode == .passed, let target = plan.settings.hardware else { return nil }
    let traits = checkup.traits + target.controllerIdentity.traits + target.traits
    let run = GoodRun(ended: MachineClock.secondsSince1970(), traits: traits)
    return (run, target.place ?? "\(target.controllers[0])")
  }
}

extension RunPlan {
  /// Why nothing can be learned on the bench; `nil` when it can be used, and for a simulated run.
  var trouble: String? { settings.benchTrouble ?? settings.hardware?.trouble }
}
