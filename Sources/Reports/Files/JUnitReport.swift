import Bytes
import Requirements
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
    lines.append("<testsuites\(counts(run.scenarios, [("time", DecimalSeconds.text(run.wallDuration))]))>")
    var files: [String] = []
    for scenario in run.scenarios where !files.contains(scenario.file) { files.append(scenario.file) }
    for file in files { suite(file, run, &lines) }
    lines.append("</testsuites>")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private func suite(_ file: String, _ run: RunReport, _ lines: inout [String]) {
    let scenarios = run.scenarios.filter { $0.file == file }
    let wall = scenarios.reduce(Duration.zero) { $0 + $1.wallDuration }
    let attributes = [
      ("time", DecimalSeconds.text(wall)), ("timestamp", UTCTime.text(run.startedAt)), ("hostname", run.host),
    ]
    lines.append("  <testsuite\(attribute("name", file))\(counts(scenarios, attributes))>")
    lines.append("    <properties>")
    var properties = [
      ("tool", run.tool), ("target", run.target), ("profile", run.profile), ("seed", String(run.seed)),
    ]
    if let caveat = run.caveat { properties.append(("caveat", caveat)) }
    for (name, value) in properties {
      lines.append("      <property\(attribute("name", name))\(attribute("value", value))/>")
    }
    lines.append("    </properties>")
    for scenario in scenarios { testCase(scenario, &lines) }
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

  private func testCase(_ scenario: ScenarioReport, _ lines: inout [String]) {
    let attributes = [
      ("name", scenario.name), ("classname", className(scenario.file)), ("file", scenario.file),
      ("line", String(scenario.line)), ("time", DecimalSeconds.text(scenario.wallDuration)),
    ]
    lines.append("    <testcase\(attributes.map { attribute($0.0, $0.1) }.joined())>")
    properties(scenario, &lines)
    if let element = element(scenario.verdict) {
      lines.append("      " + outcome(element, scenario.verdict, details(scenario)))
    }
    attempts(scenario, &lines)
    var output = [scenario.title, "replay: " + scenario.replay]
    if let capture = scenario.capture { output.append("[[ATTACHMENT|\(capture)]]") }
    lines.append("      <system-out>\(XMLText.content(output.joined(separator: "\n")))</system-out>")
    lines.append("    </testcase>")
  }

  private func properties(_ scenario: ScenarioReport, _ lines: inout [String]) {
    var properties = scenario.requirements.map { ("verifies", $0) }
    properties.append(("verdict", scenario.verdict.kind.rawValue))
    if let failure = scenario.verdict.failure {
      properties.append(("judges", failure.judges.rawValue))
      if let requirement = failure.requirement { properties.append(("violates", requirement)) }
    }
    properties.append(("virtualSeconds", DecimalSeconds.text(scenario.virtualDuration)))
    if let hash = scenario.traceHash { properties.append(("traceHash", hash.description)) }
    if let capture = scenario.capture { properties.append(("attachment", capture)) }
    lines.append("      <properties>")
    for (name, value) in properties {
      lines.append("        <property\(attribute("name", name))\(attribute("value", value))/>")
    }
    lines.append("      </properties>")
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

  private func details(_ scenario: ScenarioReport) -> String {
    var lines: [String] = []
    if let failure = scenario.verdict.failure {
      if let requirement = failure.requirement { lines.append("requirement: \(requirement)") }
      lines.append("judges: \(failure.judges.rawValue)")
      lines.append("virtual time: \(failure.instant) s")
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
