import Requirements
import ScenarioLanguage
import SecureDFU
import Testing
import World
import YAML

@testable import Runner

/// What a scenario names outside of its file is looked up by lint, so that a run finds no bug of the harness in it.
@Suite struct NamedThingTests {
  private struct OneSound: SoundLibrary {
    func samples(_ name: String) throws(ControlFailure) -> [Int16] {
      guard name == "audio/a.wav" else { throw .impossible("\(name) cannot be read") }
      return [0]
    }
  }

  private func problems(_ body: String) -> [Diagnostic] {
    let vocabulary = DictofunVocabulary.vocabulary(requirements: [], sounds: OneSound(), firmware: NoFirmware())
    let text = "scenario: tried\nid: try\n\(body)\n"
    return ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: vocabulary).diagnostics
      .filter { $0.severity == .error }
  }

  @Test(arguments: [
    ("- device: {press: {hold: 1 s, sound: audio/b.wav}}", "audio/b.wav cannot be read", 40),
    ("- device: {press: {hold: 1 s, sound: ../a.wav}}", "`../a.wav` is not a path below its folder", 40),
    ("- device: {press: {hold: 1 s, sound: /etc/passwd}}", "`/etc/passwd` is not a path below its folder", 40),
    ("- device: {press: {hold: 1 s, sound: audio/../../a}}", "`audio/../../a` is not a path below its folder", 40),
    ("- phone: {publish: 9.9.9}", "release `9.9.9` is not in the catalogue", 22),
    ("- phone: {update: ../x.zip}", "`../x.zip` is not a path below its folder", 21),
    ("- phone: {update: x.zip}", "no firmware is available, so x.zip is not found", 21),
    ("- phone: {ask-bootloader: \"06 0\"}", "`06 0` is not octets in hexadecimal", 29),
    ("- phone: {write-control-point: xyz}", "`xyz` is not octets in hexadecimal", 34),
    ("- phone: {send-to-bootloader: {octets: \"0g\"}}", "`0g` is not octets in hexadecimal", 42),
    ("- phone: {connect: nobody}", "`given` has no recorder `nobody`", 22),
    ("- phone: {sync: {to: nobody}}", "`given` has no recorder `nobody`", 24),
  ])
  func aNameThatMeansNothingIsRefusedAtItsPlace(step: String, message: String, column: Int) throws {
    let problem = try #require(problems("steps:\n  \(step)").first)
    #expect(problem.message == message)
    #expect(problem.location.line == 4)
    #expect(problem.location.column == column)
  }

  @Test(arguments: [
    "given:\n  device: {bootloader: {firmware: 1.0.0}}", "given:\n  phone: {feed: [1.0.0]}",
    "given:\n  device: {records: {count: 1, sound: b.wav}}",
  ])
  func whatIsGivenIsLookedUpToo(given: String) {
    #expect(problems(given + "\nsteps:\n  - wait: 1 s").map(\.location.line) == [4])
  }

  @Test(arguments: [
    "- device: {press: {hold: 1 s, sound: audio/a.wav}}", "- phone: {ask-bootloader: \"06 01\"}",
    "- phone: {connect: device}", "- phone: {write-control-point: \"\"}",
  ])
  func whatExistsIsTaken(step: String) {
    #expect(problems("steps:\n  \(step)").isEmpty)
  }

  @Test func valuesOfAMatrixAreLookedUp() {
    let body = "matrix: {sound: [audio/a.wav, audio/c.wav]}\nsteps:\n  - device: {press: {hold: 1 s, sound: $sound}}"
    #expect(problems(body).map(\.message) == ["audio/c.wav cannot be read"])
  }

  @Test func aReleaseThatDoesNotFitItsChipIsRefused() throws {
    let given = "given:\n  device: {bootloader: {firmware: 1.5.0}}\nsteps:\n  - wait: 1 s"
    let scenario = try Playing.scenarios(given)[0]
    let problem = try #require(InstalledFirmwareCheck(firmware: Rubbish()).problems(of: scenario).first)
    #expect(problem.message.hasPrefix("release 1.5.0 cannot be installed"))
    #expect(problem.location.line == 5)
  }

  private struct Rubbish: FirmwareLibrary {
    func catalogue() throws(ControlFailure) -> FirmwareCatalogue { FirmwareCatalogue([]) }
    func package(_ name: String) throws(ControlFailure) -> [UInt8] { [1, 2, 3] }
  }
}
