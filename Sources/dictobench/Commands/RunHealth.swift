import Runner
import ScenarioLanguage
import Synchronization
import Verdicts

/// A bench's health scenario: run before the first scenario, after the last one, and whenever a bench that failed was
/// brought back. Whatever is no pass speaks against the bench, and nothing else is learned from it.
final class RunHealth: Sendable {
  private let scenario: Scenario
  private let reports = Mutex<[HealthReport]>([])

  /// The scenario that the bench names; `nil` where it names none, and before anything that is no recorder.
  ///
  /// - Throws: ``UsageFailure`` where its file does not hold one scenario without mistakes.
  init?(_ request: RunRequest, _ console: Console) throws(UsageFailure) {
    guard let file = request.settings.hardware?.health else { return nil }
    guard let library = try ScenarioFiles.library([file], console) else {
      throw UsageFailure("\(file), the health scenario of the bench, has mistakes")
    }
    let scenarios = library.scenarios.filter { $0.location.file == file }
    guard scenarios.count == 1 else {
      throw UsageFailure("\(file), the health scenario of the bench, is \(scenarios.count) scenarios; it must be one")
    }
    scenario = scenarios[0]
  }

  /// What it came to so far, in order.
  var history: [HealthReport] { reports.withLock { $0 } }

  /// Runs it; why the bench is not in order, `nil` when it is.
  func trouble(_ occasion: HealthReport.Occasion, _ request: RunRequest, _ files: RunReports) -> String? {
    let number = history.count
    let run = ScenarioRun(scenario, request.settings, sounds: SoundFiles(), firmware: FirmwareFiles())
    var report: ScenarioReport
    do {
      let follower = try files.follow(scenario, number, as: "health.\(scenario.name)")
      report = run.run(sinks: follower?.sinks ?? [], observer: follower)
      report.capture = try follower?.close(report)
    } catch {
      report = run.run()
    }
    let health = HealthReport(occasion, report.verdict, capture: report.capture)
    reports.withLock { $0.append(health) }
    guard report.verdict != .passed else { return nil }
    return "the health scenario \(scenario.name) ended \(report.verdict.kind.rawValue): \(report.verdict.reason ?? "")"
  }
}
