import Bench
import Requirements
import ScenarioLanguage
import Testing
import Verdicts
import World
import YAML

@testable import Runner

/// A verb is one file: what is declared in it is all that the house has to be told.
@Suite struct NewVerbs {
  /// `- device: {whistle: 3}`
  private enum Whistle: Verb {
    static let times = Field<Int>("times", "How often.", default: 1).limited(to: 1...9)
    static let echoes = Field<Int>("echoes", "Echoes that were heard.")
    static let tooLoud = FailureDeclaration("too-loud", "Somebody complained.")

    static let declaration = VerbDeclaration(
      "whistle", of: .device, "Whistles at the recorder.", shorthand: times, results: [echoes], failures: [tooLoud],
      needs: [Capabilities.button], touches: [.records], actuates: [.recorder(.press), .recorder(.release)],
      example: "- device: {whistle: 3}\n  expect: {echoes: 3}")

    static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
      let times = call.arguments[Self.times]
      guard times < 9 else { throw VerbFailure.refused(Self.tooLoud, "nine is too many") }
      var findings = Findings()
      findings.set(Self.echoes, times)
      return findings
    }
  }

  /// `- phone: wave`
  private enum Wave: Verb {
    static let declaration = VerbDeclaration(
      "wave", of: .phone, "Waves.", touches: [.firmware], actuates: [.phone(.sync)], example: "- phone: wave")
    static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings { Findings() }
  }

  private static let verbs: [any Verb.Type] = [Whistle.self, Wave.self]
  private static let vocabulary = DictofunVocabulary.vocabulary(requirements: ["APP-1.1"], additionalVerbs: verbs)

  private func scenario(_ steps: String) throws -> Scenario {
    try Playing.scenarios("steps:\n" + steps, vocabulary: Self.vocabulary)[0]
  }

  private func verdict(_ steps: String) throws -> Verdict {
    var settings = RunSettings()
    settings.additionalVerbs = Self.verbs
    return ScenarioRun(try scenario(steps), settings, sounds: Silence(), firmware: NoFirmware()).run().verdict
  }

  @Test func itRuns() throws {
    #expect(try verdict("  - device: {whistle: 3}\n    expect: {echoes: 3}") == .passed)
    #expect(try verdict("  - device: {whistle: 9}\n    fails: too-loud") == .passed)
    #expect(try verdict("  - device: whistle\n    expect: {echoes: 2}").reason == "echoes: expected 2, found 1")
  }

  @Test func lintSchemaAndReferenceKnowIt() throws {
    let file = SourceFile(
      path: "try.yaml",
      text:
        "scenario: tried\nid: try\nverifies: [APP-1.1]\nsteps:\n  - device: {whistel: 3}\n  - device: {whistle: 12}\n")
    let library = ScenarioLibrary(files: [file], vocabulary: Self.vocabulary)
    #expect(library.diagnostics.map(\.suggestion) == ["whistle", nil])
    #expect(library.diagnostics.last?.location.line == 6)
    #expect(Self.vocabulary.jsonSchema.contains("whistle"))
    #expect(Self.vocabulary.explanation(of: ["device", "whistle"])?.contains("Echoes that were heard.") == true)
  }

  @Test func anOutlookHonoursWhatItTouchesAndActuates() throws {
    let whistles = try scenario("  - device: whistle")
    let byHand = try target("operator: {does: [button, storage]}", isAttended: true)
    #expect(BenchOutlook(whistles, on: byHand).missingCapability == nil)
    // Records are erased before the scenario, and the button is pressed in it.
    #expect(BenchOutlook(whistles, on: byHand).prompts == 2)
    let withoutStorage = try target("operator: {does: [button]}", isAttended: true)
    #expect(BenchOutlook(whistles, on: withoutStorage).missingCapability == "actuators: storage")
    #expect(BenchOutlook(try scenario("  - phone: wave"), on: byHand).missingCapability == "actuators: firmware")
  }

  @Test func anotherApplicationDoesItWhereAHookCan() throws {
    let waves = try scenario("  - phone: wave")
    #expect(ApplicationOutlook(waves, on: try application("sync")).missingCapability == nil)
    #expect(ApplicationOutlook(waves, on: try application("pair")).missingCapability == "phone.sync")
  }

  private func target(_ instruments: String, isAttended: Bool) throws -> HardwareTarget {
    let text = "place: a\nadapters: [\"usb:0\"]\nrecorders:\n  - address: C6:05:04:03:02:01\n    \(instruments)\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    if isAttended { target.attended = OperatorPlace(answers: 0) { _ in } }
    return target
  }

  private func application(_ action: String) throws -> ApplicationTarget {
    let hooks = ["reset", action].map { "{for: \($0), run: [/bin/true]}" }.joined(separator: ", ")
    let text = "place: shelf\nadapters: [\"tcp-client:127.0.0.1:1\"]\nphone: {hooks: [\(hooks)]}\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    return try #require(ApplicationTarget(bench, controller: nil, attended: nil))
  }
}
