import ScenarioLanguage
import System
import Text

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
  static func selection(_ arguments: ParsedArguments) throws(UsageFailure) -> Selection {
    var selection = Selection()
    if let text = arguments.value("--tag") {
      do { selection.tags = try TagExpression(text) } catch { throw UsageFailure("--tag: \(error)") }
    }
    selection.names = arguments.allValues("--name").map(NamePattern.init)
    selection.requirements = arguments.allValues("--requirement")
    if let text = arguments.value("--shard") {
      guard let shard = Shard(text) else { throw UsageFailure("--shard needs I/N with 1 ≤ I ≤ N, not \"\(text)\"") }
      selection.shard = shard
    } else if let index = Environment.value("CI_NODE_INDEX"), let total = Environment.value("CI_NODE_TOTAL"),
      !index.isEmpty || !total.isEmpty
    {
      guard let shard = Shard("\(index)/\(total)") else {
        throw UsageFailure(
          "CI_NODE_INDEX=\(index) and CI_NODE_TOTAL=\(total) name no part of a run: expected I and N with 1 ≤ I ≤ N")
      }
      selection.shard = shard
    }
    return selection
  }

  /// Why a selection chose none of a library's scenarios: which option fits none, and the nearest spelling of what it may
  /// mean.
  static func nothing(_ selection: Selection, from library: ScenarioLibrary, _ arguments: ParsedArguments) -> String {
    let scenarios = library.scenarios
    guard !scenarios.isEmpty else { return ScenarioFiles.nothing(in: arguments.operands) }
    let reason =
      tagFault(selection, scenarios) ?? requirementFault(selection, scenarios) ?? nameFault(selection, scenarios)
      ?? onlyFault(selection, scenarios, arguments) ?? "no scenario fits all options at once"
    return "none of \(Wording.count(scenarios.count, "scenario")) was selected: \(PlainText.escaped(reason))"
  }

  /// Whether a selection by one option alone chooses none.
  private static func isEmpty(_ scenarios: [Scenario], _ narrow: (inout Selection) -> Void) -> Bool {
    var selection = Selection()
    narrow(&selection)
    return selection.select(scenarios).isEmpty
  }

  private static func tagFault(_ selection: Selection, _ scenarios: [Scenario]) -> String? {
    guard let tags = selection.tags, isEmpty(scenarios, { $0.tags = tags }) else { return nil }
    let known = Set(scenarios.flatMap(\.tags)).sorted()
    guard let tag = tags.names.first(where: { !known.contains($0) }) else { return "no scenario's tags fit --tag" }
    return "no scenario has the tag \(tag)\(ParsedArguments.suggestion(tag, known))"
  }

  private static func requirementFault(_ selection: Selection, _ scenarios: [Scenario]) -> String? {
    let requirements = selection.requirements
    guard isEmpty(scenarios, { $0.requirements = requirements }) else { return nil }
    let known = Set(scenarios.flatMap(\.requirements)).sorted()
    return "no scenario verifies \(Wording.list(requirements))\(suggestion(requirements, known))"
  }

  private static func nameFault(_ selection: Selection, _ scenarios: [Scenario]) -> String? {
    guard isEmpty(scenarios, { $0.names = selection.names }) else { return nil }
    let patterns = selection.names.map(\.text)
    let nearest = suggestion(patterns.map { $0.filter { !"*?".contains($0) } }, scenarios.map(\.id))
    return "no scenario's id fits \(Wording.list(patterns.map { "\"\($0)\"" }))\(nearest)"
  }

  private static func onlyFault(
    _ selection: Selection, _ scenarios: [Scenario], _ arguments: ParsedArguments
  ) -> String? {
    guard let only = selection.only, isEmpty(scenarios, { $0.only = only }) else { return nil }
    let run = "the run of \(arguments.value("--last-failed") ?? "")"
    return only.isEmpty ? "nothing failed in \(run)" : "none of these scenarios failed in \(run)"
  }

  /// The nearest spelling of the first word that has one.
  private static func suggestion(_ words: [String], _ known: [String]) -> String {
    words.lazy.map { ParsedArguments.suggestion($0, known) }.first { !$0.isEmpty } ?? ""
  }
}
