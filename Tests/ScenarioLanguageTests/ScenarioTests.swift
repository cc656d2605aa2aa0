import Testing
import YAML

@testable import ScenarioLanguage

@Suite struct ScenarioTests {
  /// Reads one good file; any message is a failure of the test.
  func read(_ file: SourceFile) throws -> [Scenario] {
    let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    return library.scenarios
  }

  @Test func `a matrix makes one named scenario a cell, with its values in place`() throws {
    let scenarios = try read(Vectors.file("good", "library-no-redownload"))
    #expect(
      scenarios.map(\.name) == [1, 7, 8, 253].map { "library-no-redownload[records=\($0)]" })
    #expect(scenarios.map(\.steps.count) == [5, 5, 6, 6], "`when` leaves steps out")
    let last = try #require(scenarios.last)
    #expect(last.requirements == ["APP-2.3", "APP-2.3.1"])
    #expect(last.tags == ["library", "smoke"])
    #expect(last.needs == [TestVocabulary.button, TestVocabulary.battery], "stated and implied, each once")
    let device = try #require(last.given.sections(of: GivenDevice.declaration).first)
    #expect(device.arguments[GivenDevice.records]?.count == 253)
    #expect(device.arguments[GivenDevice.battery] == Share(percent: 84))
    #expect(last.given.sections(of: GivenAir.declaration).map(\.name) == ["air"], "unmentioned, with its defaults")
    #expect(
      last.steps.map { "\($0.location.line) \($0.sentence)" } == [
        "11 phone: sync, expect: {downloaded: 253}", "13 phone: {delete: newest}", "14 phone: sync, within: 20 s",
        "17 device: {press: 2 s}", "18 phone: sync, expect: {downloaded: 1}",
        "20 never: {fts.request: {opcode: file-data, file: deleted}}, for: 1 h",
      ])
    guard case .perform(let call) = last.steps[2].action else { return #expect(Bool(false)) }
    #expect(call.deadline == .seconds(20))
  }

  @Test func `every form of the language is understood`() throws {
    let scenarios = try read(Vectors.file("good", "everything"))
    #expect(
      scenarios.map(\.name) == [
        "everything[loss=5 %,secure=true,turns=2]", "everything[loss=30 %,secure=false,turns=1]",
      ])
    let first = scenarios[0]
    #expect(first.title == "every form of the language, with 5 % lost")
    #expect(first.timeout == .seconds(7_200))
    #expect(first.needs == [TestVocabulary.button], "its verbs need what they need, stated or not")
    #expect(
      first.steps.map { "\($0.turns)\($0.usedFrom.map(\.line)) \($0.sentence)" } == [
        "[][29] air: {lose: 5 %, for: 1 min}", "[][29, 17] wait: 250 ms",
        "[1][] device: {press: 2 s, sound: notes/5 %.wav}, as: hers", "[1][] device: press, as: his-2",
        "[2][] device: {press: 2 s, sound: notes/5 %.wav}, as: hers", "[2][] device: press, as: his-2",
        "[][] phone: {sync: {only: oldest}}, as: phone-2, within: 90 s, expect: {downloaded: {at-least: 1, at-most: 3},"
          + " took: {less-than: 1 min}, records: {contains: \"0000240131120000\"}}",
        "[][] phone: sync, fails: not-permitted", "[][] phone: sync, within: 5 s, may-fail: true",
        "[][] eventually: {battery: {at-least: 24 %}}, within: 6 s, as: phone-1",
        "[][] eventually: link, within: 1 min",
        "[][] never: {link: down}, until: {battery: {level: {one-of: [12 %, 24 %]}}}, within: 1 d",
        "[][] never: {fts.request: {opcode: {not: files-list}, size: {more-than: 20 KiB}}}",
      ])
    let devices = first.given.sections(of: GivenDevice.declaration)
    #expect(devices.map(\.name) == ["hers", "his-1", "his-2"])
    #expect(devices[0].arguments[GivenDevice.drift] == FrequencyError(partsPerBillion: -20_000))
    #expect(
      devices[0].arguments[GivenDevice.clock]
        == CivilDateTime(year: 2024, month: 12, day: 31, hour: 23, minute: 59, second: 58))
    #expect(first.given.sections(of: GivenPhone.declaration).map(\.name) == ["phone-1", "phone-2"])
    let air = try #require(first.given.sections(of: GivenAir.declaration).first)
    #expect(air.arguments[GivenAir.distance] == Distance(millimetres: 7_000), "the scenario hides the fragment's field")
    #expect(air.arguments[GivenAir.floor] == RadioPower(hundredthsOfDBm: -9_500), "and keeps the others")
    guard case .never(_, .during(let during))? = first.steps.last?.action else { return #expect(Bool(false)) }
    #expect(during.map(\.sentence) == ["phone: sync"])
  }

  @Test func `a pattern matches an event by its fields`() throws {
    let scenario = try #require(try read(Vectors.file("good", "library-no-redownload")).first)
    guard case .never(let pattern, .duration(.seconds(3_600)))? = scenario.steps.last?.action else {
      return #expect(Bool(false))
    }
    var findings = Findings()
    findings.set(Observed.opcode, .data)
    #expect(!pattern.matches("fts.request", findings), "a field that the event lacks is not met")
    let name = try #require(RecordName("0000240131120000"))
    findings.set(Observed.file, anyOf: [.record(name), .word("deleted")])
    #expect(pattern.matches("fts.request", findings))
    #expect(!pattern.matches("fts.reply", findings))
    findings.set(Observed.opcode, .list)
    #expect(!pattern.matches("fts.request", findings))
  }

  @Test(arguments: [
    ("device: press", "{}"), ("device: {press: 5 s}", "{hold: 5 s}"), ("device: {press: {hold: 5 s}}", "{hold: 5 s}"),
    ("device: {press, hold: 5 s}", "{hold: 5 s}"), ("device: {press: 5 s, sound: a.wav}", "{hold: 5 s, sound: a.wav}"),
    ("device: {sound: a.wav, press}", "{sound: a.wav}"), ("air: {lose: 30 %, for: 5 s}", "{rate: 30 %, for: 5 s}"),
    ("air: {lose: {rate: 30 %, for: 5 s}}", "{rate: 30 %, for: 5 s}"), ("air: break", "{}"), ("air: {break}", "{}"),
    ("phone: {delete: \"0000240131120000\"}", "{record: \"0000240131120000\"}"),
  ])
  func `a verb may be written in several forms that mean the same`(step: String, arguments: String) throws {
    let text = "scenario: x\nid: x\nverifies: DEV-1\nsteps:\n  - \(step)\n"
    let scenario = try #require(try read(SourceFile(path: "a.yaml", text: text)).first)
    guard case .perform(let call)? = scenario.steps.first?.action else { return #expect(Bool(false)) }
    #expect(call.arguments.description == arguments)
    #expect(scenario.steps.first?.sentence == step)
  }

  @Test(arguments: [
    ("$count > 7", false), ("$count >= 7", true), ("$count < 7", false), ("$count <= 7", true), ("$count == 7", true),
    ("$count != 7", false),
    ("7 < $count", false), ("$v < 3.10 V", true), ("$v >= 3050 mV", true), ("$v == 3.05 V", true), ("$flag", true),
    ("$flag == false", false), ("$word == legacy", true),
  ])
  func `a condition compares numbers, quantities and words`(condition: String, holds: Bool) throws {
    let text = """
      scenario: x
      id: x
      verifies: DEV-1
      matrix: {count: 7, v: 3.05 V, flag: true, word: legacy}
      steps:
        - wait: 1 s
          when: \(condition)
      """
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(!library.hasErrors, "\(library.report.text())")
    #expect(library.scenarios.map(\.steps.count) == [holds ? 1 : 0])
  }

  @Test func `fragments may use one another to a certain depth`() {
    func fragments(_ count: Int) -> String {
      let chain = (1...count).map { "  f\($0): {steps: [\($0 == count ? "{wait: 1 s}" : "{use: f\($0 + 1)}")]}\n" }
      return "scenario: x\nid: x\nverifies: DEV-1\nsteps: [{use: f1}]\nfragments:\n" + chain.joined()
    }
    func diagnostics(_ count: Int) -> [String] {
      let file = SourceFile(path: "a.yaml", text: fragments(count))
      return ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary).diagnostics.map(\.message)
    }
    #expect(diagnostics(LanguageLimits.fragmentDepth).isEmpty)
    #expect(diagnostics(LanguageLimits.fragmentDepth + 1).contains("fragments are nested too deeply"))
  }

  @Test func `two files must not share an id, and fragments may stand in files of their own`() {
    let text = "scenario: x\nid: x\nverifies: DEV-1\nsteps: [{use: nap}]\n"
    let fragment = SourceFile(path: "fragments/nap.yaml", text: "fragment: nap\nsteps: [{wait: 1 s}]\n")
    let files = [SourceFile(path: "a.yaml", text: text), SourceFile(path: "b.yaml", text: text), fragment]
    let library = ScenarioLibrary(files: files, vocabulary: TestVocabulary.vocabulary)
    #expect(
      library.diagnostics.map { "\($0.location) \($0.message)" } == [
        "b.yaml:1:1 duplicate id `x`"
      ])
    #expect(library.scenarios.map(\.steps.first?.location.file) == ["fragments/nap.yaml"])
  }

  @Test(arguments: [
    "scenario: x\nid: x\nverifies: DEV-1\nsteps: [{repeat: 10000, steps: [{repeat: 10000, steps: []}]}]\n",
    "scenario: x\nid: x\nverifies: DEV-1\nsteps: [{repeat: 200, steps: [{repeat: 200, steps: [{phone: sync}]}]}]\n",
    "scenario: x\nid: x\nverifies: DEV-1\nmatrix: {a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}\n"
      + "steps: [{repeat: 9990, steps: [{wait: $a s}]}]\n",
  ])
  func `a small file cannot ask for endless steps`(text: String) {
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(library.diagnostics.contains { $0.message.contains("too many steps") })
    #expect(library.scenarios.isEmpty)
  }

  @Test func `recorders beyond the limit are told, not left out`() {
    let text =
      "scenario: x\nid: x\nverifies: DEV-1\ngiven: {devices: [{count: 10000}, {count: 1}]}\n"
      + "steps: [{wait: 1 s}]\n"
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(library.diagnostics.map(\.message) == ["`devices` has too many"])
    #expect(library.scenarios.isEmpty)
  }
}
