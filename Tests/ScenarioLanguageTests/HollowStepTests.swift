import Testing
import YAML

@testable import ScenarioLanguage

/// What could only pass, or never pass, is refused at its place.
@Suite struct HollowStepTests {
  private func problems(_ body: String) -> [String] {
    let text = "scenario: x\nid: x\nverifies: DEV-1\n\(body)\n"
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    return library.diagnostics.filter { $0.severity == .error }
      .map { "\($0.location.line):\($0.location.column) \($0.message); \($0.expected ?? "")" }
  }

  private func problems(ofStep step: String) -> [String] { problems("steps: [{\(step)}]") }

  @Test(arguments: ["0 s", "0 ms"])
  func `a ban lasts for some time`(span: String) {
    #expect(
      problems(ofStep: "never: {link: down}, for: \(span)")
        == ["4:36 `never` for `\(span)` forbids nothing; more than 0 s"])
  }

  @Test func `a ban lasts while something is done`() {
    #expect(
      problems(ofStep: "never: {link: down}, while: []")
        == ["4:38 `never` forbids nothing, because no step of `while` runs; at least one step"])
  }

  @Test func `a ban without steps is reported beside other problems`() {
    #expect(problems("steps: [{phone: snyc}, {never: {link: down}, while: []}]").count == 2)
  }

  @Test func `a ban lasts while something is done in each cell of the matrix`() {
    let steps = "steps: [{never: {link: down}, while: [{wait: 1 s, when: $count > 1}]}]"
    #expect(
      problems("matrix: {count: [1, 2]}\n" + steps)
        == ["5:38 `never` forbids nothing, because no step of `while` runs; `when` on the `never` itself"])
  }

  @Test func `a wrong step of a ban is the only problem`() {
    #expect(problems(ofStep: "never: {link: down}, while: [{phone: snyc}]").count == 1)
  }

  @Test(arguments: ["expect: {took: {one-of: []}}", "expect: {records: {one-of: []}}"])
  func `one of no values is nothing`(expectation: String) {
    #expect(problems(ofStep: "phone: sync, \(expectation)").first?.contains("has no values; a list with") == true)
  }

  @Test func `one of no values is nothing in an event`() {
    #expect(
      problems(ofStep: "never: {fts.request: {opcode: {one-of: []}}}, for: 1 s")
        == ["4:49 `one-of` for `opcode` has no values; a list with at least one value"])
  }

  @Test(arguments: ["expect:", "expect: {}"])
  func `an expectation states something`(expectation: String) {
    #expect(
      problems("steps:\n  - phone: sync\n    \(expectation)").first?.hasSuffix(
        "`expect` states nothing; fields in braces: `downloaded`, `took`, `note`, `records`") == true)
  }

  @Test func `an expectation without anything is reported at its key`() {
    #expect(problems("steps:\n  - phone: sync\n    expect:").first?.hasPrefix("6:5 ") == true)
  }

  @Test func `what is repeated has steps`() {
    #expect(
      problems(ofStep: "repeat: 3, steps: []") == ["4:28 `repeat` repeats nothing; at least one step in `steps`"])
  }

  @Test func `a fragment without steps is empty`() {
    #expect(problems("fragments: {nap: {steps: []}}\nsteps: [{use: nap}]").first?.contains("is empty") == true)
  }

  @Test(arguments: [
    ("device: {press: 5 s}, within: 4999 ms", "5 s"), ("device: press, within: 1 s", "2 s"),
    ("device: {press: {hold: 1 min}}, within: 59 s", "1 min"),
  ])
  func `a step has the time that it takes anyway`(step: String, span: String) {
    let problem = problems(ofStep: step).first ?? ""
    #expect(problem.hasSuffix("`within` is shorter than `press` itself, which takes \(span); \(span) or more"))
  }

  @Test(arguments: [
    "device: {press: 5 s}, within: 5 s", "device: {press: 5 s}, within: 1 s, may-fail: true",
    "phone: sync, within: 1 ms",
  ])
  func `a limit that can be kept, or that decides nothing, is taken`(step: String) {
    #expect(problems(ofStep: step) == [])
  }

  @Test func `a scenario has the time of its waits`() {
    let steps = "steps: [{wait: 3 s}, {repeat: $turns, steps: [{wait: 1 s}]}]"
    #expect(
      problems("timeout: 6 s\nmatrix: {turns: [1, 4, 2]}\n" + steps)
        == ["4:10 `timeout` is shorter than the waits of the scenario, 7 s together; more than 7 s"])
    #expect(problems("timeout: 7 s\nmatrix: {turns: [1, 4, 2]}\n" + steps) == [])
  }
}
