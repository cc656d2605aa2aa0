import Verdicts
import Runner
import ScenarioLanguage
import Trace

/// Where a run writes what happens. The session decides what is kept; the files decide how it is written.
package protocol RunFiles: Sendable {
  /// Begins the files of one attempt, by its number among all attempts at the scenario. `name` is the name of its capture
  /// where that differs from the scenario's. Returns `nil` when nothing is written.
  ///
  /// - Throws: why the files cannot be written.
  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)?

  /// Keeps the event log of the attempt at a scenario that is reported, or an empty log for `nil`. `number` is the
  /// scenario's place in the run; every number is kept exactly once.
  ///
  /// - Throws: why the log cannot be written.
  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws

  /// Writes the reports of the whole run.
  ///
  /// - Throws: why they cannot be written.
  func finish(_ report: RunReport) throws
}

/// The files of one attempt at a scenario, which grow while it runs.
package protocol AttemptFiles: RunObserver {
  /// Where the trace goes.
  var sinks: [any TraceSink] { get }

  /// Closes the capture. One of an attempt that is not news, such as the hundredth failure of one cause, is kept only where
  /// every capture is. Returns its path when it is kept.
  ///
  /// - Throws: why it cannot be written.
  func close(_ report: ScenarioReport, isNews: Bool) throws -> String?
}
