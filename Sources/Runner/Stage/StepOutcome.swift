import ScenarioLanguage
import Timeline

/// How a step ended.
enum StepOutcome: Hashable, Sendable {
  /// Everything was as it should be.
  case passed
  /// The products did not do what they should; the text says what was expected and what was found.
  case failed(String)
  /// This target lacks a capability; its name.
  case blocked(String)
  /// Adapter, cable, actuator or operator failed.
  case benchError(String)
  /// A bug of the harness, or a scenario that no lint could refuse.
  case harnessError(String)

  /// Whether the next step may be performed.
  var isPassed: Bool { self == .passed }
}

/// A step that was performed.
public struct StepReport: Hashable, Sendable {
  /// The step as it is written, on one line.
  public let sentence: String
  /// Where it is written.
  public let location: SourceLocation
  /// When it began.
  public let began: Instant
  /// When it ended.
  public let ended: Instant
  /// How it ended.
  let outcome: StepOutcome
}
