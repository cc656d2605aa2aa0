/// Why a wait ended without what it waited for.
public enum WaitEnd: Error, Hashable, Sendable {
  /// The step timed out.
  case deadline
  /// The simulation went idle: no event was left that could end the wait.
  case starved
  /// The run was interrupted.
  case interrupted
  /// The scenario's timeout was over.
  case timeout
  /// Something happened that an outer step forbids.
  case forbidden

  /// What ended the wait, in words without a subject.
  package var sentence: String {
    switch self {
    case .deadline: "timed out"
    case .starved: "the simulation went idle: no event was left that could happen"
    case .interrupted: "interrupted"
    case .timeout: "the scenario's timeout was over"
    case .forbidden: "ended by what must not happen"
    }
  }
}
