import Verdicts

/// One format of reports.
///
/// A format is one file in the folder `Formats`; the build lists that folder, so that `--report` knows the format by its
/// name. It renders a ``RunStory`` and decides nothing: what happened is said once, there and in ``ScenarioStory``.
public protocol RunReportWriter: Sendable {
  /// The name by which `--report` chooses it.
  static var name: String { get }
  /// Whether it writes into the folder that `--out` names, and can do nothing without one.
  static var needsFolder: Bool { get }
  /// Whether it is written where nobody chose other formats; asked only where a folder it needs is there.
  static func isDefault(_ place: ReportPlace) -> Bool
  /// Begins the report of a run of which only the beginning is known.
  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure)
  /// Takes what was logged of a scenario; `number` is its place in the run, from 0. Scenarios end in any order, on any
  /// thread.
  func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure)
  /// Writes what the whole run came to, and ends the report.
  func finish(_ story: RunStory) throws(ReportFailure)
}

extension RunReportWriter {
  /// Does nothing: most formats need no log.
  public func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {}
}
