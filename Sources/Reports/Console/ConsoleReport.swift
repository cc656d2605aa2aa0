import Bytes
import Requirements
import Text
import Timeline

/// What a person sees of a run: first the answer, then what did not pass, then where everything is.
public struct ConsoleReport {
  /// Scenarios listed before the details; the answer, this list and its rest are twelve lines at most.
  public static let listedFailures = 10
  /// Scenarios whose details are printed; the files have all.
  public static let detailedFailures = 5

  private let style: ConsoleStyle

  public init(_ style: ConsoleStyle) { self.style = style }

  /// The whole report, without a line feed at its end. `folder` is where the files are; `nil` when none were written.
  public func text(_ run: RunReport, folder: String?) -> String {
    let deviant = Self.byWeight(run.scenarios)
    var lines = [answer(run)]
    for scenario in deviant.prefix(Self.listedFailures) {
      lines.append("  \(label(scenario.verdict.kind)) \(scenario.name): \(shortReason(scenario))")
    }
    if deviant.count > Self.listedFailures { lines.append("  and \(deviant.count - Self.listedFailures) more") }
    for scenario in run.scenarios.filter({ $0.verdict.kind != .benchError && $0.recovery != nil }).prefix(3) {
      lines.append(
        "  bench-error, then \(scenario.verdict.kind.rawValue): \(scenario.name): "
          + PlainText.escaped(scenario.recovery ?? "", limit: 200))
    }
    for health in run.bench?.health ?? [] where health.verdict != .passed {
      lines.append(
        "  health \(health.occasion.rawValue): \(PlainText.escaped(health.verdict.reason ?? "", limit: 160))")
    }
    lines += RepetitionLines.lines(run)
    for scenario in deviant.prefix(Self.detailedFailures) where scenario.verdict.kind != .blocked {
      lines.append("")
      lines += FailureDetails.lines(scenario, isSimulated: run.isSimulated)
    }
    lines.append("")
    lines += requirements(run)
    let owner = run.isSimulated ? "" : "our recorder's "
    let profile = run.profile.map { ", \(owner)profile \(PlainText.escaped($0))" } ?? ""
    lines.append("trace \(run.traceHash), seed \(run.seed)\(profile)")
    if let caveat = run.caveat { lines.append(caveat) }
    if !run.isSimulated, let folder,
      let capture = run.scenarios.lazy.compactMap(\.capture).first
    {
      let path = PlainText.escaped("\(folder)/\(capture)")
      lines.append("a bench does nothing twice; what was captured is judged again by `dictobench check \(path)`")
    }
    if let folder { lines.append("reports in \(PlainText.escaped(folder))") }
    return lines.joined(separator: "\n")
  }

  /// Scenarios that neither passed nor failed as declared, what matters most first.
  static func byWeight(_ scenarios: [ScenarioReport]) -> [ScenarioReport] {
    let order: [Verdict.Kind] = [.failed, .mended, .harnessError, .benchError, .flaky, .blocked]
    return order.flatMap { kind in scenarios.filter { $0.verdict.kind == kind } }
  }

  private func answer(_ run: RunReport) -> String {
    let word: String
    let colour: ConsoleStyle.Colour
    switch run.exitCode {
    case .passed: (word, colour) = ("PASSED", .green)
    case .deviceFailed: (word, colour) = ("FAILED", .red)
    case .usage: (word, colour) = ("REFUSED", .red)
    case .benchFailed: (word, colour) = ("BENCH FAILED", .yellow)
    case .nothingRan: (word, colour) = ("NOTHING RAN", .yellow)
    case .outstanding: (word, colour) = ("OUTSTANDING", .yellow)
    case .internalError: (word, colour) = ("HARNESS FAILED", .red)
    case .interrupted: (word, colour) = ("INTERRUPTED", .yellow)
    }
    let counts = Verdict.Kind.allCases.compactMap { kind -> String? in
      let count = run.count(kind)
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    let total = run.scenarios.count + (run.repetitions?.unlisted ?? 0)
    let scenarios = total == 1 ? "1 scenario" : "\(total) scenarios"
    let virtual = run.isSimulated ? " for \(DurationText.text(run.virtualDuration)) of virtual time" : ""
    let times = DurationText.text(run.wallDuration) + virtual
    let whom = Self.parties(run)
    return style.coloured(word, colour) + "  \(scenarios): \(counts.joined(separator: ", "))\(whom), in \(times)"
  }

  /// Whom the device failures speak against.
  private static func parties(_ run: RunReport) -> String {
    let judged = run.scenarios.compactMap { scenario -> JudgedParty? in
      if case .failed(let failure) = scenario.verdict { failure.judges } else { nil }
    }
    if run.target == TargetKind.app.rawValue { return judged.isEmpty ? "" : " (against the application)" }
    let parties = JudgedParty.allCases.filter { judged.contains($0) }.map(\.rawValue)
    return parties.isEmpty ? "" : " (against the \(parties.joined(separator: ", the ")))"
  }

  private func label(_ kind: Verdict.Kind) -> String {
    let colour: ConsoleStyle.Colour = kind == .failed || kind == .mended || kind == .harnessError ? .red : .yellow
    return style.coloured(kind.rawValue, colour)
  }

  private func shortReason(_ scenario: ScenarioReport) -> String {
    let requirement = scenario.verdict.failure?.requirement.map { "\($0): " } ?? ""
    return requirement + PlainText.escaped(scenario.verdict.reason ?? "", limit: 100)
  }

  private func requirements(_ run: RunReport) -> [String] {
    guard !run.requirements.isEmpty else { return [] }
    let words = ["shown", "violated", "notExercised", "notObservable"]
    let names = ["shown", "violated", "not exercised", "not observable"]
    let counts = zip(words, names).map { word, name in
      "\(run.requirements.count { $0.outcome.word == word }) \(name)"
    }
    var lines = ["requirements: " + counts.joined(separator: ", ")]
    let violated = run.requirements.filter { $0.outcome.word == "violated" }.map(\.requirement.id)
    if !violated.isEmpty { lines.append("  violated: " + violated.joined(separator: " ")) }
    return lines
  }

  // MARK: Progress

  /// A line to be drawn over the last one while a run goes on; `nil` where nothing is animated. `total` is `nil` where
  /// nobody knows it yet.
  public func progress(finished: Int, of total: Int?, failed: Int, running name: String) -> String? {
    guard style.isAnimated else { return nil }
    let failures = failed == 0 ? "" : ", \(failed) not passed"
    let text = "\(finished)\(total.map { "/\($0)" } ?? "")\(failures)  \(PlainText.escaped(name))"
    return "\r\u{1B}[K" + text.prefix(style.columns - 1)
  }

  /// What takes the last progress line away; `nil` where nothing is animated.
  public var clearing: String? { style.isAnimated ? "\r\u{1B}[K" : nil }
}
