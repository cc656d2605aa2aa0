import Ledger
import Verdicts

/// What a run tells while it goes on. Events come from whichever thread runs a scenario.
package enum RunEvent: Sendable {
  /// The bench is being checked before the first scenario.
  case checkingBench
  /// The check is over; `nil` when the bench is ready.
  case benchChecked(trouble: String?)
  /// The application is under test, with our recorder as the instrument.
  case judgingApplication
  /// A sentence about a controller that was opened.
  case controllerNote(String)
  /// Captures and hashes will contain keys and recordings.
  case uncovered
  /// The health scenario did not pass before the first scenario, so every scenario is a bench error.
  case healthFailed(String)
  /// The run counts for a bench session; of one that is paused, nothing counts.
  case session(BenchSession)
  /// Scenarios begin; `total` is `nil` when time decides how many there will be.
  case started(total: Int?)
  /// All attempts at a scenario are over.
  case ended(ScenarioReport)
  /// The last scenario is over.
  case finished
}
