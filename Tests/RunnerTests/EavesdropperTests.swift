import Requirements
import ScenarioLanguage
import Testing
import Verdicts
import World

@testable import Runner

/// What somebody learns who only listens.
@Suite struct Eavesdropping {
  private static func body(_ security: String, _ first: String = "  - air: eavesdrop\n") -> String {
    """
    given:
      device: {security: \(security), records: {count: 2, seconds: 1 s}}
    steps:
    \(first)  - phone: connect
      - phone: pair
      - wait: 100 ms
      - phone: sync
    """
  }

  private static func reasons(_ report: ScenarioReport) -> [String] {
    report.findings.flatMap(\.violations).map(\.reason)
  }

  @Test func aLegacyPairingGivesKeyAndRecordsAway() throws {
    let report = try Playing.run(Self.body("legacy"))
    let reasons = Self.reasons(report)
    #expect(
      reasons.first == "a listener learnt the key of the pairing, which used neither Secure Connections nor a passkey")
    #expect(reasons.count == 3)
    #expect(reasons.dropFirst().allSatisfy { $0.hasPrefix("a listener has record ") })
    #expect(report.verdict.failure?.requirements == ["DEV-10"])
    #expect(report.account?.expected == "somebody who only listens to the air learns neither a key nor a record")
  }

  @Test func secureConnectionsGiveNothingAway() throws {
    for seed in UInt64(1)...25 {
      let report = try Playing.run(Self.body("secure-connections"), seed: seed)
      #expect(Self.reasons(report).isEmpty, "seed \(seed)")
      let finding = report.findings.first { $0.declaration.sentence.hasPrefix("somebody who only listens") }
      #expect(finding?.met == 1, "seed \(seed)")
    }
  }

  /// Listening is passive: with a sniffer a run is the same, also over an air that loses packets.
  @Test func aSnifferChangesNothing() throws {
    for loss in ["", "  - air: {lose: 20 %}\n"] {
      var settings = RunSettings()
      let scenario = try Playing.scenarios(Self.body("legacy", loss))[0]
      let plain = ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
      settings.airListener = { _ in }
      let heard = ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
      #expect(heard.traceHash == plain.traceHash)
      #expect(heard.verdict == plain.verdict)
    }
  }
}
