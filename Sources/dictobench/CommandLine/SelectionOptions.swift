import ScenarioLanguage

/// The options by which scenarios are chosen, shared by `run` and `list`.
enum SelectionOptions {
  static let declarations: [OptionDeclaration] = [
    OptionDeclaration(
      "--tag", "Only scenarios whose tags match, such as \"smoke and not slow\".", value: "EXPR"),
    OptionDeclaration("--requirement", "Only scenarios that verify this requirement.", value: "ID", repeats: true),
    OptionDeclaration(
      "--name", "Only scenarios whose id, with or without matrix cell, matches this pattern with * and ?.",
      value: "GLOB",
      repeats: true),
    OptionDeclaration("--shard", "Only part I of N. Every scenario is in exactly one part.", value: "I/N"),
  ]

  /// Reads the options. In continuous integration the shard may also come from `CI_NODE_INDEX` and `CI_NODE_TOTAL`.
  static func selection(
    _ arguments: ParsedArguments, environment: [String: String]
  ) throws(UsageFailure) -> Selection {
    var selection = Selection()
    if let text = arguments.value("--tag") {
      do { selection.tags = try TagExpression(text) } catch { throw UsageFailure("--tag \(text): \(error)") }
    }
    selection.names = arguments.allValues("--name").map(NamePattern.init)
    selection.requirements = arguments.allValues("--requirement")
    if let text = arguments.value("--shard") {
      guard let shard = Shard(text) else { throw UsageFailure("--shard needs I/N with 1 ≤ I ≤ N, not \"\(text)\"") }
      selection.shard = shard
    } else if let index = environment["CI_NODE_INDEX"], let total = environment["CI_NODE_TOTAL"] {
      selection.shard = Shard("\(index)/\(total)")
    }
    return selection
  }
}
