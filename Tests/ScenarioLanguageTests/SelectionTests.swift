import Testing

@testable import ScenarioLanguage

@Suite struct SelectionTests {
  @Test(
    arguments: [
      ("smoke", ["smoke"], true), ("smoke", [], false), ("not slow", [], true), ("smoke and not slow", ["smoke"], true),
      ("smoke and not slow", ["smoke", "slow"], false), ("a or b and c", ["a"], true), ("(a or b) and c", ["a"], false),
      ("not a or b", ["a", "b"], true), ("not (a or b)", ["b"], false), ("not not a", ["a"], true),
      ("dfu-1.4", ["dfu-1.4"], true),
    ] as [(String, [String], Bool)])
  func `tag expressions read as usual`(text: String, tags: [String], isMatch: Bool) throws {
    #expect(try TagExpression(text).matches(tags) == isMatch)
  }

  @Test func `an expression tells its tags in their order`() throws {
    #expect(try TagExpression("(b or not a) and c").names == ["b", "a", "c"])
  }

  @Test(arguments: [
    "", "and", "a and", "a b", "(a", "a)", "not", "a & b", "()", String(repeating: "(", count: 200),
    String(repeating: "not ", count: 200) + "a", String(repeating: "a and ", count: 1_000) + "a",
  ])
  func `what is no expression is refused`(text: String) {
    #expect(throws: TagExpression.Failure.self) { try TagExpression(text) }
  }

  @Test(arguments: [
    ("library-*", "library-no-redownload[records=7]", true), ("*[records=7]", "library-no-redownload[records=7]", true),
    ("library-no-redownload[records=7]", "library-no-redownload[records=7]", true),
    ("library-no-redownload[records=7]", "library-no-redownload[records=8]", false),
    ("library-n?-redownload", "library-no-redownload[records=7]", true),
    ("*7*", "library-no-redownload[records=17]", true),
    ("", "library-no-redownload[records=7]", false), ("library", "library-no-redownload[records=7]", false),
    ("*a*b*c", "library-no-redownload[records=7]", false),
  ])
  func `name patterns know stars and question marks, and brackets as they are`(
    pattern: String, name: String, isMatch: Bool
  ) {
    let id = String(name.split(separator: "[")[0])
    #expect((NamePattern(pattern).matches(name) || NamePattern(pattern).matches(id)) == isMatch)
  }

  @Test func `shards part all names between them, each about equally, and the same way everywhere`() throws {
    let names = (0..<3_000).map { "scenario-\($0)[records=\($0 % 7)]" }
    for count in [1, 2, 3, 7] {
      let shards = try (1...count).map { try #require(Shard(index: $0, count: count)) }
      for name in names { #expect(shards.count { $0.contains(name) } == 1) }
      for shard in shards {
        let share = names.count { shard.contains($0) }
        #expect(abs(share - names.count / count) < names.count / 20)
      }
    }
    #expect(StableHash.of("library-no-redownload[records=7]") == 6_475_357_727_305_479_396)
    for text in ["0/2", "3/2", "1", "1/", "/2", "a/b", "-1/2", "1/2/3", ""] { #expect(Shard(text) == nil) }
  }

  @Test func `every part of a selection must hold`() throws {
    let library = ScenarioLibrary(
      files: [try Vectors.file("good", "library-no-redownload"), try Vectors.file("good", "everything")],
      vocabulary: TestVocabulary.vocabulary)
    func count(_ change: (inout Selection) throws -> Void) rethrows -> Int {
      var selection = Selection()
      try change(&selection)
      return selection.select(library.scenarios).count
    }
    #expect(count { _ in } == 6)
    #expect(try count { $0.tags = try TagExpression("smoke") } == 4)
    #expect(count { $0.names = [NamePattern("everything"), NamePattern("*[records=7]")] } == 3)
    #expect(count { $0.requirements = ["APP-2"] } == 4)
    #expect(count { $0.requirements = ["APP-1.3.1", "DEV-1"] } == 2)
    #expect(
      try count {
        $0.tags = try TagExpression("smoke"); $0.requirements = ["DEV-1"]
      } == 0)
  }
}
