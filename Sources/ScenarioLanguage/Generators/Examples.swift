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

  private func example(_ name: String, _ body: String) -> SourceFile {
    let id = FileHeader.suggestedID(name)
    return SourceFile(
      path: "example/\(name).yaml",
      text: "scenario: the example of \(name)\nid: \(id)\nverifies: [\(requirements.first ?? "none")]\n\(body)\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
  }
}
