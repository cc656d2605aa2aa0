import Bytes
import Text
import Timeline
import Verdicts

/// `junit.xml` in the dialect that GitLab and Jenkins both read: it is valid by `junit-10.xsd` of Jenkins' xUnit plugin,
/// which allows a case neither properties nor a place.
///
/// One suite a file, one case a cell with a unique name, since readers keep only the first of equal ones. A device
/// failure is a `failure`, trouble of bench or harness an `error`; attempts are children of their case, as Maven's
/// Surefire writes them. What never began because the run ended before is `skipped`, so that a run that was interrupted looks
/// like no complete one. What else is known of a case stands in its one `system-out`, a line for each fact. Captures are
/// attached by their path from the project's folder.
struct JUnitReport: RunReportWriter {
  static let name = "junit"
  static let needsFolder = true
  static func isDefault(_ place: ReportPlace) -> Bool { true }

  /// Name of the file in the folder of reports.
  static let fileName = "junit.xml"

  private let folder: ReportFolder
  private let document: JUnitDocument

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = folder
    document = JUnitDocument(
      hasErrorsAsFailures: place.writesErrorsAsFailures, attachmentFolder: place.attachmentFolder)
  }

  func finish(_ story: RunStory) throws(ReportFailure) { try folder.write(Self.fileName, document.octets(story)) }
}

/// Renders a run as JUnit XML.
struct JUnitDocument: Sendable {
  /// What the file begins with.
  static let beginning = head + "\n<testsuites tests=\""
  private static let head = #"<?xml version="1.0" encoding="UTF-8"?>"#

  /// Whether trouble of bench and harness is written as `failure` too, for readers that refuse `error`.
  var hasErrorsAsFailures = false
  /// The folder of the reports, as readers find it from the project's folder.
  var attachmentFolder = "out"

