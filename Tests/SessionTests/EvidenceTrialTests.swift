import HCI
import Requirements
import Runner
import ScenarioLanguage
import Testing
import Timeline
import Verdicts

@testable import Session

/// What the report of a bench says is held against its captures, its attempts and its attestations.
@Suite struct EvidenceTrials {
  private static let catalogue = try? RequirementCatalogue(
    Array(
      """
      - id: DEV-4
        requires: something
        judges: recorder
        simulated: events
        hardware: events
      - id: HIL-1
        requires: something
        judges: harness
        app: a run

      """.utf8))

  /// A capture in which one command is sent.
  private static var capture: [UInt8] {
    var octets = BtsnoopWriter.fileHeader
    BtsnoopWriter().append(
      .sent(HCIPacket(.command, [3, 0x0C, 0])), adapter: 0, unixMicroseconds: 1_700_000_000_000_000, to: &octets)
    return octets
  }

  private static func run(
    _ verdict: Verdict = .passed, attempts: [Verdict] = [], findings: [MonitorFinding] = [],
    attestations: [Attestation] = []
  ) throws -> RunReport {
    let scenario = ScenarioReport(
      id: "a", title: "A", file: "a.yaml", line: 1, verdict: verdict, attempts: attempts, capture: "captures/a.btsnoop",
      replay: "", findings: findings)
    var run = RunReport(
      tool: "dictobench 1", seed: 1, profile: nil, target: "hardware", host: "here", startedAt: 0,
      scenarios: [scenario],
      requirements: RequirementResult.of(
        [scenario], in: try #require(catalogue), target: .hardware, attestations: attestations))
    run.attestations = attestations
    return run
  }

  private static func trial(_ run: RunReport, capture: [UInt8] = capture) throws -> EvidenceTrial.Result {
    let library = ScenarioLibrary(files: [], vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    return EvidenceTrial(of: run, in: try #require(catalogue), library) { _ in capture }.result(nil)
  }

  /// What the first monitor that `isMeant` is recorded to have shown.
  private static func shown(_ isMeant: (any Monitor) -> Bool) throws -> MonitorFinding {
    let found = MonitorSet.everyMonitor.first(where: isMeant)
    let monitor = try #require(found)
    return MonitorFinding(
      declaration: monitor.declaration, outcome: .shown, preconditions: 1, met: 1, violations: [])
  }

  @Test func whatHoldsIsNotContradicted() throws {
    let result = try Self.trial(try Self.run())
    #expect(result.contradictions == [])
    #expect(result.unchecked == [])
    #expect(result.judged == 1)
    #expect(result.concluded == 2)
  }

  @Test func aVerdictThatItsAttemptsRefuteIsAContradiction() throws {
    let result = try Self.trial(try Self.run(.passed, attempts: [Sample.failed]))
    #expect(result.contradictions == ["a: is recorded as passed, but its attempts (failed) come to failed"])
  }

  @Test func aCaptureThatIsCutOffIsAContradiction() throws {
    let result = try Self.trial(try Self.run(), capture: Array(Self.capture.dropLast()))
    #expect(result.contradictions.count == 1)
    #expect(result.contradictions.first?.hasPrefix("a: its capture is broken: ") == true)
    #expect(result.judged == 0)
  }

  @Test func whatACaptureDoesNotShowAgainIsAContradiction() throws {
    let finding = try Self.shown { CaptureJudge.canShow($0.declaration) }
    for capture in [Self.capture, BtsnoopWriter.fileHeader] {
      let result = try Self.trial(try Self.run(findings: [finding]), capture: capture)
      let requirement = finding.declaration.requirement
      #expect(
        result.contradictions == [
          "a: is recorded to show \(requirement), but its capture does not: \(finding.declaration.sentence)"
        ])
    }
  }

  /// A bench may have seen by its console what no packet tells.
  @Test func whatNoCaptureCanShowIsNotAskedOfIt() throws {
    let findings = [
      try Self.shown { $0.declaration.needsWorld != nil }, try Self.shown { $0.interests == .oracle },
    ]
    let result = try Self.trial(try Self.run(findings: findings))
    #expect(result.contradictions == [])
    #expect(result.judged == 1)
  }

  @Test func aMonitorThatDoesNotExistIsAContradiction() throws {
    let finding = MonitorFinding(
      declaration: MonitorDeclaration("DEV-4", "all is well", judges: .recorder, needsWorld: "faith"), outcome: .shown,
      preconditions: 1, met: 1, violations: [])
    let result = try Self.trial(try Self.run(findings: [finding]))
    #expect(result.contradictions == ["a: no monitor of this program watches whether all is well (DEV-4)"])
  }

  @Test func aCaptureWithoutPacketsDoesNotAgree() throws {
    let result = try Self.trial(try Self.run(), capture: BtsnoopWriter.fileHeader)
    #expect(result.judged == 0)
    #expect(result.unchecked == ["a: its capture holds no packet from which a device could be judged again"])
  }

  /// Where the bench failed before its first packet, nothing is missing.
  @Test func aCaptureOfABenchThatFailedMayBeEmpty() throws {
    let result = try Self.trial(try Self.run(Sample.benchError), capture: BtsnoopWriter.fileHeader)
    #expect(result.judged == 1)
    #expect(result.unchecked == [])
  }

  @Test func inventedAttestationsAreContradictions() throws {
    let invented = Attestation(
      requirement: "DEV-4", clause: nil, check: "a check", measured: "1 of 1", tool: "dictobench 1")
    let result = try Self.trial(try Self.run(attestations: [invented]))
    #expect(
      result.contradictions == ["the report attests DEV-4, which only a run can show: it judges the recorder"])
  }

  @Test func requirementsThatRestOnAttestationsAreCounted() throws {
    let attested = Attestation(
      requirement: "HIL-1", clause: nil, check: "a check", measured: "1 of 1", tool: "dictobench 1")
    let result = try Self.trial(try Self.run(attestations: [attested]))
    #expect(result.contradictions == [])
    #expect(result.concluded == 2)
    #expect(result.attested == 1)
  }
}
