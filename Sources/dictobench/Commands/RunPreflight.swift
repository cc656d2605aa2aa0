import Bench
import Timeline
import Verdicts

/// What is looked at before the first scenario on a bench, and what is remembered of the bench after a good run.
struct RunPreflight {
  private let checkup: Checkup

  /// Looks at what the run stands on; what is wrong becomes the trouble of all its scenarios. `nil` for a simulated run.
  init?(_ request: inout RunRequest, _ console: Console) {
    let folders = request.out.map { [$0] } ?? []
    let subject: BenchSubject
    if let target = request.settings.hardware {
      subject = BenchSubject(target, folders: folders)
    } else if let target = request.settings.application {
      subject = BenchSubject(target, folders: folders)
    } else {
      return nil
    }
    console.note("bench: \(Outcome.checking.rawValue)")
    var checkup = Checkup(Checkup.preflight, of: subject, on: .this(program: Tool.description))
    checkup.perform()
    self.checkup = checkup
    request.settings.benchTrouble = checkup.trouble
    if checkup.trouble == nil { request.settings.hardware?.look(request.settings.interruption) }
    let trouble = checkup.trouble ?? request.settings.hardware?.trouble
    console.note("bench: " + (trouble.map { "\(Outcome.failed.rawValue): \($0)" } ?? Outcome.ready.rawValue))
  }

  /// Remembers the bench of a run in which everything went well.
  func remember(_ request: RunRequest, _ result: ExitCode) {
    guard result == .passed, let target = request.settings.hardware else { return }
    let traits = checkup.traits + target.controllerIdentity.traits + target.traits
    GoodRuns.keep(
      GoodRun(ended: MachineClock.secondsSince1970(), traits: traits), on: target.place ?? "\(target.controllers[0])")
  }
}
