import Foundation
import Recorder
import Runner
import ScenarioLanguage
import SecureDFU
import Testing
import Verdicts
import World
import YAML

@testable import Proof

private struct Silence: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] { [0] }
}

private struct NoFirmware: FirmwareLibrary {
  func catalogue() throws(ControlFailure) -> FirmwareCatalogue { throw .impossible("no firmware") }
  func package(_ name: String) throws(ControlFailure) -> [UInt8] { throw .impossible("no firmware") }
}

@Suite struct CounterexampleScenarios {
  private static let fragments = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "scenarios/fragments")

  private static func run(_ text: String, _ faults: [PlantedFault]) throws -> Verdict {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fragments.path).sorted()
    let files = try names.map {
      SourceFile(path: $0, text: try String(contentsOf: Self.fragments.appending(path: $0), encoding: .utf8))
    }
    let library = ScenarioLibrary(
      files: files + [SourceFile(path: "refuted.yaml", text: text)],
      vocabulary: DictofunVocabulary.vocabulary(requirements: ["APP-1.2"]))
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    var settings = RunSettings()
    settings.faults = faults
    let scenario = try #require(library.scenarios.first)
    return ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run().verdict
  }

  private static func fails(_ text: String, _ faults: [PlantedFault]) throws -> Bool {
    if case .failed = try run(text, faults) { true } else { false }
  }

  private static func scenario(_ plan: MeetingPlan, published: [String] = []) throws -> String {
    let space = try StateSpace(plan)
    let counterexample = try #require(Counterexample(space, Ranks(space)))
    return try CounterexampleScenario(counterexample, of: plan, published: published).text
  }

  @Test(arguments: ["deaf-after-break", "deaf-after-second-request", "loses-records-at-power-cut"])
  func aFaultFailsTheScenarioThatRefutesIt(_ name: String) throws {
    let fault = try #require(RecorderFault(name))
    let text = try Self.scenario(plan { $0.profile = $0.profile.with(fault) })
    #expect(try Self.fails(text, [.recorder(fault)]), "\(text)")
    #expect(try Self.run(text, []) == .passed, "\(text)")
  }

  @Test(arguments: [PublishedBehaviour.linkLoss, .powerCut])
  func aPublishedBehaviourFailsTheScenarioThatRefutesIt(_ behaviour: PublishedBehaviour) throws {
    let plan = plan { $0.profile = $0.profile.with(behaviour) }
    let text = try Self.scenario(plan, published: [behaviour.rawValue])
    #expect(try Self.fails(text, []), "\(text)")
    let repaired = text.replacing(", published: [\(behaviour.rawValue)]", with: "")
    #expect(try Self.run(repaired, []) == .passed, "\(text)")
  }

  @Test func aFileTellsThatItsScenarioPasses() throws {
    let plan = plan { $0.profile = $0.profile.with(.secondRequest) }
    let space = try StateSpace(plan)
    let counterexample = try #require(Counterexample(space, Ranks(space)))
    var scenario = try CounterexampleScenario(counterexample, of: plan, published: [])
    #expect(!scenario.text.contains("passes"))
    scenario.passes = true
    #expect(scenario.text.contains("This scenario passes all the same"))
    #expect(try Self.run(scenario.text, []) == .passed, "\(scenario.text)")
  }
}
