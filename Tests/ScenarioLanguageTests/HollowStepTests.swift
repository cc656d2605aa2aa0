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
}
