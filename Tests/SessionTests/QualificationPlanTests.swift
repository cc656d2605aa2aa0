import Foundation
import Ledger
import Runner
import ScenarioLanguage
import Testing
import Verdicts
import YAML

@testable import Session

/// Scenarios of which plans and ledgers tell.
private enum Library {
  static let files = ["a", "b"].map { id in
    SourceFile(path: "\(id).yaml", text: "scenario: \(id)\nid: \(id)\nsteps:\n  - device: {press: 2 s}\n")
  }
  static let scenarios = ScenarioLibrary(
    files: files, vocabulary: DictofunVocabulary.vocabulary(requirements: [])
  ).scenarios
}

@Suite struct QualificationPlans {
  private static func plan(_ text: String) throws -> QualificationPlan {
    let (plan, diagnostics) = QualificationPlan.read(
      SourceFile(path: "plan.yaml", text: text), requirements: ["DEV-1"], scenarios: Library.scenarios,
      releases: [])
    return try #require(plan, "\(diagnostics)")
  }

  @Test func aQuarantineHoldsThroughItsLastDay() throws {
    let plan = try Self.plan(
      """
      quarantine:
        - {scenario: a, by: Ada, until: 2026-06-30, why: bench}
      waivers:
        - {requirement: DEV-1, by: Ada, until: 2026-06-30, why: soon}
      """)
    let (a, b) = (Library.scenarios[0], Library.scenarios[1])
    #expect(plan.quarantine(of: a, on: "2026-06-30")?.grantedBy == "Ada")
    #expect(plan.quarantine(of: a, on: "2026-07-01") == nil)
    #expect(plan.quarantine(of: b, on: "2026-06-30") == nil)
    #expect(plan.expired(on: "2026-06-30") == [])
    #expect(
      plan.expired(on: "2026-07-01") == [
        "the waiver of DEV-1 (plan.yaml:4) expired on 2026-06-30; a violation counts again",
        "the quarantine of a expired on 2026-06-30; a flaky result counts again",
      ])
  }

  @Test func onlyWhatIsNamedIsRepeated() throws {
    let plan = try Self.plan("repeat:\n  - {scenarios: [b], below: 2 %}")
    #expect(plan.question(about: Library.scenarios[0]) == nil)
    #expect(plan.question(about: Library.scenarios[1]) != nil)
  }
}

@Suite struct LedgerResultsTests {
  private static let subject = LedgerResults.Subject(
    program: "p", target: "simulated", firmware: "f", rules: "r", seed: 1)

  /// A ledger with one run for each of the given changes, in which scenario `a` ends as stated.
  private static func results(
    _ runs: [(verdict: Verdict.Kind, change: (inout LedgerRun) -> Void)], hash: String? = nil
  ) throws -> LedgerResults {
    let path = NSTemporaryDirectory() + "results-\(getpid())-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ledger = try RunLedger(.file(path), for: .writing, program: "test") { 5 }
    let fingerprints = ScenarioFingerprints(Library.files)
    for (number, (verdict, change)) in runs.enumerated() {
      var run = LedgerRun(
        id: "\(number)", program: "p", target: "simulated", firmware: "f", rules: "r", seed: 1, operatorName: "Ada",
        host: "here", started: 1)
      change(&run)
      try ledger.begin(run)
      try ledger.add(
        LedgerVerdict(
          key: ResultKey(run: run.id, scenario: "a", cell: "", repetition: 0),
          scenarioHash: hash ?? fingerprints[Library.scenarios[0]], verdict: verdict.rawValue, reason: run.id,
          attempts: [verdict.rawValue], traceHash: nil, recorded: 3), [], [])
    }
    return try LedgerResults(ledger, about: subject, Library.scenarios, fingerprints)
  }

  @Test func whatWasJudgedIsFound() throws {
    let results = try Self.results([(.failed, { _ in })])
    #expect(results[Library.scenarios[0], 0]?.verdict.verdict == "failed")
    #expect(results[Library.scenarios[0], 1] == nil)
    #expect(results[Library.scenarios[1], 0] == nil)
  }

  /// What another program, firmware, seed or rule judged says nothing here.
  @Test func whatIsAboutSomethingElseIsNotTaken() throws {
    let changes: [(inout LedgerRun) -> Void] = [
      { $0.program = "q" }, { $0.target = "image" }, { $0.firmware = "g" }, { $0.rules = "s" }, { $0.seed = 2 },
    ]
    for (number, change) in changes.enumerated() {
      let results = try Self.results([(.passed, change)])
      #expect(results[Library.scenarios[0], 0] == nil, "change \(number)")
    }
    #expect(try Self.results([(.passed, { _ in })], hash: "other")[Library.scenarios[0], 0] == nil)
  }

  /// A bench error holds a place until something is judged; the first that was judged stays.
  @Test func aBenchErrorGivesWay() throws {
    let results = try Self.results([
      (.benchError, { _ in }), (.harnessError, { _ in }), (.failed, { _ in }), (.passed, { _ in }),
    ])
    #expect(results[Library.scenarios[0], 0]?.verdict.reason == "2")
    let only = try Self.results([(.benchError, { _ in })])
    #expect(only[Library.scenarios[0], 0]?.isDecided == false)
  }

  /// What was blocked is told until something is judged, and is tried again.
  @Test func whatWasBlockedGivesWay() throws {
    let blocked = try Self.results([
      (.benchError, { _ in }), (.blocked, { _ in }), (.blocked, { _ in }), (.benchError, { _ in }),
    ])
    #expect(blocked[Library.scenarios[0], 0]?.verdict.reason == "2")
    #expect(blocked[Library.scenarios[0], 0]?.isDecided == false)
    let judged = try Self.results([(.blocked, { _ in }), (.passed, { _ in }), (.blocked, { _ in })])
    #expect(judged[Library.scenarios[0], 0]?.verdict.reason == "1")
  }
}
