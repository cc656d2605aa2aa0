import Testing

/// A test that fails must say which fact is wrong.
@Suite struct Expectations {
  @Test func stateOneFactEach() {
    for file in SourceTree.tests {
      for line in Self.joined(file.code.joined(separator: "\n")) {
        Issue.record("\(file.path):\(line): two facts in one #expect; write one each")
      }
    }
  }

  @Test(arguments: [
    ("#expect(one && other)", [1]),
    ("let x = 1\n#expect(\n  one == 2\n    && other)", [2]),
    ("#expect(all.allSatisfy { $0.one && $0.other })", []),
    ("#expect((one && other) == both)", []),
    ("let both = one && other\n#expect(both)", []),
  ]) func twoFactsAreFound(text: String, lines: [Int]) { #expect(Self.joined(text) == lines) }

  /// The lines of expectations that join facts with `&&` outside of any closure or bracket.
  private static func joined(_ code: String) -> [Int] {
    let pieces = code.components(separatedBy: "#expect(")
    var line = 1
    var result: [Int] = []
    for (index, piece) in pieces.enumerated() {
      if index > 0, joins(piece) { result.append(line) }
      line += piece.count { $0 == "\n" }
    }
    return result
  }

  /// Whether the text from an opening bracket on has `&&` before the bracket closes.
  private static func joins(_ text: String) -> Bool {
    var depth = 0
    var previous: Character = " "
    for character in text {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if depth < 0 { return false }
      if depth == 0, character == "&", previous == "&" { return true }
      previous = character
    }
    return false
  }
}
