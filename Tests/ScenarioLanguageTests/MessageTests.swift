import Testing
import YAML

@testable import ScenarioLanguage

@Suite struct MessageTests {
  @Test(arguments: Vectors.names(in: "broken"))
  func `a broken scenario gets the messages of its golden file`(name: String) throws {
    let library = ScenarioLibrary(files: [try Vectors.file("broken", name)], vocabulary: TestVocabulary.vocabulary)
    #expect(library.hasErrors)
    #expect(library.scenarios.isEmpty)
    try Vectors.expect(library.report.text(limit: 10), matches: "broken/\(name).txt")
  }

  @Test func `there are enough broken scenarios to speak of`() {
    #expect(Vectors.names(in: "broken").count >= 10)
  }

  @Test func `no byte of a file reaches the terminal unescaped`() throws {
    let file = try Vectors.file("broken", "requirements")
    let hostile = SourceFile(path: "a\u{1B}[31m.yaml", bytes: file.bytes + Array("\nxx\u{202E}x: 1\n".utf8))
    let library = ScenarioLibrary(files: [hostile], vocabulary: TestVocabulary.vocabulary)
    let text = library.report.text(limit: 100)
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(text.contains("\\u{202E}"))
    #expect(library.report.text(colour: true).contains("\u{1B}[1;31merror:"))
  }

  @Test func `only the ten most useful messages are shown, and how many are not`() {
    let steps = (0..<40).map { "  - phone: nothing\($0)\n" }.joined() + "  - phone: snyc\n"
    let file = SourceFile(path: "a.yaml", text: "scenario: x\nid: x\nverifies: DEV-1\nsteps:\n" + steps)
    let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
    let text = library.report.text()
    #expect(text.hasPrefix("a.yaml:45:12: error: `phone` has no verb `snyc`"), "the one with a remedy comes first")
    #expect(text.contains("31 more not shown"))
    #expect(text.hasSuffix("41 errors\n"))
  }

  @Test func `no number of warnings hides an error`() {
    let tags = Array(repeating: "smoke", count: 300).joined(separator: ", ")
    let text = "scenario: x\nid: x\nverifies: DEV-1\ntags: [\(tags)]\nsteps:\n  - phone: snyc\n"
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(library.hasErrors)
    #expect(library.scenarios.isEmpty)
    #expect(library.report.summary == "1 error, 299 warnings")
    #expect(library.report.text().hasPrefix("a.yaml:6:12: error: `phone` has no verb `snyc`"))
  }

  @Test func `problems are counted beyond those that are kept`() {
    let steps = (0..<3_000).map { "  - phone: nothing\($0)\n" }.joined()
    let file = SourceFile(path: "a.yaml", text: "scenario: x\nid: x\nverifies: DEV-1\nsteps:\n" + steps)
    let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
    #expect(library.diagnostics.count == LanguageLimits.diagnostics)
    #expect(library.report.errorCount == 3_000)
    #expect(library.report.text().contains("2990 more not shown"))
    #expect(library.report.text().hasSuffix("3000 errors\n"))
  }

  @Test func `keys that are doubled are counted too`() {
    let keys = (0..<150).map { "a\($0): 1\na\($0): 2\n" }.joined()
    let file = SourceFile(path: "a.yaml", text: "scenario: x\nid: x\nsteps: [{wait: 1 s}]\n" + keys)
    let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
    #expect(library.report.errorCount >= 300, "doubled ones and unknown ones")
  }

  @Test func `a problem that is reported twice counts once, however many there are`() {
    let problems = (1...200).map { Diagnostic(at: SourceLocation(file: "a", line: $0, column: 1), "odd") }
    var bag = DiagnosticBag()
    bag.report(problems + problems)
    #expect(DiagnosticReport(bag.diagnostics, files: []).summary == "200 errors")
    var other = DiagnosticBag()
    other.report(bag.diagnostics)
    #expect(DiagnosticReport(other.diagnostics, files: []).summary == "200 errors", "what is not kept is handed on")
  }

  @Test func `messages are told in JSON too`() {
    let file = SourceFile(path: "a.yaml", text: "scenario: x\nid: x\nverifies: DEV-1\nsteps: [{phone: \"sy\\\"nc\"}]\n")
    let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
    #expect(
      library.report.json == """
        [{"file":"a.yaml","line":4,"column":17,"length":8,"severity":"error",\
        "message":"`phone` has no verb `sy\\"nc`","expected":"`sync`, `delete`","suggestion":"sync"}]
        """)
  }
}
