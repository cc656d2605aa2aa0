import Verdicts

/// One format of reports.
///
/// A format is one file in the folder `Formats`; the build lists that folder, so that `--report` knows the format by
/// its name. It renders a ``RunStory`` and decides nothing: what happened is said once, there and in ``ScenarioStory``.
package protocol RunReportWriter: Sendable {
  /// The name by which `--report` chooses it.
  static var name: String { get }
  /// Whether it writes into the folder that `--out` names, and can do nothing without one.
  static var needsFolder: Bool { get }
  /// Whether it is written if no formats were chosen. A format that needs a folder is only asked if there is one.
  static func isDefault(_ place: ReportPlace) -> Bool
  /// Begins the report. `beginning` holds what is known when the run starts.
  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure)
  /// Takes what was logged of a scenario; `number` is its place in the run, from 0. Scenarios end in any order, on any
  /// thread.
  func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure)
  /// Writes what the whole run came to, and ends the report.
  func finish(_ story: RunStory) throws(ReportFailure)
}

extension RunReportWriter {
  /// Does nothing: most formats need no log.
  package func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {}
}
