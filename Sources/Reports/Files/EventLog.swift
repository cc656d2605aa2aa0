import Bytes
import Timeline
import Verdicts

/// Lines of `events.ndjson` about one scenario: steps, product events, violations, verdict.
///
/// Each line is an object with the number of the line in the file, both times, the scenario, and one member whose name
/// says what happened. Numbers are given when the logs of all scenarios are put together in the order of the scenarios.
public struct ScenarioEventLog: Sendable {
  /// Product events kept for one scenario; how many more there were is written at the end.
  public static let eventLimit = 20_000

  /// The lines without their beginning, which holds the number.
  private(set) var rests: [[UInt8]] = []
  private let name: String
  private var eventCount = 0
  private var dropped = 0

  /// Begins the log of a scenario, by its id and cell.
  public init(_ name: String) { self.name = name }

  /// A step begins. Wall times are microseconds since 1970.
  public mutating func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant, wall: Int64) {
    append(
      "stepStarted", ["sentence": .string(sentence), "file": .string(file), "line": .integer(line)], instant, wall)
  }

  /// A step ended.
  public mutating func stepFinished(_ step: StepReport, wall: Int64) {
    var members: [(String, JSONValue)] = [
      ("sentence", .string(step.sentence)), ("file", .string(step.file)), ("line", .integer(step.line)),
      ("outcome", .string(step.outcome.word)), ("reason", .optional(step.outcome.reason)),
      ("seconds", .seconds(step.began.duration(to: step.ended))),
    ]
    if let answer = step.answer { members.append(("answer", answer.json)) }
    append("stepFinished", .object(members), step.ended, wall)
  }

  /// Something happened to the product.
  public mutating func observed(_ event: ReportedEvent, wall: Int64) {
    guard eventCount < Self.eventLimit else {
      dropped += 1
      return
    }
    eventCount += 1
    var members: [(String, JSONValue)] = [
      ("name", .string(event.name)), ("source", .string("\(event.source)")),
    ]
    if event.link != 0 { members.append(("link", .integer(Int(event.link)))) }
    if let peer = event.peer { members.append(("peer", .string("\(peer)"))) }
    members += event.details.map { detail in
      switch detail.value {
      case .text(let text): (detail.name, .string(text))
      case .number(let number): (detail.name, .integer(Int(number)))
      case .flag(let flag): (detail.name, .boolean(flag))
      }
    }
    append("event", .object(members), event.instant, wall)
  }

  /// A monitor saw a requirement violated.
  public mutating func violated(_ violation: MonitorViolation, wall: Int64) {
    append(
      "requirementViolated",
      [
        "requirement": .string(violation.requirement), "judges": .string(violation.judges.rawValue),
        "reason": .string(violation.reason),
      ], violation.instant, wall)
  }

  /// The scenario ended.
  public mutating func finished(_ report: ScenarioReport, wall: Int64) {
    let end = Instant.zero.advanced(by: report.virtualDuration)
    if dropped > 0 { append("eventsDropped", ["count": .integer(dropped)], end, wall) }
    let findings = report.findings.map { finding in
      JSONValue.object([
        "requirement": .string(finding.declaration.requirement), "outcome": .string(finding.outcome.word),
        "reason": .optional(finding.outcome.reason), "preconditions": .integer(finding.preconditions),
        "met": .integer(finding.met),
      ])
    }
    var members: [(String, JSONValue)] = [
      ("verdict", .string(report.verdict.kind.rawValue)), ("reason", .optional(report.verdict.reason)),
      ("judges", .optional(report.verdict.failure?.judges.rawValue)),
      ("traceHash", .optional(report.traceHash?.description)), ("monitors", .array(findings)),
    ]
    if let leftover = report.leftover { members.append(("leftover", .string(leftover))) }
    append("scenarioFinished", .object(members), end, wall)
  }

  private mutating func append(
    _ kind: String, _ members: KeyValuePairs<String, JSONValue>, _ instant: Instant, _ wall: Int64
  ) {
    append(kind, .object(members), instant, wall)
  }

  private mutating func append(_ kind: String, _ value: JSONValue, _ instant: Instant, _ wall: Int64) {
    rests.append(EventLog.rest(kind, value, scenario: name, instant, wall))
  }
}

/// Puts the lines of `events.ndjson` together: one object a line, for all scenarios of a run in their order.
public struct EventLog {
  /// Version of the lines; it changes when a member is taken away or changes its meaning.
  public static let schemaVersion = 1

  private var sequence: Int64 = 0

  public init() {}

  /// The line that begins the file. Wall time is that of the run's beginning.
  public mutating func beginning(of run: RunReport) -> [UInt8] {
    let header = JSONValue.object([
      "schemaVersion": .integer(Self.schemaVersion), "tool": .string(run.tool), "target": .string(run.target),
      "profile": .optional(run.profile), "seed": .unsigned(run.seed),
    ])
    return numbered([Self.rest("runStarted", header, scenario: nil, .zero, run.startedAt * 1_000_000)])
  }

  /// The lines of the next scenario.
  public mutating func lines(of scenario: ScenarioEventLog) -> [UInt8] { numbered(scenario.rests) }

  /// The line that ends the file. Wall time is that of the run's beginning and duration.
  public mutating func end(of run: RunReport) -> [UInt8] {
    let end = JSONValue.object([
      "exitCode": .integer(Int(run.exitCode.rawValue)), "interrupted": .boolean(run.isInterrupted),
      "traceHash": .string(run.traceHash.description),
    ])
    let ended = run.startedAt * 1_000_000 + run.wallDuration.wholeNanoseconds / 1_000
    return numbered([Self.rest("runFinished", end, scenario: nil, .zero, ended)])
  }

  private mutating func numbered(_ rests: [[UInt8]]) -> [UInt8] {
    var output: [UInt8] = []
    for rest in rests {
      output += "{\"seq\":\(sequence),".utf8
      output += rest
      output.append(0x0A)
      sequence += 1
    }
    return output
  }

  /// A line behind its number, closing brace included.
  static func rest(
    _ kind: String, _ value: JSONValue, scenario: String?, _ instant: Instant, _ wall: Int64
  ) -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("t_virtual_us", .unsigned(instant.nanoseconds / 1_000)),
      ("t_wall_us", .integer(Int(wall))),
    ]
    if let scenario { members.append(("scenario", .string(scenario))) }
    members.append((kind, value))
    return Array(JSONValue.object(members).line.dropFirst())
  }
}
