import Ledger
import Verdicts

/// What a run tells while it goes on. Events come from whichever thread runs a scenario.
package enum RunEvent: Sendable {
  /// A bench is being checked before the first scenario; it is named where there are several.
  case checkingBench(String?)
  /// The check is over; `nil` when the bench is ready.
  case benchChecked(String?, trouble: String?)
  /// How far the recorders of a bench are from simulated ones, as far as the bench file names what was measured of them.
  case twinsCompared(String?, [TwinDistance])
  /// The application is under test, with our recorder as the instrument.
  case judgingApplication
  /// A sentence about a controller that was opened.
  case controllerNote(String)
  /// Captures and hashes will contain keys and recordings.
  case uncovered
  /// The health scenario of a bench did not pass before the first scenario, so that nothing can be learned on it.
  case healthFailed(String?, String)
  /// One of several benches failed, and gets no more scenarios; the others go on.
  case benchLeft(String, reason: String)
  /// The run counts for a bench session; of one that is paused, nothing counts.
  case session(BenchSession)
  /// Scenarios begin; `total` is `nil` when time decides how many there will be.
  case started(total: Int?)
  /// Files of a scenario that failed could not be written; its verdict stands.
  case filesLost(String, reason: String)
  /// All attempts at a scenario are over.
  case ended(ScenarioReport)
  /// The last scenario is over.
  case finished
}
