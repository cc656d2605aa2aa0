import YAML

extension Vocabulary {
  /// Every declaration's example as a scenario file of its own, so that a test can lint them all.
  public var exampleFiles: [SourceFile] {
    verbs.map { example("\($0.actor.rawValue)-\($0.name)", "steps:\n" + $0.example) }
      + given.map {
        example("given-\($0.name)", "given:\n" + Self.indented($0.example) + "\nsteps: [{wait: 1 s}]")
      }
      + observations.map { example("event-\($0.name)", "steps:\n" + $0.example) }
  }

  /// The example of every word of the language itself, to be linted with the words of the Runner.
  public var keywordExampleFiles: [SourceFile] { KeywordEntry.all.map { example(of: $0) } }

  private func example(_ name: String, _ body: String) -> SourceFile {
    let id = FileHeader.suggestedID(name)
    return SourceFile(
      path: "example/\(name).yaml",
      text: "scenario: the example of \(name)\nid: \(id)\nverifies: [\(requirements.first ?? "none")]\n\(body)\n")
  }

  /// A keyword's example with what a file needs besides.
  private func example(of keyword: KeywordEntry) -> SourceFile {
    let text = keyword.example
    guard !text.hasPrefix("fragment:") else {
      return SourceFile(path: "example/fragment-\(keyword.name).yaml", text: text + "\n")
    }
    let body = text.hasPrefix("- ") ? "steps:\n" + text : text
    let keys = body.split(separator: "\n").filter { $0.first?.isLetter == true }.map { $0.prefix { $0 != ":" } }
    let header = [
      ("scenario", "the example of \(keyword.name)"), ("id", "keyword-\(keyword.name)"),
      ("verifies", requirements.first ?? "none"), ("steps", "[{wait: 1 s}]"),
    ]
    let missing = header.filter { key, _ in !keys.contains(Substring(key)) }.map { "\($0): \($1)\n" }
    return SourceFile(path: "example/keyword-\(keyword.name).yaml", text: missing.joined() + body + "\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
  }
}
