import Bytes
import Requirements
import Text
import Timeline

/// What is printed about one scenario that did not pass.
enum FailureDetails {
  /// Events shown around a failure.
  static let eventLimit = 30

  /// The lines, first the sentence that matters. Everything that may come from a device is escaped. On a bench,
  /// time is the wall's.
  static func lines(_ scenario: ScenarioReport, isSimulated: Bool) -> [String] {
    var lines = ["\(scenario.verdict.kind.rawValue): \(scenario.name)", "  \(PlainText.escaped(scenario.title))"]
    if let failure = scenario.verdict.failure {
      let requirement = failure.requirement.map { "requirement \($0), " } ?? ""
      let time = isSimulated ? "virtual time" : "the scenario"
      lines.append("  \(requirement)judging the \(failure.judges.rawValue), at \(failure.instant) s of \(time)")
    }
    lines.append("  " + PlainText.escaped(scenario.verdict.reason ?? ""))
    lines.append("  at \(PlainText.escaped(place(scenario)))")
    let events = scenario.lastEvents.suffix(eventLimit)
    if !events.isEmpty {
      lines.append("  the last \(events.count) events:")
      lines += events.map { "    " + PlainText.escaped($0, limit: 200) }
    }
    if let capture = scenario.capture { lines.append("  capture: \(PlainText.escaped(capture))") }
    lines.append("  replay:  \(PlainText.escaped(scenario.replay))")
    return lines
  }

  /// Where the failure is written, else where the scenario begins.
  static func place(_ scenario: ScenarioReport) -> String {
    if let place = scenario.verdict.failure?.place { return place }
    for step in scenario.steps {
      if case .failed = step.outcome { return "\(step.file):\(step.line)" }
    }
    return "\(scenario.file):\(scenario.line)"
  }
}