  /// The octets of the file.
  func octets(_ story: RunStory) -> [UInt8] {
    var lines = [Self.head]
    let (cases, unrun) = (Self.cases(story), story.report.unrun)
    let totals = counts(cases, unrun).dropLast() + [("time", Self.seconds(story.report.wallDuration))]
    lines.append("<testsuites\(text(Array(totals)))>")
    var files: [String] = []
    for file in cases.map(\.first.report.file) + unrun.map(\.file) where !files.contains(file) { files.append(file) }
    for file in files {
      suite(file, cases.filter { $0.first.report.file == file }, unrun.filter { $0.file == file }, story.report, &lines)
    }
    lines.append("</testsuites>")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// All repetitions of one scenario: the one that matters most, the others that did not pass, and the count.
  private struct Case {
    var first: ScenarioStory
    var others: [ScenarioStory] = []
    var tally: RepetitionTally?
    var wall: Duration
  }

  /// Repetitions that are written besides the first of a case.
  private static let otherLimit = 20

  private static func cases(_ story: RunStory) -> [Case] {
    guard let repetitions = story.report.repetitions else {
      return story.scenarios.map { Case(first: $0, wall: $0.report.wallDuration) }
    }
    var groups: [String: [ScenarioStory]] = [:]
    for scenario in story.scenarios { groups[scenario.name, default: []].append(scenario) }
    return repetitions.tallies.compactMap { tally in
      guard let group = groups[tally.name] else { return nil }
      let deviant = ScenarioStory.byWeight(group)
      return Case(
        first: deviant.first ?? group[0], others: Array(deviant.dropFirst().prefix(otherLimit)), tally: tally,
        wall: group.reduce(.zero) { $0 + $1.report.wallDuration })
    }
  }

  private func suite(
    _ file: String, _ cases: [Case], _ unrun: [RunReport.Unrun], _ run: RunReport, _ lines: inout [String]
  ) {
    let wall = cases.reduce(Duration.zero) { $0 + $1.wall }
    let attributes = [
      ("file", file), ("time", Self.seconds(wall)), ("timestamp", UTCTime.text(run.startedAt)), ("hostname", run.host),
    ]
    lines.append("  <testsuite\(text([("name", file)] + counts(cases, unrun) + attributes))>")
    lines.append("    <properties>")
    var properties = [("tool", run.tool), ("target", run.target)]
    properties += run.profile.map { [("profile", $0)] } ?? []
    properties += run.phone.map { [("phone", $0)] } ?? []
    properties.append(("seed", String(run.seed)))
    if run.isInterrupted { properties.append(("interrupted", "true")) }
    if let caveat = run.caveat { properties.append(("caveat", caveat)) }
    for bench in run.benches {
      properties += bench.place.map { [("bench", $0)] } ?? []
      properties += bench.parts.map { ("bench: " + $0.name, $0.identity) }
      properties += bench.health.map { health in
        ("bench: health " + health.occasion.rawValue, "\(health.verdict.kind.rawValue) \(health.verdict.reason ?? "")")
      }
      properties += bench.trouble.map { [("bench: trouble", $0)] } ?? []
    }
    for (name, value) in properties {
      lines.append("      <property\(attribute("name", name))\(attribute("value", value))/>")
    }
    lines.append("    </properties>")
    for item in cases { testCase(item, &lines) }
    for item in unrun {
      let attributes = [("name", item.name), ("classname", className(file)), ("time", DecimalSeconds.text(.zero))]
      let message = "not run: the run \(run.isInterrupted ? "was interrupted" : "ended") before its turn"
      lines.append("    <testcase\(text(attributes))>")
      lines.append("      <skipped\(attribute("message", message))/>")
      lines.append("    </testcase>")
    }
    lines.append("  </testsuite>")
  }

  /// The numbers of a suite; `skipped` comes last.
  private func counts(_ cases: [Case], _ unrun: [RunReport.Unrun]) -> [(String, String)] {
    let elements = cases.map { element($0.first.report.verdict) } + unrun.map { _ in "skipped" }
    return [
      ("tests", String(elements.count)), ("failures", String(elements.count { $0 == "failure" })),
      ("errors", String(elements.count { $0 == "error" })), ("skipped", String(elements.count { $0 == "skipped" })),
    ]
  }

  /// Seconds of a suite, of which the schema allows three decimals.
  private static func seconds(_ duration: Duration) -> String { String(DecimalSeconds.text(duration).dropLast(3)) }

  private func testCase(_ item: Case, _ lines: inout [String]) {
    let (story, scenario) = (item.first, item.first.report)
    let attributes = [
      ("name", scenario.name), ("classname", className(scenario.file)), ("time", DecimalSeconds.text(item.wall)),
    ]
    lines.append("    <testcase\(text(attributes))>")
    if let element = element(scenario.verdict) {
      lines.append("      " + outcome(element, scenario.verdict, details(story)))
    }
    attempts(scenario, &lines)
    for other in item.others {
      guard let element = element(other.report.verdict), element != "skipped" else { continue }
      let name = element == "failure" ? "rerunFailure" : "rerunError"
      lines.append("      " + outcome(name, other.report.verdict, other.report.replay))
    }
    let told = [scenario.title] + facts(item).map { "\($0.0): \($0.1)" } + story.again.map(\.sentence)
    // Jenkins copies any file that an attachment names, so nothing that a device says may become one.
    var output = XMLText.content(told.joined(separator: "\n")).replacing("[ATTACHMENT", with: "[ ATTACHMENT")
    if let capture = scenario.capture {
      output += XMLText.content("\n[[ATTACHMENT|\(attachmentFolder)/\(capture)]]")
    }
    lines.append("      <system-out>\(output)</system-out>")
    lines.append("    </testcase>")
  }

  /// What is known of a case besides its outcome.
  private func facts(_ item: Case) -> [(String, String)] {
    let scenario = item.first.report
    var facts = [("place", "\(scenario.file):\(scenario.line)")] + scenario.requirements.map { ("verifies", $0) }
    facts.append(("verdict", scenario.verdict.kind.rawValue))
    if let failure = scenario.verdict.failure {
      facts.append(("judges", failure.judges.rawValue))
      facts.append(("violates", failure.subject))
    }
    if let defect = scenario.verdict.defect { facts.append(("declared", "\(defect.requirement), \(defect)")) }
    if item.first.isSimulated { facts.append(("virtualSeconds", DecimalSeconds.text(scenario.virtualDuration))) }
    if let hash = scenario.traceHash { facts.append(("traceHash", hash.description)) }
    facts += item.first.notes.map { ($0.label, $0.text) }
    return facts + (item.tally.map(counted) ?? [])
  }

  /// How many times the case failed.
  private func counted(_ tally: RepetitionTally) -> [(String, String)] {
    var facts = [
      ("repetitionsFailed", String(tally.failed)), ("repetitionsJudged", String(tally.judged)),
      ("repetitionsWithBenchError", String(tally.benchErrors)),
      ("repetitionsWithHarnessError", String(tally.harnessErrors)),
    ]
    if tally.known > 0 { facts.append(("repetitionsWithKnownDefect", String(tally.known))) }
    if let interval = tally.interval {
      let ends = [interval.low, interval.high].map { DecimalSeconds.text(.microseconds($0)) }
      facts.append(("failureShare", "\(ends[0]) to \(ends[1]) (\(WilsonInterval.name))"))
    }
    return facts
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

  private func details(_ story: ScenarioStory) -> String {
    let lines = story.failure.map(\.sentence) + story.lastEvents + ["replay: \(story.report.replay)"]
    return lines.joined(separator: "\n")
  }

  private func className(_ file: String) -> String {
    var name = file
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) { name = String(name.dropLast(suffix.count)) }
    while name.hasPrefix("./") || name.hasPrefix("/") { name = String(name.drop { $0 == "." || $0 == "/" }) }
    return String(name.map { $0 == "/" ? "." : $0 })
  }

  private func text(_ attributes: [(String, String)]) -> String {
    attributes.map { attribute($0.0, $0.1) }.joined()
  }

  private func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(XMLText.attribute(value))\"" }
}
