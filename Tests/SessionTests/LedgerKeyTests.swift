import Recorder
import Runner
import ScenarioLanguage
import Testing
import World
import YAML

@testable import Session

/// By what results of the same scenario and firmware are found again.
@Suite struct LedgerKeys {
  @Test func aPlainRunIsAboutItsFirmwareAlone() {
    var plan = RunPlan()
    #expect(plan.firmware == "profile:reference")
    plan.target = .image
    plan.imageDigest = "ab"
    #expect(plan.firmware == "image:ab")
  }

  @Test func anotherPhoneIsAnotherSubject() {
    var plan = RunPlan()
    plan.settings.phone = .published
    #expect(plan.firmware == "profile:reference; phone published")
  }

  @Test func whatChangesAnExecutedImageIsTold() throws {
    var plan = RunPlan()
    plan.target = .image
    plan.imageDigest = "ab"
    plan.settings.program.conditions = ["bootloader cd", "processor time 1.0 seconds"]
    plan.settings.faults = [try #require(PlantedFault("recorder:list-reversed"))]
    #expect(
      plan.firmware == "image:ab; bootloader cd; processor time 1.0 seconds; faults recorder:list-reversed")
  }

  /// What models a release decides what it shows; a real recorder has no profile.
  @Test func theProfileOfAReleaseIsACondition() {
    var plan = RunPlan()
    plan.firmwareName = "release:1.4.0@ab"
    #expect(plan.firmware == "release:1.4.0@ab")
    plan.settings.profile = .published
    #expect(plan.firmware == "release:1.4.0@ab; profile firmware-1.4")
    plan.target = .hardware
    #expect(plan.firmware == "release:1.4.0@ab")
  }

  /// Traces with keys and recordings in them have other hashes.
  @Test func fullCapturesAreAnotherSubject() {
    var plan = RunPlan()
    plan.settings.isUncovered = true
    #expect(plan.firmware == "profile:reference; full captures")
  }

  /// One sample wherever a sound is asked for.
  private struct OneSample: SoundLibrary {
    let value: Int16
    func samples(_ name: String) throws(ControlFailure) -> [Int16] { [value] }
  }

  private static func fingerprint(_ body: String, _ sample: Int16?) throws -> String {
    let file = SourceFile(path: "a.yaml", text: "scenario: a\nid: a\n\(body)\n")
    let library = ScenarioLibrary(files: [file], vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    let scenario = try #require(library.scenarios.first, "\(library.report.text(colour: false))")
    let performer = sample.map { LivePerformer(sounds: OneSample(value: $0), firmware: NoFirmware()) }
    return ScenarioFingerprints([file], reading: performer)[scenario]
  }

  @Test(arguments: [
    "steps:\n  - device: {press: {hold: 1 s, sound: my.wav}}",
    "steps:\n  - wait: 1 s\nalways:\n  - device: {press: {hold: 1 s, sound: my.wav}}",
    "given:\n  device: {records: {count: 1, sound: my.wav}}\nsteps:\n  - wait: 1 s",
  ])
  func aScenarioWithAnotherSoundIsAnotherOne(body: String) throws {
    #expect(try Self.fingerprint(body, 1) == Self.fingerprint(body, 1))
    #expect(try Self.fingerprint(body, 1) != Self.fingerprint(body, 2))
  }

  @Test func aScenarioThatNamesNothingKeepsItsFingerprint() throws {
    let body = "steps:\n  - device: {press: 2 s}"
    #expect(try Self.fingerprint(body, 1) == Self.fingerprint(body, nil))
  }
}
