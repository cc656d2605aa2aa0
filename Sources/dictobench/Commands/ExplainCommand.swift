import Board
import Charts
import ScenarioLanguage
import Verdicts
import World

/// `dictobench explain`
enum ExplainCommand: Command {
  static let declaration = CommandDeclaration(
    "explain", "Explains a word of the scenario language, a line of a failure, a board or a state chart.",
    operands: "[WORD …]",
    operandLimit: 3,
    options: [
      OptionDeclaration("--reference", "Print the whole reference as Markdown."),
      OptionDeclaration("--charts", "List the state charts that phone and simulated recorder run."),
      OptionDeclaration("--chart", "Print one of these charts as a Mermaid state diagram.", value: "NAME"),
    ],
    example: "dictobench explain device press")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let vocabulary = try Vocabularies.current()
    // A topic may be one word of the shell: `explain "given device"`.
    let topic = arguments.operands.flatMap { $0.split(separator: " ").map(String.init) }
    if arguments.isSet("--reference") {
      console.out(vocabulary.markdownReference)
    } else if arguments.isSet("--charts") {
      console.out(StateCharts.outlines.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
    } else if let name = arguments.value("--chart") {
      console.out(try chart(name).mermaid)
    } else if arguments.operands.first == "board" {
      console.out(try board(arguments.operands.dropFirst().first))
    } else if arguments.operands.isEmpty {
      console.out((vocabulary.topics + [FailureWords.topic]).joined(separator: "\n"))
    } else {
      console.out(Columns.fitted(try explanation(of: topic, vocabulary), width: console.outputStyle.columns))
    }
    return .passed
  }

  /// What a word means in the language, and what it means at the beginning of a line of a failure.
  private static func explanation(of topic: [String], _ vocabulary: Vocabulary) throws(UsageFailure) -> String {
    let texts = [vocabulary.explanation(of: topic), FailureWords.explanation(of: topic)].compactMap { $0 }
    guard texts.isEmpty else { return texts.joined(separator: "\n") }
    let nearest = vocabulary.nearestTopic(to: topic).map { "; did you mean \($0)?" } ?? ""
    throw UsageFailure("no word of the language is named \(topic.joined(separator: " "))\(nearest)")
  }

  private static func chart(_ name: String) throws(UsageFailure) -> ChartOutline {
    if let chart = StateCharts.outlines.first(where: { $0.name == name }) { return chart }
    let names = StateCharts.outlines.map(\.name)
    throw UsageFailure(
      "no state chart is named \(name); the charts are \(names.joined(separator: ", "))"
        + ParsedArguments.suggestion(name, names))
  }

  /// A board that is known by name, as the file that would describe it.
  private static func board(_ name: String?) throws(UsageFailure) -> String {
    let names = BoardDescription.all.map(\.name)
    guard let name else { return names.map { "board \($0)" }.joined(separator: "\n") }
    guard let board = BoardDescription.all.first(where: { $0.name == name }) else {
      throw UsageFailure(
        "no board is named \(name); the boards are \(names.joined(separator: ", "))"
          + ParsedArguments.suggestion(name, names))
    }
    return BoardFile.text(of: board)
  }
}
