import Foundation
import Testing
import YAML

@Suite struct YAMLReading {
  private func read(_ text: String, _ rules: YAMLRules = YAMLRules()) -> (root: Node?, problems: [YAMLProblem]) {
    YAMLReader.read(SourceFile(path: "a.yaml", text: text), rules: rules)
  }

  @Test func nodesKnowTheirPlaces() throws {
    let (root, problems) = read("a: 1\nb:\n  - x\n  - {c: \"d\"}\n")
    #expect(problems.isEmpty)
    let items = try #require(root?["b"]?.items)
    #expect(items.map(\.location.description) == ["a.yaml:3:5", "a.yaml:4:5"])
    let inner = try #require(items.last?["c"])
    #expect(inner.content == .scalar("d", .quoted))
    #expect(inner.location == SourceLocation(file: "a.yaml", line: 4, column: 9, length: 3))
  }

  @Test(arguments: [
    ("a: &x 1\nb: *x\n", "a.yaml:1:4"), ("a: !t 1\n", "a.yaml:1:4"), ("a: 1\na: 2\n", "a.yaml:2:1"),
    ("a: yes\n", "a.yaml:1:4"), ("a: 1\n---\nb: 1\n", "a.yaml:2:1"), ("a: [1\n", "a.yaml:2:1"),
    ("a: \u{7}\n", "a.yaml:1:4"), ("? [a]\n: 1\n", "a.yaml:1:3"), ("t: 1:30\n", "a.yaml:1:4"),
    ("t: 007\n", "a.yaml:1:4"),
  ]) func everythingElseIsRefusedAtItsPlace(text: String, place: String) {
    #expect(read(text).problems.first?.location.description == place)
  }

  @Test func aliasesMakeNothingGrow() {
    let bomb = "a: &a [x, x]\n" + (0..<20).map { "b\($0): [*a, *a]\n" }.joined()
    let (root, problems) = read(bomb)
    #expect(problems.count == 41)
    #expect(root?.entries?.allSatisfy { ($0.value.items ?? []).count <= 2 } == true)
  }

  @Test func filesBeyondALimitAreRefused() {
    #expect(read("a: 12345\n", YAMLRules(bytes: 9)).problems.isEmpty)
    let long = read("a: 123456\n", YAMLRules(bytes: 9))
    #expect(long.root == nil)
    #expect(long.problems.map(\.message) == ["the file has 10 bytes"])
    #expect(read("[[[x]]]", YAMLRules(depth: 3)).problems.isEmpty)
    let deep = read("[[[[x]]]]", YAMLRules(depth: 3))
    #expect(deep.root == nil)
    #expect(deep.problems.first?.location.column == 4)
    #expect(read(String(repeating: "a: yes\n", count: 50), YAMLRules(problems: 5)).problems.count == 5)
  }

  @Test func aLanguageMayHaveNotationsOfItsOwn() {
    let rules = YAMLRules(
      isNotation: { $0 == "+1:30" }, identifier: { $0.utf8.count == 3 ? "three digits in quotes" : nil })
    #expect(read("t: +1:30\n", rules).problems.isEmpty)
    #expect(read("t: +2:30\n", rules).problems.count == 1)
    #expect(read("t: 007\n", rules).problems.first?.expected == "three digits in quotes")
  }

  @Test func aTableIsAListOfMappingsToText() throws {
    let table = try YAMLTable(SourceFile(path: "t.yaml", text: "- {a: x, b: \"1\"}\n- a: z\n"))
    #expect(table.rows.map { $0["a"]?.value } == ["x", "z"])
    #expect(table.rows[0]["b"]?.location.column == 13)
    #expect(table.rows[1]["b"] == nil)
    #expect(try YAMLTable(SourceFile(path: "t.yaml", text: "")).rows.isEmpty)
  }

  @Test(arguments: [
    ("a: 1\n", "t.yaml:1:1"), ("- x\n", "t.yaml:1:3"), ("- {a: [1]}\n", "t.yaml:1:7"),
    ("- {a: 1, a: 2}\n", "t.yaml:1:10"),
  ]) func aTableOfAnotherShapeIsRefused(text: String, place: String) {
    let problem = #expect(throws: YAMLProblem.self) { try YAMLTable(SourceFile(path: "t.yaml", text: text)) }
    #expect(problem?.location.description == place)
  }

  @Test func noMoreOfAFileIsReadThanAllowed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "yaml-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.yaml").path
    try Data("a: 1\n".utf8).write(to: URL(filePath: path))
    #expect(try SourceFile.read(path, limit: 5).bytes == Array("a: 1\n".utf8))
    let long = #expect(throws: SourceFileFailure.self) { try SourceFile.read(path, limit: 4) }
    #expect(long?.description == "cannot read \(path): it is longer than 4 bytes")
    // A file without an end would never be read to its end.
    #expect(throws: SourceFileFailure.self) { try SourceFile.read("/dev/zero", limit: 1_000) }
    let missing = #expect(throws: SourceFileFailure.self) { try SourceFile.read(path + "x") }
    #expect(missing?.description == "cannot read \(path)x: no such file")
    #expect(throws: SourceFileFailure.self) { try SourceFile.read(folder.path) }
  }
}
