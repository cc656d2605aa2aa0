import Reports
import Requirements
import Runner
import ScenarioLanguage
import System
import Verdicts

/// The files of one run: captures that grow while scenarios run, and the reports at its end.
final class RunReports: Sendable {
  private let folder: ReportFolder?
  private let request: RunRequest
  private let reports: ReportSet

  /// Begins the reports of a run of which only the beginning is known.
  init(_ request: RunRequest, _ run: RunReport, _ console: Console) throws {
    self.request = request
    folder = try request.out.map { try ReportFolder($0) }
    var place = ReportPlace(
      folder: folder, attachmentFolder: request.out.map { ProjectFolder.path($0) },
      style: console.outputStyle, writesErrorsAsFailures: request.writesErrorsAsFailures,
      environment: Environment.value, say: { console.out($0) })
    place.findFiles()
    place.isQuiet = request.detail == .quiet
    place.pages = request.pages
    reports = try ReportSet(request.reports, run, in: place)
    // Only now is it certain that the run begins, and all that was needed of an earlier one has been read.
    folder?.removeReports()
  }

  /// What follows one attempt at a scenario, by its number among all attempts at it; `nil` when nothing is to be written.
  /// `name` is that of its capture, where it is not the scenario's.
  func follow(_ scenario: Scenario, _ number: Int, as name: String? = nil) throws -> ScenarioFollower? {
    guard let folder else { return nil }
    var capture: (sink: CaptureSink, path: String)?
    if request.captures != .none {
      let path = try folder.capturePath(name ?? scenario.name, number)
      let profile = request.profileName.map { ", profile \($0)" } ?? ""
      let note = "\(Tool.description), \(scenario.name), seed \(request.settings.seed)\(profile)"
      let sink = try CaptureSink(folder.path + "/" + path, note: note, isPrivate: request.settings.isUncovered)
      capture = (sink, path)
    }
    return ScenarioFollower(
      scenario.name, capture: capture, keepsAll: request.captures == .all, pages: request.pages,
      wantsSounds: request.pages != .none && (request.plan.target == .simulated || request.settings.isUncovered))
  }

  /// Writes the log of the attempt at a scenario that is reported; `number` is the place of the scenario in the run. Every
  /// number is told, with an empty log where nothing is kept.
  func keep(_ log: ScenarioEventLog, number: Int) throws { try reports.take(log, number: number) }

  /// Writes what the whole run comes to.
  func finish(_ report: RunReport) throws { try reports.finish(report) }
}
