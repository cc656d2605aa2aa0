import Bytes
import Synchronization
import Timeline
import Verdicts

/// The form of `events.ndjson`.
package enum EventFormat {
  /// Version of the lines; it changes when a member is taken away or changes its meaning.
  package static let schemaVersion = 3
}

/// `events.ndjson` as it grows: scenarios end in any order, their lines are written in the order of the scenarios, and
/// only what waits for an earlier one is held in memory.
final class EventReport: RunReportWriter {
  static let name = "events"
  static let needsFolder = true
  static func isDefault(_ place: ReportPlace) -> Bool { place.hasLog }

  /// Name of the file in the folder of reports.
  static let fileName = "events.ndjson"

  private struct State {
    let file: ReportFile
    var lines = EventLines()
    var next = 0
    var waiting: [Int: EventLines.Rests] = [:]

    mutating func writeNext() throws(ReportFailure) {
      while let rests = waiting.removeValue(forKey: next) {
        try file.write(lines.numbered(rests))
        next += 1
      }
    }
  }

  private let state: Mutex<State>

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    var begun = State(file: try ReportFile(folder.path + "/" + Self.fileName))
    try begun.file.write(begun.lines.beginning(of: beginning))
    state = Mutex(begun)
  }

  func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {
    let rests = EventLines.rests(of: log)
    try state.withLock { state throws(ReportFailure) in
      state.waiting[number] = rests
      try state.writeNext()
    }
  }

  /// Ends the file and gives it its name. Scenarios that never ran leave gaps, which are closed.
  func finish(_ story: RunStory) throws(ReportFailure) {
    try state.withLock { state throws(ReportFailure) in
      for number in state.waiting.keys.sorted() {
        state.next = number
        try state.writeNext()
      }
      try state.file.write(state.lines.end(of: story.report))
      try state.file.commit()
    }
  }
}

/// The lines of `events.ndjson`: one object each, with the number of the line, both times, the scenario, and one member
/// whose name says what happened.
struct EventLines {
  /// Lines without the numbers that they begin with, one behind the other, and where each ends.
  struct Rests {
    private(set) var octets: [UInt8] = []
    private(set) var ends: [Int] = []

