/// How a step ended.
public enum StepOutcome: Hashable, Sendable {
  /// Everything was as it should be.
  case passed
  /// The products did not do what they should; the text says what was expected and what was found.
  case failed(String, JudgedParty)
  /// This target lacks a capability; its name.
  case blocked(String)
  /// Adapter, cable, actuator or operator failed; the text says how.
  case benchError(String)
  /// This harness failed: a bug, or a scenario that lint could not refuse.
  case harnessError(String)
  /// An earlier step ended the scenario, so this one did not run.
  case skipped

  /// The outcome in one word. It enters the hash of a trace.
  public var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .blocked: "blocked"
    case .benchError: "bench-error"
    case .harnessError: "harness-error"
    case .skipped: "skipped"
    }
  }

  /// Why the step did not pass; `nil` where it passed or did not run. It may hold text of a device.
  public var reason: String? {
    switch self {
    case .passed, .skipped: nil
    case .failed(let text, _), .benchError(let text), .harnessError(let text): text
    case .blocked(let capability): "needs \(capability)"
    }
  }

  /// Whether the next step may run.
  public var isPassed: Bool { self == .passed }

  /// Whether the step ran and did not pass.
  public var isTrouble: Bool { self != .passed && self != .skipped }
}
