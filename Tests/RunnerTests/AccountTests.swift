import ScenarioLanguage
import Testing
import Verdicts
import YAML

@testable import Runner

/// A failure tells where it is written, who broke what, what was expected and what was found.
@Suite struct Accounts {
  private static func account(_ body: String, faults: [PlantedFault] = []) throws -> ScenarioReport {
    let text = "scenario: tried by a test\nid: try\nverifies: [APP-1.1]\n\(body)\n"
    let file = SourceFile(path: "try.yaml", text: text)
    let library = ScenarioLibrary(files: [file], vocabulary: Playing.vocabulary)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    var settings = RunSettings()
    settings.faults = faults
    settings.sources = [file]
    return ScenarioRun(library.scenarios[0], settings, sounds: Silence(), firmware: NoFirmware()).run()
  }

  private static let records = "given:\n  device: {records: {count: 2}}\n  phone: {bonded: true}\n"

  @Test func anExpectationIsShownWithItsFieldAndItsLine() throws {
    let report = try Self.account(Self.records + "steps:\n  - phone: sync\n    expect: {downloaded: {at-least: 3}}")
    let account = try #require(report.account)
    #expect(account.place == "try.yaml:9:26")
    #expect(
      account.excerpt == ["9 |     expect: {downloaded: {at-least: 3}}", "  |                          ^"])
    #expect(account.what == "`downloaded` of phone `sync`: Number of records downloaded")
    #expect((account.expected, account.found) == ("at least 3", "2"))
    #expect(report.lastEvents.count == 10)
    #expect(!report.lastEvents.contains { $0.contains("hci") })
  }

  @Test func theObligationThatWasOpenIsTold() throws {
    let fault = try #require(PlantedFault("recorder:list-count-off-by-one"))
    let report = try Self.account(Self.records + "steps:\n  - phone: sync", faults: [fault])
    #expect(report.account?.open.first?.hasPrefix("the list announced 3 records, 2 were sent") == true)
    #expect(report.account?.expected == "success, within 10 min")
  }

  @Test func anEventThatMustNotHappenIsToldInWords() throws {
    let body = Self.records + "steps:\n  - never: {fts.request: {opcode: files-list}}\n    while:\n      - phone: sync"
    let found = try #require(try Self.account(body).account?.found)
    #expect(found.contains("phone → recorder: asks for the list of files"), "\(found)")
  }

  private static let several =
    "given:\n  devices: [{name: green}, {name: blue}]\n  phones: [{name: hers}, {name: his}]\n"

  @Test(arguments: [
    ("device: inspect, as: blue, expect: {records: 9}", "the recorder blue"),
    ("device: inspect, expect: {records: 9}", "the recorder green"),
  ]) func theOneOfSeveralWhoseStepFailsIsNamed(step: String, who: String) throws {
    let report = try Self.account(Self.several + "steps:\n  - {\(step)}")
    #expect(report.account?.who == who)
  }

  /// Steps, conversation and monitors call everybody by the same name.
  @Test func severalAreCalledByTheirNamesOfTheScenario() throws {
    let fault = try #require(PlantedFault("recorder:never-advertises"))
    let body = Self.several + "steps:\n  - {device: power-on, as: blue}\n  - {wait: 30 s}"
    let report = try Self.account(body, faults: [fault])
    let reasons = report.findings.flatMap(\.violations).map(\.reason)
    #expect(reasons.contains("blue has no phone and did not advertise within 2 s"), "\(reasons)")
    #expect(!reasons.contains { $0.contains("recorder 1") })
    #expect(report.account?.found.hasPrefix("green has no phone") == true)
    #expect(report.account?.who == "one of the recorders")
    #expect(report.lastEvents.contains { $0.contains("  blue  ") })
  }

  @Test func whatPassesHasNoAccount() throws {
    #expect(try Self.account("steps:\n  - wait: 1 s").account == nil)
  }
}
