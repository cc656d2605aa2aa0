import Foundation
import Ledger
import Testing
import Verdicts

@testable import Session

/// A report and a ledger that say the same, until one of them is changed.
@Suite struct LedgerExtracts {
  private static func scenario(_ id: String, _ verdict: Verdict) -> ScenarioReport {
    var report = ScenarioReport(
      id: id, title: id, file: "a.yaml", line: 1, requirements: ["DEV-1"], verdict: verdict, replay: "")
    report.attempts = verdict == .passed ? [Sample.failed, .passed] : [verdict]
    return report
  }

  private static var report: RunReport {
    RunReport(
      tool: "dictobench 1", seed: 7, profile: "reference", target: "simulated", host: "here", startedAt: 0,
      scenarios: [scenario("a", .passed), scenario("b", Sample.failed)])
  }

  /// What a ledger holds after that run, without the rows that `isLost` names.
  private static func extract(of report: RunReport, isLost: (String) -> Bool = { _ in false }) throws -> LedgerExtract {
    let path = NSTemporaryDirectory() + "extract-\(getpid())-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ledger = try RunLedger(.file(path), for: .writing, program: "test") { 5 }
    try ledger.begin(
      LedgerRun(
        id: "r", program: "dictobench 1 (build 3)", target: report.target, firmware: "profile:reference", rules: "",
        seed: 7, operatorName: "Ada", host: "here", started: 1))
    for scenario in report.scenarios where !isLost(scenario.id) {
      let key = ResultKey(run: "r", scenario: scenario.id, cell: "", repetition: 0)
      for (number, attempt) in scenario.attempts.enumerated() where !isLost("\(scenario.id) \(number)") {
        try ledger.add(
          LedgerAttempt(
            key: key, number: number, scenarioHash: "h", verdict: attempt.kind.rawValue, reason: attempt.reason,
            traceHash: nil, began: 1, ended: 2))
      }
      try ledger.add(
        LedgerVerdict(
          key: key, scenarioHash: "h", verdict: scenario.verdict.kind.rawValue, reason: scenario.verdict.reason,
          attempts: scenario.attempts.map(\.kind.rawValue), traceHash: nil, recorded: 3),
        RequirementStatement.of(scenario), [Figure("time", 4, "ns")])
    }
    try ledger.end("r", status: report.exitCode.rawValue)
    return try LedgerExtract(of: [], in: ledger)
  }

  @Test func whatAgreesIsNotContradicted() throws {
    let extract = try Self.extract(of: Self.report)
    #expect(extract.contradictions(to: Self.report) == [])
    #expect(extract.verdictCount == 2)
    let read = try LedgerExtract(document: extract.document)
    #expect(read == extract)
    #expect(String(decoding: extract.document, as: UTF8.self).split(separator: "\n").count == 6)
  }

  /// What is changed in the report, and the sentence about it.
  private static let forgeries: [(sentence: String, change: @Sendable (inout RunReport) -> Void)] = [
    ("b: the ledger says failed (failed), the report passed (failed)", { $0.scenarios[1].verdict = .passed }),
    (
      "a: the ledger says passed (failed, passed), the report passed (passed)", { $0.scenarios[0].attempts = [.passed] }
    ),
    ("b: the ledger holds a verdict that the report leaves out", { $0.scenarios.removeLast() }),
    ("c: the ledger holds 0 verdicts, expected one", { $0.scenarios.append(scenario("c", .passed)) }),
    ("b: the ledger says something else about requirements than the report", { $0.scenarios[1].requirements = [] }),
    ("the ledger's run r has the seed 7, the report 8", { $0.seed = 8 }),
    ("the ledger's run r has the target simulated, the report image", { $0.target = "image" }),
    ("the ledger's run r has the firmware profile:reference, the report profile:reference+x", { $0.fault = "x" }),
    ("the ledger's run r has the firmware profile:reference, the report i 0123", { $0.image = "i 0123" }),
    (
      "the ledger's run r has the program dictobench 1 (build 3), the report dictobench 2", { $0.tool = "dictobench 2" }
    ), ("the ledger's run r ended with exit code 1, the report says 130", { $0.isInterrupted = true }),
  ]

  @Test(arguments: forgeries.indices) func whatTheReportChangesIsFound(_ index: Int) throws {
    let extract = try Self.extract(of: Self.report)
    var report = Self.report
    Self.forgeries[index].change(&report)
    let found = extract.contradictions(to: report)
    #expect(found.contains(Self.forgeries[index].sentence), "\(found)")
  }

  /// A run with another phone or with another processor time is the same run where the report states the phone.
  @Test func theConditionsOfARunAreCompared() throws {
    var report = Self.report
    let plain = try Self.extract(of: report)
    let extract = try LedgerExtract(
      document: Array(
        String(decoding: plain.document, as: UTF8.self)
          .replacing("profile:reference", with: "profile:reference; processor time 1.0 seconds; phone published").utf8))
    #expect(
      extract.contradictions(to: report) == [
        "the ledger's run r has the firmware profile:reference; processor time 1.0 seconds; phone published, the report "
          + "profile:reference"
      ])
    report.phone = "published"
    #expect(extract.contradictions(to: report) == [])
    #expect(plain.contradictions(to: report) == [], "ledgers of earlier versions do not state the phone")
  }

  @Test func fullCapturesAreComparedToo() throws {
    var report = Self.report
    let extract = try LedgerExtract(
      document: Array(
        String(decoding: try Self.extract(of: report).document, as: UTF8.self)
          .replacing("profile:reference", with: "profile:reference; full captures").utf8))
    #expect(extract.contradictions(to: report).count == 1)
    report.isUncovered = true
    #expect(extract.contradictions(to: report) == [])
  }

  @Test func attemptsThatTheLedgerLacksAreFound() throws {
    let extract = try Self.extract(of: Self.report) { $0 == "a 0" }
    #expect(
      extract.contradictions(to: Self.report) == [
        "a: the ledger holds the attempts passed, its verdict names failed, passed"
      ])
  }

  @Test(arguments: ["{}\n", "not JSON\n", "{\"run\":{}}\n", "\n", "{\"attempt\":null}"])
  func whatIsNotAnExtractIsRefused(text: String) {
    #expect(throws: LedgerExtract.Failure.self) { try LedgerExtract(document: Array(text.utf8)) }
  }
}
