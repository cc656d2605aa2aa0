import Testing
import Timeline

@testable import Verdicts

/// What a run says about requirements follows from evidence, never from a scenario that merely passed.
@Suite struct Evidence {
  private static let catalogue: String = [
    ("APP-1", "phone", "{first: one, second: two}"), ("APP-2", "phone", ""),
    ("DEV-1", "recorder", "{soon: one, late: two}"),
    ("DEV-2", "recorder", ""), ("HIL-1", "harness", "{a: one, b: two}"),
  ].map { id, judges, clauses in
    "- id: \(id)\n  requires: something\n  judges: \(judges)\n" + (clauses.isEmpty ? "" : "  clauses: \(clauses)\n")
      + (id == "HIL-1" ? "  app: a run\n" : "  simulated: events\n  hardware: events\n")
  }.joined()

  private static func step(_ shows: [String], _ outcome: StepOutcome = .passed, isDecided: Bool = true) -> StepReport {
    var step = StepReport(sentence: "", file: "a.yaml", line: 2, began: .zero, ended: .zero, outcome: outcome)
    step.shows = shows
    step.isDecided = isDecided
    return step
  }

  private static func scenario(
    _ id: String, verifies: [String], _ verdict: Verdict = .passed, steps: [StepReport] = [],
    findings: [MonitorFinding] = []
  ) -> ScenarioReport {
    ScenarioReport(
      id: id, title: "", file: "a.yaml", line: 1, requirements: verifies, verdict: verdict, replay: "", steps: steps,
      findings: findings)
  }

  private static func finding(
    _ id: String, _ outcome: RequirementOutcome, shows: [String] = []
  ) -> MonitorFinding {
    MonitorFinding(
      declaration: MonitorDeclaration(id, "holds", judges: .recorder, shows: shows), outcome: outcome, preconditions: 1,
      met: 1, violations: [])
  }

  private static func failed(_ violated: [String]) -> Verdict {
    .failed(DeviceFailure(judges: .pair, violated: violated, reason: "late", instant: .zero))
  }

  private static func outcomes(
    _ scenarios: [ScenarioReport], target: TargetKind = .simulated, attested: [Attestation] = []
  ) throws -> [String: RequirementOutcome] {
    let results = RequirementResult.of(
      scenarios, in: try RequirementCatalogue(Array(catalogue.utf8)), target: target, attestations: attested)
    return Dictionary(uniqueKeysWithValues: results.map { ($0.requirement.id, $0.outcome) })
  }

  @Test func passingAloneShowsNothing() throws {
    let said = try Self.outcomes([Self.scenario("a", verifies: ["APP-1", "APP-2"], steps: [Self.step([])])])
    #expect(said["APP-1"] == .notExercised)
    #expect(said["APP-2"] == .notExercised)
  }

  @Test func everyClauseMustBeShownByAssertionOrMonitor() throws {
    let first = Self.scenario("a", verifies: ["APP-1"], steps: [Self.step(["APP-1/first", "APP-2"])])
    #expect(try Self.outcomes([first])["APP-1"] == .partlyShown(missing: ["second"]))
    #expect(try Self.outcomes([first])["APP-2"] == .shown)
    let second = Self.scenario("b", verifies: [], findings: [Self.finding("APP-1", .shown, shows: ["second"])])
    #expect(try Self.outcomes([first, second])["APP-1"] == .shown)
    let unnamed = Self.scenario(
      "b", verifies: [], findings: [Self.finding("APP-1", .shown), Self.finding("DEV-2", .shown)])
    #expect(try Self.outcomes([first, unnamed])["APP-1"] == .partlyShown(missing: ["second"]))
    #expect(try Self.outcomes([unnamed])["DEV-2"] == .shown)
  }

  @Test func aClauseIsShownOnlyWhereAllItsAssertionsWereDecided() throws {
    for end in [
      Self.step(["DEV-2"], .skipped, isDecided: false), Self.step(["DEV-2"], .failed("x", .pair), isDecided: false),
    ] {
      let scenario = Self.scenario(
        "a", verifies: ["DEV-2"], Self.failed([]), steps: [Self.step(["DEV-2"]), end])
      guard case .notJudged = try Self.outcomes([scenario])["DEV-2"] else {
        Issue.record("DEV-2 is judged")
        continue
      }
    }
    for verdict in [Verdict.flaky(reason: "x"), .benchError(BenchTrouble("cable"))] {
      let scenario = Self.scenario("a", verifies: ["DEV-2"], verdict, steps: [Self.step(["DEV-2"])])
      #expect(try Self.outcomes([scenario])["DEV-2"]?.word == "notJudged")
    }
  }

  @Test func aFailureViolatesWhatItsAssertionWasMarkedForAndNothingElse() throws {
    let steps = [
      Self.step(["DEV-1/soon"], .failed("late", .recorder)), Self.step(["APP-2"], .skipped, isDecided: false),
    ]
    let scenario = Self.scenario(
      "a", verifies: ["DEV-1", "APP-2", "DEV-2"], Self.failed(["DEV-1/soon"]), steps: steps)
    let said = try Self.outcomes([scenario])
    #expect(said["DEV-1"] == .violated("late"))
    #expect(said["APP-2"]?.word == "notJudged")
    #expect(said["DEV-2"]?.word == "notJudged")
    #expect(said["APP-1"] == .notExercised)
  }

  @Test func aFailureThatNamesNothingIsCountedAndViolatesNothing() throws {
    var run = RunReport(tool: "", seed: 1, profile: nil, target: "simulated", host: "", startedAt: 0)
    run.scenarios = [
      Self.scenario("a", verifies: ["DEV-1"], Self.failed([])),
      Self.scenario("b", verifies: [], Self.failed(["DEV-2"])),
    ]
    #expect(run.unattributedFailures == 1)
    let said = try Self.outcomes(run.scenarios)
    #expect(said["DEV-1"]?.word == "notJudged")
    #expect(said["DEV-2"] == .violated("late"))
  }

  @Test func attestationsShowWhatNoRunCan() throws {
    let one = Attestation(requirement: "HIL-1", clause: "a", check: "x", measured: "1 of 1", tool: "t")
    var other = one
    other.clause = "b"
    #expect(try Self.outcomes([])["HIL-1"]?.word == "notObservable")
    #expect(try Self.outcomes([], attested: [one])["HIL-1"] == .partlyShown(missing: ["b"]))
    #expect(try Self.outcomes([], attested: [one, other])["HIL-1"] == .shown)
  }

  /// What a run on the target cannot be about is told as such, and not demanded; the harness is demanded everywhere.
  @Test func onHardwareThePhoneIsNotJudged() throws {
    let scenario = Self.scenario("a", verifies: [], Self.failed(["APP-2"]), steps: [Self.step(["APP-1/first"])])
    let results = RequirementResult.of(
      [scenario], in: try RequirementCatalogue(Array(Self.catalogue.utf8)), target: .hardware)
    let words = results.map { "\($0.outcome.word) \($0.isOutstanding(on: .hardware))" }
    #expect(
      words == [
        "notObservable false", "notObservable false", "notExercised true", "notExercised true", "notObservable true",
      ])
  }
}
