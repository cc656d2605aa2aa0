import Verdicts

/// `dictobench completions`
enum CompletionsCommand: Command {
  static let declaration = CommandDeclaration(
    "completions", "Prints what a shell needs to complete the words of dictobench.", operands: "bash | zsh | fish",
    operandLimit: 1, options: [],
    example: "dictobench completions fish > ~/.config/fish/completions/dictobench.fish")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let commands = CommandTable.declarations
    switch arguments.operands.first {
    case "bash": console.out(BashCompletion.text(commands))
    case "zsh": console.out(ZshCompletion.text(commands))
    case "fish": console.out(FishCompletion.text(commands))
    case let word?:
      throw UsageFailure(
        "unknown shell \(word); expected bash, zsh or fish"
          + ParsedArguments.suggestion(word, declaration.literalOperands)
      )
    case nil: throw UsageFailure("completions needs a shell: bash, zsh or fish")
    }
    return .passed
  }
}