    /// Adds a line that `write` writes.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
      write(&octets)
      ends.append(octets.count)
    }
  }

  /// What the file begins with.
  static let beginning = "{\"seq\":0,\"schemaVersion\":"

  private var sequence = 0

  /// The line that begins the file. Wall time is that of the run's beginning.
  mutating func beginning(of run: RunReport) -> [UInt8] {
    let header = JSONValue.object([
      "schemaVersion": .integer(EventFormat.schemaVersion), "tool": .string(run.tool), "target": .string(run.target),
      "profile": .optional(run.profile), "seed": .unsigned(run.seed),
    ])
    return numbered("runStarted", header, run.startedAt * 1_000_000)
  }

  /// The line that ends the file. Wall time is that of the run's beginning and duration.
  mutating func end(of run: RunReport) -> [UInt8] {
    let end = JSONValue.object([
      "exitCode": .integer(Int(run.exitCode.rawValue)), "interrupted": .boolean(run.isInterrupted),
      "traceHash": .string(run.traceHash.description),
    ])
    let ended = run.startedAt * 1_000_000 + run.wallDuration.wholeNanoseconds / 1_000
    return numbered("runFinished", end, ended)
  }

  /// Lines with their numbers, which go on where the last ones ended.
  mutating func numbered(_ rests: Rests) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(rests.octets.count + rests.ends.count * 32)
    var start = 0
    for end in rests.ends {
      output += "{\"seq\":".utf8
      JSONValue.integer(sequence).append(to: &output)
      output += ",\"schemaVersion\":".utf8
      JSONValue.integer(EventFormat.schemaVersion).append(to: &output)
      output.append(UInt8(ascii: ","))
      output += rests.octets[start..<end]
      output.append(0x0A)
      start = end
      sequence += 1
    }
    return output
  }

  private mutating func numbered(_ kind: String, _ value: JSONValue, _ wall: Int64) -> [UInt8] {
    var rests = Rests()
    rests.append { Self.write(kind, value, scenario: nil, .zero, wall, to: &$0) }
    return numbered(rests)
  }

  /// The lines of a scenario.
  static func rests(of log: ScenarioEventLog) -> Rests {
    var rests = Rests()
    let repetition = log.report?.repetition ?? 0
    for moment in log.moments {
      let (kind, value) = member(moment.entry)
      rests.append { write(kind, value, scenario: (log.name, repetition), moment.instant, moment.wall, to: &$0) }
    }
    return rests
  }

  private static func member(_ entry: ScenarioEventLog.Entry) -> (String, JSONValue) {
    switch entry {
    case .stepStarted(let sentence, let file, let line):
      ("stepStarted", .object(["sentence": .string(sentence), "file": .string(file), "line": .integer(line)]))
    case .stepFinished(let step): ("stepFinished", value(of: step))
    case .event(let event): ("event", event.json)
    case .violation(let violation):
      (
        "requirementViolated",
        .object([
          "requirement": .string(violation.requirement), "judges": .string(violation.judges.rawValue),
          "reason": .string(violation.reason),
        ])
      )
    case .eventsDropped(let count): ("eventsDropped", .object(["count": .integer(count)]))
    case .finished(let report): ("scenarioFinished", value(of: ScenarioStory(report, isSimulated: true)))
    }
  }

  private static func value(of step: StepReport) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("sentence", .string(step.sentence)), ("file", .string(step.file)), ("line", .integer(step.line)),
      ("outcome", .string(step.outcome.word)), ("reason", .optional(step.outcome.reason)),
      ("seconds", .seconds(step.began.duration(to: step.ended))),
    ]
    if !step.shows.isEmpty {
      members += [("shows", .strings(step.shows)), ("decided", .boolean(step.isDecided))]
    }
    if let observed = step.observed { members.append(("observed", .string(observed))) }
    if !step.seenBy.isEmpty { members.append(("seenBy", .strings(step.seenBy))) }
    if let answer = step.answer {
      let value = JSONValue.object([
        "question": .string(answer.question), "answer": .string(answer.text), "isYes": .boolean(answer.isYes),
        "answeredAt": .string(UTCTime.text(answer.answeredAt)),
      ])
      members.append(("answer", value))
    }
    return .object(members)
  }

  private static func value(of story: ScenarioStory) -> JSONValue {
    let findings = story.report.findings.map { finding in
      JSONValue.object([
        "requirement": .string(finding.declaration.requirement), "outcome": .string(finding.outcome.word),
        "reason": .optional(finding.outcome.reason), "preconditions": .integer(finding.preconditions),
        "met": .integer(finding.met),
        "firstMet_us": finding.firstMet.map { .unsigned($0.nanoseconds / 1_000) } ?? .null,
      ])
    }
    var members: [(String, JSONValue)] = [
      ("verdict", .string(story.kind.rawValue)), ("reason", .optional(story.report.verdict.reason)),
      ("judges", .optional(story.report.verdict.failure?.judges.rawValue)),
      ("violated", story.report.verdict.failure.map { .strings($0.violated) } ?? .null),
    ]
    if let defect = story.report.verdict.defect {
      let value = JSONValue.object([
        "requirement": .string(defect.requirement), "reason": .string(defect.reason), "since": .optional(defect.since),
        "at": .string(defect.place),
      ])
      members.append(("defect", value))
    }
    if story.kind != .passed { members.append(("at", .string("\(story.place.file):\(story.place.line)"))) }
    members.append(("traceHash", .optional(story.report.traceHash?.description)))
    members.append(("monitors", .array(findings)))
    if !story.notes.isEmpty { members.append(("notes", .strings(story.notes.map(\.sentence)))) }
    members.append(("replay", .string(story.report.replay)))
    return .object(members)
  }

  /// A line behind its number, closing brace included.
  private static func write(
    _ kind: String, _ value: JSONValue, scenario: (name: String, repetition: Int)?, _ instant: Instant, _ wall: Int64,
    to octets: inout [UInt8]
  ) {
    octets += "\"t_virtual_us\":".utf8
    JSONValue.unsigned(instant.nanoseconds / 1_000).append(to: &octets)
    octets += ",\"t_wall_us\":".utf8
    JSONValue.integer(Int(wall)).append(to: &octets)
    if let scenario {
      octets += ",\"scenario\":".utf8
      JSONValue.string(scenario.name).append(to: &octets)
      if scenario.repetition != 0 {
        octets += ",\"repetition\":".utf8
        JSONValue.integer(scenario.repetition).append(to: &octets)
      }
    }
    octets.append(UInt8(ascii: ","))
    JSONValue.string(kind).append(to: &octets)
    octets.append(UInt8(ascii: ":"))
    value.append(to: &octets)
    octets.append(UInt8(ascii: "}"))
  }
}
