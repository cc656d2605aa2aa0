import ScenarioLanguage
import Verdicts

/// `dictobench explain`
enum ExplainCommand: Command {
  static let declaration = CommandDeclaration(
    "explain", "Explains a verb, a section of `given` or an event of the scenario language.", operands: "[WORD …]",
    operandLimit: 3,
    options: [OptionDeclaration("--reference", "Print the whole reference as Markdown.")],
    example: "dictobench explain device press")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let vocabulary = try Vocabularies.current()
    if arguments.isSet("--reference") {
      console.out(vocabulary.markdownReference)
    } else if arguments.operands.isEmpty {
      console.out(vocabulary.topics.joined(separator: "\n"))
    } else if let text = vocabulary.explanation(of: arguments.operands) {
      console.out(text)
    } else {
      let nearest = vocabulary.nearestTopic(to: arguments.operands).map { "; did you mean \($0)?" } ?? ""
      throw UsageFailure("nothing is known of \(arguments.operands.joined(separator: " "))\(nearest)")
    }
    return .passed
  }
}
