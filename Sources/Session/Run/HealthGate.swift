import Verdicts
import Runner
import ScenarioLanguage
import Synchronization

/// A bench's health scenario, run before the first scenario, after the last one, and after a bench that failed was
/// brought back. Anything but a pass counts against the bench; nothing else is learned from it.
package final class HealthGate: Sendable {
  private let scenario: Scenario
  private let performer: any ScenarioPerformer
  private let reports = Mutex<[HealthReport]>([])

  /// The name of its captures.
  private let name: String

  /// The gate of bench `number`, from 1, or of the only one.
  package init(_ scenario: Scenario, _ performer: any ScenarioPerformer, ofBench number: Int? = nil) {
    name = (["health"] + (number.map { ["\($0)"] } ?? []) + [scenario.name]).joined(separator: ".")
    self.scenario = scenario
    self.performer = performer
  }

  /// The results so far, in order.
  package var history: [HealthReport] { reports.withLock { $0 } }

  /// Runs it. Returns why the bench is not in order, or `nil` when it is.
  package func trouble(
    _ occasion: HealthReport.Occasion, _ settings: RunSettings, _ files: any RunFiles
  ) -> String? {
    let number = history.count
    var settings = settings
    // A bench with a known defect is not in order.
    settings.known = KnownDefects()
    var report: ScenarioReport
    do {
      let attempt = try files.begin(scenario, number, as: name)
      report = performer.perform(scenario, settings, sinks: attempt?.sinks ?? [], observer: attempt)
      report.capture = try attempt?.close(report, isNews: true)
    } catch {
      report = performer.perform(scenario, settings, sinks: [], observer: nil)
    }
    let health = HealthReport(occasion, report.verdict, capture: report.capture)
    reports.withLock { $0.append(health) }
    guard report.verdict != .passed else { return nil }
    return "the health scenario \(scenario.name) ended \(report.verdict.kind.rawValue): \(report.verdict.reason ?? "")"
  }
}
