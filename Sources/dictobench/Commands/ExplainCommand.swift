import Board
import ScenarioLanguage
import Verdicts

/// `dictobench explain`
enum ExplainCommand: Command {
  static let declaration = CommandDeclaration(
    "explain", "Explains a word of the scenario language, a line of a failure, or a board.",
    operands: "[WORD …]",
    operandLimit: 3,
    options: [OptionDeclaration("--reference", "Print the whole reference as Markdown.")],
    example: "dictobench explain device press")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let vocabulary = try Vocabularies.current()
    // A topic may be one word of the shell: `explain "given device"`.
    let topic = arguments.operands.flatMap { $0.split(separator: " ").map(String.init) }
    if arguments.isSet("--reference") {
      console.out(vocabulary.markdownReference)
    } else if arguments.operands.first == "board" {
      console.out(try board(arguments.operands.dropFirst().first))
    } else if arguments.operands.isEmpty {
      console.out((vocabulary.topics + [FailureWords.topic]).joined(separator: "\n"))
    } else if let text = vocabulary.explanation(of: topic) ?? FailureWords.explanation(of: topic) {
      console.out(Columns.fitted(text, width: console.outputStyle.columns))
    } else {
      let nearest = vocabulary.nearestTopic(to: topic).map { "; did you mean \($0)?" } ?? ""
      throw UsageFailure("no verb, section or event is named \(arguments.operands.joined(separator: " "))\(nearest)")
    }
    return .passed
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
