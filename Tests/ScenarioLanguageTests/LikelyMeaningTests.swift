import Testing
import YAML

@testable import ScenarioLanguage

/// What lint takes for the meaning of something wrong, and what it leaves out because it has told it already.
@Suite struct LikelyMeaningTests {
  private func diagnostics(_ body: String, _ vocabulary: Vocabulary = TestVocabulary.vocabulary) -> [Diagnostic] {
    let text = "scenario: x\nid: x\nverifies: DEV-1\n\(body)\n"
    return ScenarioLibrary(files: [SourceFile(path: "a.yaml", text: text)], vocabulary: vocabulary).diagnostics
  }

  @Test(arguments: [
    ("wait: 5  s", "5 s"), ("wait: 5\u{A0}s", "5 s"), ("wait: \"5 s \"", "5 s"), ("wait: 5  sec", "5 s"),
    ("wait: 11 y", nil), ("wait: 2 xs", nil), ("wait: 2 mss", "2 ms"), ("wait: 5 hrs", "5 h"),
    ("air: {lose: 0.3}", nil), ("air: {lose: 30}", "30 %"), ("air: {lose: 12.5}", "12.5 %"),
  ])
  func `a quantity is suggested only where it is likely meant`(step: String, suggestion: String?) {
    #expect(diagnostics("steps:\n  - \(step)").map(\.suggestion) == [suggestion])
  }

  @Test func `an unknown unit is answered with the known ones`() {
    #expect(
      diagnostics("steps:\n  - wait: 11 y").first?.expected
        == "a duration such as `5 s` (units: ns, us, ms, s, min, h, d, w)")
  }

  @Test(arguments: ["5  s", "5\u{A0}s", "5 s ", "5\t s"])
  func `a unit among odd blanks is known`(text: String) {
    #expect(throws: QuantityFailure.oddBlanks(unit: "s")) { try Dimension.duration.parse(text) }
  }

  @Test(arguments: [
    ("{away: [1 h, 1h, 1 h], q: [7, \"7\"]}", "duplicate cell [away=1 h,q=7]"),
    ("{away: [1 h, 60 min, 1 h]}", "duplicate cell [away=1 h]"),
  ])
  func `a duplicate cell is told once, and what is in its variables is still known`(matrix: String, message: String) {
    let steps = matrix.contains("q:") ? "  - repeat: $q\n    steps: [{wait: $away}]" : "  - wait: $away"
    #expect(diagnostics("matrix: \(matrix)\nsteps:\n\(steps)").map(\.message) == [message])
  }

  @Test func `a matrix without values is told once`() {
    let problems = diagnostics("matrix: {away: [], q: [7]}\nsteps:\n  - repeat: $q\n    steps: [{wait: $away}]")
    #expect(problems.filter { $0.message.contains("unknown name") }.isEmpty)
  }

  @Test func `a claim in a fragment is told with the place that uses it`() throws {
    let known = TestVocabulary.vocabulary
    let vocabulary = Vocabulary(
      verbs: known.verbs, given: known.given, observations: known.observations, capabilities: known.capabilities,
      requirements: known.requirements,
      showable: ["DEV-1", "APP-2.3"].map { RequirementDeclaration($0, references: [$0], isMonitored: true) })
    let problems = diagnostics(
      """
      fragments:
        shown:
          steps:
            - eventually: {link: up}
              within: 1 s
              shows: APP-2.3
      steps:
        - use: shown
        - use: shown
      """, vocabulary)
    #expect(problems.map(\.location.line) == [9], "once, where it is written")
    #expect(problems.first?.notes.map(\.location.line) == [11])
  }

  @Test func `numbers of 32 bits are within the language`() {
    #expect(ValueDecoder.integers.contains(4_294_967_295))
  }

  @Test(arguments: [
    ("{devices: [{name: x}], phones: [{name: z}, {name: x}]}", "`x` is a name among `devices` already"),
    ("{devices: [{name: phone}]}", "`phone` is an actor, and cannot be a name"),
    ("{phones: [{name: air}]}", "`air` is an actor, and cannot be a name"),
    ("{phones: [{name: x}, {name: x}]}", "duplicate name `x`"), ("{phones: }", "`phones` has no value"),
    ("{phones: {name: x}}", "`phones` cannot be fields in braces"),
  ])
  func `a name means one of those who take part`(given: String, message: String) {
    #expect(diagnostics("given: \(given)\nsteps: [{wait: 1 s}]").map(\.message) == [message])
  }

  @Test(arguments: [
    ("a", "[{name: a, count: 2}, {name: b}]", "a-1"), ("b", "[{name: ab, count: 2}, {name: b, count: 2}]", "b-1"),
    ("a", "[{name: b}, {name: c}]", nil), ("left", "[{name: lefd}, {name: left, count: 2}]", "left-1"),
  ])
  func `those of one name have numbers`(name: String, devices: String, suggestion: String?) {
    let problems = diagnostics("given: {devices: \(devices)}\nsteps: [{device: press, as: \(name)}]")
    #expect(problems.map(\.suggestion) == [suggestion])
  }

  @Test(arguments: [("bench: xx", nil), ("bench: sync", "phone: sync"), ("bench: {press: 1 s}", nil)])
  func `an actor without verbs is told`(step: String, suggestion: String?) {
    let problems = diagnostics("steps: [{\(step)}]")
    #expect(problems.map(\.message) == ["`bench` has no verbs; only packages of one's own add some"])
    #expect(problems.first?.expected?.hasPrefix("a step with `phone`, `device`, `air`, `eventually`") == true)
    #expect(problems.map(\.suggestion) == [suggestion])
  }
}
