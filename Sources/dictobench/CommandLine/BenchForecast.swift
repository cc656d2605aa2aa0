import Bench
import Bytes
import Runner
import ScenarioLanguage

/// What a scenario would take on a bench: what blocks it, or seconds and prompts.
struct BenchForecast {
  /// What the bench lacks; `nil` when the scenario can run there.
  let missing: String?
  /// Seconds on the wall: what preparing the bench takes, and what the scenario takes simulated, since its steps wait as
  /// long there.
  let seconds: Int64
  /// How often the operator is asked.
  let prompts: Int

  init(_ scenario: Scenario, on target: HardwareTarget) {
    let outlook = BenchOutlook(scenario, on: target)
    self.init(scenario, lacking: outlook.missingCapability, prompts: outlook.prompts, after: outlook.preparation)
  }

  /// What it would take before somebody else's phone.
  init(_ scenario: Scenario, on target: ApplicationTarget) {
    let outlook = ApplicationOutlook(scenario, on: target)
    self.init(scenario, lacking: outlook.missingCapability, prompts: outlook.prompts, after: .seconds(2))
  }

  private init(_ scenario: Scenario, lacking missing: String?, prompts: Int, after preparation: Duration) {
    self.missing = missing
    guard missing == nil else {
      (seconds, self.prompts) = (0, 0)
      return
    }
    self.prompts = prompts
    let report = ScenarioRun(scenario, RunSettings(), sounds: SoundFiles(), firmware: FirmwareFiles()).run()
    seconds = (report.virtualDuration + preparation).components.seconds + 1
  }

  /// `blocked by actuators: rail`, or `runnable, 12 s, 1 prompt`.
  var text: String {
    if let missing { return "blocked by \(missing)" }
    return "runnable, \(seconds) s" + (prompts > 0 ? ", \(Self.count(prompts, "prompt"))" : "")
  }

  var members: [(String, JSONValue)] {
    if let missing { return [("runnable", .boolean(false)), ("blockedBy", .string(missing))] }
    return [
      ("runnable", .boolean(true)), ("wallSeconds", .integer(Int(seconds))), ("prompts", .integer(prompts)),
    ]
  }

  /// `12 runnable, 340 s, 3 prompts; blocked: 7 by actuators: rail, 2 by actuators: medium`.
  static func summary(_ forecasts: [BenchForecast]) -> String {
    let runnable = forecasts.filter { $0.missing == nil }
    var reasons: [(name: String, count: Int)] = []
    for name in forecasts.compactMap(\.missing) {
      if let index = reasons.firstIndex(where: { $0.name == name }) {
        reasons[index].count += 1
      } else {
        reasons.append((name, 1))
      }
    }
    let blocked = reasons.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { "\($0.count) by \($0.name)" }
    let total = runnable.reduce(0) { $0 + $1.seconds }
    return "\(runnable.count) runnable, \(total) s, \(count(runnable.reduce(0) { $0 + $1.prompts }, "prompt"))"
      + (blocked.isEmpty ? "" : "; blocked: \(blocked.joined(separator: ", "))")
  }

  private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
