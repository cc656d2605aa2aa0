import Bytes
import Timeline
import Verdicts

/// `summary.json`: what scripts read of a run.
public enum SummaryReport {
  /// Version of the keys; it changes when one is taken away or changes its meaning.
  public static let schemaVersion = 1

  /// The octets of the file.
  public static func document(_ run: RunReport) -> [UInt8] {
    let totals = Verdict.Kind.allCases.map { kind in
      (key(kind), JSONValue.integer(run.count(kind)))
    }
    return JSONValue.object([
      "schemaVersion": .integer(schemaVersion), "tool": .string(run.tool), "target": .string(run.target),
      "seed": .unsigned(run.seed), "profile": .optional(run.profile), "fault": .optional(run.fault),
      "capture": .string(run.isUncovered ? "full" : "covered"),
      "exitCode": .integer(Int(run.exitCode.rawValue)),
      "interrupted": .boolean(run.isInterrupted), "caveat": .optional(run.caveat), "totals": .object(totals),
      "wallSeconds": .seconds(run.wallDuration),
      "virtualSeconds": run.isSimulated ? .seconds(run.virtualDuration) : .null,
      "traceHash": .string(run.traceHash.description),
      "bench": run.bench.map(bench) ?? .null, "repetitions": run.repetitions.map(repetitions) ?? .null,
      "requirements": .array(run.requirements.map(requirement)),
      "scenarios": .array(run.scenarios.map { scenario($0, run.isSimulated) }),
    ]).document
  }

  /// The kind of a verdict as a key, in camel case.
  private static func key(_ kind: Verdict.Kind) -> String {
    switch kind {
    case .benchError: "benchError"
    case .harnessError: "harnessError"
    default: kind.rawValue
    }
  }

  private static func bench(_ bench: BenchRecord) -> JSONValue {
    .object([
      "place": .optional(bench.place),
      "parts": .array(
        bench.parts.map { .object(["name": .string($0.name), "identity": .string($0.identity)]) }),
      "health": .array(
        bench.health.map { health in
          .object([
            "occasion": .string(health.occasion.rawValue), "verdict": .string(health.verdict.kind.rawValue),
            "reason": .optional(health.verdict.reason), "capture": .optional(health.capture),
          ])
        }),
    ])
  }

  private static func prompt(_ prompt: OperatorPrompt) -> JSONValue {
    .object([
      "text": .string(prompt.text), "askedSeconds": .seconds(Instant.zero.duration(to: prompt.asked)),
      "answeredSeconds": prompt.answered.map { .seconds(Instant.zero.duration(to: $0)) } ?? .null,
      "answer": .optional(prompt.answer),
    ])
  }

  private static func repetitions(_ repetitions: RunReport.Repetitions) -> JSONValue {
    let scenarios = repetitions.tallies.map { tally in
      JSONValue.object([
        "id": .string(tally.id), "cell": .string(tally.cell), "failed": .integer(tally.failed),
        "judged": .integer(tally.judged), "low": tally.interval.map { .millionths($0.low) } ?? .null,
        "high": tally.interval.map { .millionths($0.high) } ?? .null, "benchErrors": .integer(tally.benchErrors),
        "harnessErrors": .integer(tally.harnessErrors), "blocked": .integer(tally.blocked),
      ])
    }
    return .object([
      "turns": .integer(repetitions.turns), "interval": .string(WilsonInterval.name),
      "unlisted": .integer(repetitions.unlisted), "scenarios": .array(scenarios),
    ])
  }

  private static func requirement(_ result: RequirementResult) -> JSONValue {
    .object([
      "id": .string(result.requirement.id), "judges": .string(result.requirement.judges.rawValue),
      "outcome": .string(result.outcome.word), "reason": .optional(result.outcome.reason),
      "evidence": .array(result.evidence.map(JSONValue.string)),
    ])
  }

  private static func scenario(_ scenario: ScenarioReport, _ isSimulated: Bool) -> JSONValue {
    var more: [(String, JSONValue)] = []
    if !scenario.answers.isEmpty { more.append(("answers", .array(scenario.answers.map(\.json)))) }
    if let leftover = scenario.leftover { more.append(("leftover", .string(leftover))) }
    return .object(members(scenario, isSimulated) + more)
  }

  private static func members(_ scenario: ScenarioReport, _ isSimulated: Bool) -> [(String, JSONValue)] {
    let members: KeyValuePairs<String, JSONValue> = [
      "id": .string(scenario.id), "title": .string(scenario.title), "file": .string(scenario.file),
      "line": .integer(scenario.line), "cell": .string(scenario.cell),
      "requirements": .array(scenario.requirements.map(JSONValue.string)),
      "verdict": .string(scenario.verdict.kind.rawValue), "reason": .optional(scenario.verdict.reason),
      "judges": .optional(scenario.verdict.failure?.judges.rawValue),
      "violated": .optional(scenario.verdict.failure?.requirement),
      "repetition": .integer(scenario.repetition),
      "attempts": .array(scenario.attempts.map { .string($0.kind.rawValue) }),
      "virtualSeconds": isSimulated ? .seconds(scenario.virtualDuration) : .null,
      "wallSeconds": .seconds(scenario.wallDuration),
      "traceHash": .optional(scenario.traceHash?.description), "capture": .optional(scenario.capture),
      "prompts": .array(scenario.prompts.map(prompt)), "recovery": .optional(scenario.recovery),
      "replay": .string(scenario.replay),
    ]
    return members.map { ($0.key, $0.value) }
  }
}

extension StepReport.Answer {
  /// Question, answer as it was typed, what it was taken for, and when.
  var json: JSONValue {
    .object([
      "question": .string(question), "answer": .string(text), "isYes": .boolean(isYes),
      "answeredAt": .string(UTCTime.text(answeredAt)),
    ])
  }
}
