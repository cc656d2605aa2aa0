import Bench
import Bytes
import Recorder
import Runner
import ScenarioLanguage
import Text

/// Whether a scenario can run on a bench or with a firmware image, and what that takes.
struct BenchForecast {
  /// What bench or image lacks; `nil` when the scenario can run there.
  let missing: String?
  /// Seconds of wall time: preparing the bench, and the time that the scenario takes when simulated, because its steps
  /// wait as long on a bench; `nil` for an image, whose time depends on the machine.
  private(set) var seconds: Int64?
  /// Number of times that the operator is asked.
  let prompts: Int
  /// What it begins with and leaves of the records that the bench makes; `nil` without a bench.
  private var records: RecordForecast?

  init(_ scenario: Scenario, on target: HardwareTarget) {
    let outlook = BenchOutlook(scenario, on: target)
    let watcher = outlook.recordWatcher
    self.init(
      scenario, lacking: outlook.missingCapability, prompts: outlook.prompts, after: outlook.preparation,
      asleep: outlook.usesSensors ? outlook.lackOfWakefulness : nil, seenBy: watcher)
    if missing == nil { records = outlook.records(seenBy: watcher) }
  }

  /// The forecasts of scenarios that one bench runs in this order: it does not make again what it has made for one before.
  static func inOrder(_ forecasts: [BenchForecast]) -> [BenchForecast] {
    var sequence = RecordSequence()
    return forecasts.map { forecast in
      guard let records = forecast.records, let seconds = forecast.seconds else { return forecast }
      var shorter = forecast
      shorter.seconds = max(1, seconds - sequence.saving(by: records).components.seconds)
      return shorter
    }
  }

  /// The forecast with the application under test.
  init(_ scenario: Scenario, on target: ApplicationTarget) {
    let outlook = ApplicationOutlook(scenario, on: target)
    self.init(scenario, lacking: outlook.missingCapability, prompts: outlook.prompts, after: .seconds(2))
  }

  /// The forecast with a program on the chips of simulated recorders.
  init(_ scenario: Scenario, running program: RecorderProgram) {
    missing = ProgramOutlook(scenario, running: program).missingCapability
    (seconds, prompts) = (nil, 0)
  }

  /// Plays the scenario with simulated recorders, which takes as long there. Real recorders switch themselves off: where a
  /// scenario does not pass with one that does, `asleep` is what blocks it.
  private init(
    _ scenario: Scenario, lacking missing: String?, prompts: Int, after preparation: Duration, asleep: String? = nil,
    seenBy watcher: RecordWatcher? = nil
  ) {
    guard missing == nil else {
      (self.missing, seconds, self.prompts) = (missing, 0, 0)
      return
    }
    var settings = RunSettings()
    settings.sleepsAsInField = asleep != nil
    let report = ScenarioRun(scenario, settings, sounds: SoundFiles(), firmware: FirmwareFiles()).run(observer: watcher)
    guard asleep == nil || report.verdict == .passed else {
      (self.missing, seconds, self.prompts) = (asleep, 0, 0)
      return
    }
    (self.missing, self.prompts) = (nil, prompts)
    seconds = (report.virtualDuration + preparation).components.seconds + 1
  }

  /// `blocked by actuators: rail`, `runnable, 12 s, 1 prompt`, or `runnable`.
  var text: String {
    if let missing { return "blocked by \(missing)" }
    return "runnable" + (seconds.map { ", \($0) s" } ?? "")
      + (prompts > 0 ? ", \(Wording.count(prompts, "prompt"))" : "")
  }

  var members: [(String, JSONValue)] {
    if let missing { return [("runnable", .boolean(false)), ("blockedBy", .string(missing))] }
    guard let seconds else { return [("runnable", .boolean(true))] }
    return [
      ("runnable", .boolean(true)), ("wallSeconds", .integer(Int(seconds))), ("prompts", .integer(prompts)),
    ]
  }

  /// `12 runnable, 5 min 40 s, 3 prompts; blocked: 7 by actuators: rail, 2 by actuators: medium`; without times and prompts
  /// for an image.
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
    let total = runnable.reduce(0) { $0 + ($1.seconds ?? 0) }
    let prompts = Wording.count(runnable.reduce(0) { $0 + $1.prompts }, "prompt")
    let effort = ", \(DurationText.text(.seconds(total))), \(prompts)"
    return "\(runnable.count) runnable" + (forecasts.contains { $0.seconds != nil } ? effort : "")
      + (blocked.isEmpty ? "" : "; blocked: \(blocked.joined(separator: ", "))")
  }
}
