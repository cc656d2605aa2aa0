import Bytes
import Requirements
import Text
import Timeline

/// `junit.xml` in the dialect that GitLab and Jenkins both read.
///
/// One suite a file, one case a cell with a unique name, since readers keep only the first of equal ones. A device
/// failure is a `failure`, trouble of bench or harness an `error`; attempts are children of their case, as Maven's
/// Surefire writes them.
public struct JUnitReport {
  /// Whether trouble of bench and harness is written as `failure` too, for readers that refuse `error`.
  public var hasErrorsAsFailures: Bool

  public init(hasErrorsAsFailures: Bool = false) { self.hasErrorsAsFailures = hasErrorsAsFailures }

  /// The octets of the file.
  public func document(_ run: RunReport) -> [UInt8] {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let cases = Self.cases(run)
    lines.append(
      "<testsuites\(counts(cases.map(\.first), [("time", DecimalSeconds.text(run.wallDuration))]))>")
    var files: [String] = []
    for item in cases where !files.contains(item.first.file) { files.append(item.first.file) }
    for file in files { suite(file, cases.filter { $0.first.file == file }, run, &lines) }
    lines.append("</testsuites>")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// All repetitions of one scenario: the one that matters most, the others that did not pass, and the count.
  private struct Case {
    var first: ScenarioReport
    var others: [ScenarioReport] = []
    var tally: RepetitionTally?
    var wall: Duration
  }

  /// Repetitions that are written besides the first of a case.
  private static let otherLimit = 20

  private static func cases(_ run: RunReport) -> [Case] {
    guard let repetitions = run.repetitions else {
      return run.scenarios.map { Case(first: $0, wall: $0.wallDuration) }
    }
    var groups: [String: [ScenarioReport]] = [:]
    for scenario in run.scenarios { groups[scenario.name, default: []].append(scenario) }
    return repetitions.tallies.compactMap { tally in
      guard let group = groups[tally.name] else { return nil }
      let deviant = ConsoleReport.byWeight(group)
      return Case(
        first: deviant.first ?? group[0], others: Array(deviant.dropFirst().prefix(otherLimit)), tally: tally,
        wall: group.reduce(.zero) { $0 + $1.wallDuration })
    }
  }

  private func suite(_ file: String, _ cases: [Case], _ run: RunReport, _ lines: inout [String]) {
    let wall = cases.reduce(Duration.zero) { $0 + $1.wall }
    let attributes = [
      ("time", DecimalSeconds.text(wall)), ("timestamp", UTCTime.text(run.startedAt)), ("hostname", run.host),
    ]
    lines.append("  <testsuite\(attribute("name", file))\(counts(cases.map(\.first), attributes))>")
    lines.append("    <properties>")
    var properties = [("tool", run.tool), ("target", run.target)]
    properties += run.profile.map { [("profile", $0)] } ?? []
    properties.append(("seed", String(run.seed)))
    if let caveat = run.caveat { properties.append(("caveat", caveat)) }
    if let bench = run.bench {
      properties += bench.place.map { [("bench", $0)] } ?? []
      properties += bench.parts.map { ("bench: " + $0.name, $0.identity) }
      properties += bench.health.map { health in
        ("bench: health " + health.occasion.rawValue, "\(health.verdict.kind.rawValue) \(health.verdict.reason ?? "")")
      }
    }
    for (name, value) in properties {
      lines.append("      <property\(attribute("name", name))\(attribute("value", value))/>")
    }
    lines.append("    </properties>")
    for item in cases { testCase(item, run.isSimulated, &lines) }
    lines.append("  </testsuite>")
  }

  private func counts(_ scenarios: [ScenarioReport], _ more: [(String, String)]) -> String {
    let kinds = scenarios.map { element($0.verdict) }
    let numbers = [
      ("tests", String(scenarios.count)), ("failures", String(kinds.count { $0 == "failure" })),
      ("errors", String(kinds.count { $0 == "error" })), ("skipped", String(kinds.count { $0 == "skipped" })),
    ]
    return (numbers + more).map { attribute($0.0, $0.1) }.joined()
  }

  private func testCase(_ item: Case, _ isSimulated: Bool, _ lines: inout [String]) {
    let scenario = item.first
    let attributes = [
      ("name", scenario.name), ("classname", className(scenario.file)), ("file", scenario.file),
      ("line", String(scenario.line)), ("time", DecimalSeconds.text(item.wall)),
    ]
    lines.append("    <testcase\(attributes.map { attribute($0.0, $0.1) }.joined())>")
    properties(item, isSimulated, &lines)
    if let element = element(scenario.verdict) {
      lines.append("      " + outcome(element, scenario.verdict, details(scenario, isSimulated)))
    }
    attempts(scenario, &lines)
    for other in item.others {
      guard let element = element(other.verdict), element != "skipped" else { continue }
      lines.append(
        "      " + outcome(element == "failure" ? "rerunFailure" : "rerunError", other.verdict, other.replay))
    }
    var output = [scenario.title, "replay: " + scenario.replay]
    if let leftover = scenario.leftover { output.append(leftover) }
    if let recovery = scenario.recovery { output.append("bench: \(recovery)") }
    output += scenario.prompts.map { prompt in
      let answer = prompt.answered.map { "answered after \(DurationText.text(prompt.asked.duration(to: $0)))" }
      return "operator: \(prompt.text) (\(answer ?? "not answered")\(prompt.answer.map { ": \($0)" } ?? ""))"
    }
    if let capture = scenario.capture { output.append("[[ATTACHMENT|\(capture)]]") }
    lines.append("      <system-out>\(XMLText.content(output.joined(separator: "\n")))</system-out>")
    lines.append("    </testcase>")
  }

  private func properties(_ item: Case, _ isSimulated: Bool, _ lines: inout [String]) {
    let scenario = item.first
    var properties = scenario.requirements.map { ("verifies", $0) }
    properties.append(("verdict", scenario.verdict.kind.rawValue))
    if let failure = scenario.verdict.failure {
      properties.append(("judges", failure.judges.rawValue))
      if let requirement = failure.requirement { properties.append(("violates", requirement)) }
    }
    if isSimulated { properties.append(("virtualSeconds", DecimalSeconds.text(scenario.virtualDuration))) }
    if let hash = scenario.traceHash { properties.append(("traceHash", hash.description)) }
    if let capture = scenario.capture { properties.append(("attachment", capture)) }
    for answer in scenario.answers {
      properties.append(
        (
          "answer",
          "\(answer.question) `\(answer.text)`, \(answer.isYes ? "yes" : "no"), \(UTCTime.text(answer.answeredAt))"
        ))
    }
    properties += item.tally.map(counted) ?? []
    lines.append("      <properties>")
    for (name, value) in properties {
      lines.append("        <property\(attribute("name", name))\(attribute("value", value))/>")
    }
    lines.append("      </properties>")
  }

  /// How often the case failed.
  private func counted(_ tally: RepetitionTally) -> [(String, String)] {
    var properties = [
      ("repetitionsFailed", String(tally.failed)), ("repetitionsJudged", String(tally.judged)),
      ("repetitionsWithBenchError", String(tally.benchErrors)),
      ("repetitionsWithHarnessError", String(tally.harnessErrors)),
    ]
    if let interval = tally.interval {
      let ends = [interval.low, interval.high].map { DecimalSeconds.text(.microseconds($0)) }
      properties.append(("failureShare", "\(ends[0]) to \(ends[1]) (\(WilsonInterval.name))"))
    }
    return properties
  }

  /// Attempts besides the verdict: `flaky…` where a later one passed, `rerun…` where none did.
  private func attempts(_ scenario: ScenarioReport, _ lines: inout [String]) {
    guard scenario.attempts.count > 1 else { return }
    let hasPassed = scenario.attempts.contains { $0.kind == .passed }
    let rest = hasPassed ? scenario.attempts[...] : scenario.attempts.dropFirst()
    for attempt in rest {
      guard let element = element(attempt), element != "skipped" else { continue }
      let name = (hasPassed ? "flaky" : "rerun") + (element == "failure" ? "Failure" : "Error")
      lines.append("      " + outcome(name, attempt, attempt.reason ?? ""))
    }
  }

  private func outcome(_ element: String, _ verdict: Verdict, _ text: String) -> String {
    let message = attribute("message", verdict.reason ?? "")
    if element == "skipped" { return "<skipped\(message)/>" }
    let type: String
    switch verdict.kind {
    case .benchError: type = "bench"
    case .harnessError: type = "harness"
    default: type = "device"
    }
    return "<\(element)\(message)\(attribute("type", type))>\(XMLText.content(text))</\(element)>"
  }

  /// The element that a verdict becomes; `nil` for one that passed in the end.
  private func element(_ verdict: Verdict) -> String? {
    switch verdict.kind {
    case .passed, .flaky: nil
    case .failed, .mended: "failure"
    case .benchError, .harnessError: hasErrorsAsFailures ? "failure" : "error"
    case .blocked, .known: "skipped"
    }
  }

  private func details(_ scenario: ScenarioReport, _ isSimulated: Bool) -> String {
    var lines: [String] = []
    if let failure = scenario.verdict.failure {
      if let requirement = failure.requirement { lines.append("requirement: \(requirement)") }
      lines.append("judges: \(failure.judges.rawValue)")
      lines.append("\(isSimulated ? "virtual time" : "time of the scenario"): \(failure.instant) s")
      if let place = failure.place { lines.append("at: \(place)") }
    }
    lines.append("reason: \(scenario.verdict.reason ?? "")")
    lines += scenario.lastEvents.suffix(FailureDetails.eventLimit)
    lines.append("replay: \(scenario.replay)")
    return lines.joined(separator: "\n")
  }

  private func className(_ file: String) -> String {
    var name = file
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) { name = String(name.dropLast(suffix.count)) }
    while name.hasPrefix("./") || name.hasPrefix("/") { name = String(name.drop { $0 == "." || $0 == "/" }) }
    return String(name.map { $0 == "/" ? "." : $0 })
  }

  private func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(XMLText.attribute(value))\"" }
}
