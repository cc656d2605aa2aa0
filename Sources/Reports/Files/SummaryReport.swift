import Requirements
import Timeline

/// `summary.json`: what scripts read of a run.
public enum SummaryReport {
  /// Version of the keys; it changes when one is taken away or changes its meaning.
  public static let schemaVersion: Int64 = 1

  /// The octets of the file.
  public static func document(_ run: RunReport) -> [UInt8] {
    let totals = Verdict.Kind.allCases.map { kind in
      JSONValue.Member(key: key(kind), value: .integer(Int64(run.count(kind))))
    }
    return JSONValue.object([
      "schemaVersion": .integer(schemaVersion), "tool": .text(run.tool), "target": .text(run.target),
      "seed": .unsigned(run.seed), "profile": .text(run.profile), "fault": .optional(run.fault),
      "exitCode": .integer(Int64(run.exitCode.rawValue)),
      "interrupted": .flag(run.isInterrupted), "caveat": .optional(run.caveat), "totals": .object(totals),
      "wallSeconds": .seconds(run.wallDuration),
      "virtualSeconds": .seconds(run.virtualDuration), "traceHash": .text(run.traceHash.description),
      "requirements": .list(run.requirements.map(requirement)), "scenarios": .list(run.scenarios.map(scenario)),
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

  private static func requirement(_ result: RequirementResult) -> JSONValue {
    .object([
      "id": .text(result.requirement.id), "judges": .text(result.requirement.judges.rawValue),
      "outcome": .text(result.outcome.word), "reason": .optional(result.outcome.reason),
      "evidence": .list(result.evidence.map(JSONValue.text)),
    ])
  }

  private static func scenario(_ scenario: ScenarioReport) -> JSONValue {
    .object([
      "id": .text(scenario.id), "title": .text(scenario.title), "file": .text(scenario.file),
      "line": .integer(Int64(scenario.line)), "cell": .text(scenario.cell),
      "requirements": .list(scenario.requirements.map(JSONValue.text)),
      "verdict": .text(scenario.verdict.kind.rawValue), "reason": .optional(scenario.verdict.reason),
      "judges": .optional(scenario.verdict.failure?.judges.rawValue),
      "violated": .optional(scenario.verdict.failure?.requirement),
      "attempts": .list(scenario.attempts.map { .text($0.kind.rawValue) }),
      "virtualSeconds": .seconds(scenario.virtualDuration), "wallSeconds": .seconds(scenario.wallDuration),
      "traceHash": .optional(scenario.traceHash?.description), "capture": .optional(scenario.capture),
      "replay": .text(scenario.replay),
    ])
  }
}
