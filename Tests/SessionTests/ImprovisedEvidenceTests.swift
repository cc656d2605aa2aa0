import HCI
import Reports
import Requirements
import Runner
import ScenarioLanguage
import Testing
import Verdicts
import YAML

@testable import Session

/// Evidence of scenarios whose phone writes what a step says: its capture accuses the phone, and does not know better.
@Suite struct ImprovisedEvidence {
  /// An init packet is executed of which nothing was sent.
  private static let text = """
    scenario: tried by a test
    id: try
    verifies: [DEV-11]
    given:
      phone: {bonded: true}
    steps:
      - phone: connect
      - phone: enter-bootloader
      - phone: connect-bootloader
      - phone: {ask-bootloader: "01 01 14 00 00 00"}
      - phone: {ask-bootloader: "04"}
    """

  private static func trial(_ change: (inout ScenarioReport) -> Void = { _ in }) throws -> EvidenceTrial.Result {
    let catalogue = try RequirementCatalogue(
      Array("- {id: DEV-11, requires: something, judges: recorder, simulated: events, hardware: events}\n".utf8))
    let library = ScenarioLibrary(
      files: [SourceFile(path: "try.yaml", text: text)],
      vocabulary: DictofunVocabulary.vocabulary(requirements: ["DEV-11"]))
    let scenario = try #require(library.scenarios.first, "\(library.report.text())")
    let output = CollectedCapture()
    let sink = try CaptureSink(to: output, .btsnoop, note: "")
    let performer = LivePerformer(sounds: NoSounds(), firmware: NoPackages())
    var report = performer.perform(scenario, RunSettings(), sinks: [sink], observer: nil)
    try sink.close(keeping: true)
    report.capture = "captures/try.btsnoop"
    change(&report)
    // As if it had been a bench, whose captures are judged again.
    let run = RunReport(
      tool: "dictobench 1", seed: 1, profile: nil, target: "hardware", host: "here", startedAt: 0, scenarios: [report],
      requirements: RequirementResult.of([report], in: catalogue, target: .hardware))
    return EvidenceTrial(of: run, in: catalogue, library) { _ in output.octets }.result(nil)
  }

  @Test func itsCaptureIsNotHeldAgainstIt() throws {
    let result = try Self.trial()
    #expect(result.contradictions == [])
    #expect(result.unchecked.first?.hasPrefix("try: a phone wrote what a step or the bench chose") == true)
    #expect(result.judged == 0)
  }

  @Test func aPhoneThatWroteItsOwnIsAccused() throws {
    let result = try Self.trial { $0.isImprovised = false }
    #expect(result.contradictions.first?.contains("its capture violates APP-1.4.1") == true)
  }
}

/// A capture in memory.
private final class CollectedCapture: CaptureOutput {
  let pieceLength = 4096
  private(set) var octets: [UInt8] = []

  func write(_ octets: [UInt8]) { self.octets += octets }
  func commit() {}
  func abandon() {}
}
