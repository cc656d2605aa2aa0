import Verdicts

/// One command of the tool.
protocol Command {
  /// Its name, options and help.
  static var declaration: CommandDeclaration { get }

  /// Performs it.
  ///
  /// - Throws: ``UsageFailure`` for what the caller got wrong; anything else is an internal error.
  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode
}

/// Finds the command, and turns what it throws into an exit code.
enum Dispatcher {
  static func run(_ words: [String], _ commands: [any Command.Type], _ console: Console) -> ExitCode {
    do {
      if words.first == versionWord {
        console.out(Tool.identity)
        return .passed
      }
      guard let name = words.first, !helpWords.contains(name) else {
        return try help(on: words.dropFirst().first, commands, console, isAsked: !words.isEmpty)
      }
      let command = try command(named: name, commands)
      let arguments = try ParsedArguments(Array(words.dropFirst()), for: command.declaration)
      if arguments.wantsHelp { return try help(on: name, commands, console) }
      return try command.run(arguments, console)
    } catch let failure as UsageFailure {
      console.complain(failure.message)
      return .usage
    } catch {
      console.complain("internal error: \(error)")
      return .internalError
    }
  }

  /// The words that can stand before or instead of a command.
  static let globalWords = ["help", "--help", versionWord]
  private static let versionWord = "--version"
  private static let helpWords = ["help", "--help", "-h"]

  private static func command(named name: String, _ commands: [any Command.Type]) throws(UsageFailure)
    -> any Command.Type
  {
    if let command = commands.first(where: { $0.declaration.name == name }) { return command }
    // Other programs tell their version when they are asked with one letter.
    let meant = name.lowercased() == "-v" ? versionWord : name
    let known = commands.map { $0.declaration.name } + globalWords
    throw UsageFailure("unknown command \(name)\(ParsedArguments.suggestion(meant, known))")
  }

  /// Shows the help of a command, or the overview without one. Nobody asked for the overview where no word was typed.
  private static func help(
    on name: String?, _ commands: [any Command.Type], _ console: Console, isAsked: Bool = true
  ) throws(UsageFailure) -> ExitCode {
    let width = console.outputStyle.columns
    console.out(
      try name.map { name throws(UsageFailure) in try command(named: name, commands).declaration.help(width: width) }
        ?? overview(commands, width: width))
    return isAsked ? .passed : .usage
  }

  /// What the tool is for, before its commands are listed.
  static let purpose =
    "dictobench tells whether a Dictofun's firmware is ready to ship. It plays the phone against a simulated or a real "
    + "recorder, and judges what happens."

  private static func overview(_ commands: [any Command.Type], width: Int) -> String {
    """
    \(Columns.wrapped(purpose, width: width))

    usage: dictobench COMMAND [options] …
           dictobench help [COMMAND]
           dictobench --version

    \(Columns.text(commands.map { ($0.declaration.name, $0.declaration.summary) }, width: width))

    \(Columns.wrapped("`dictobench help COMMAND` shows the options of a command and an example.", width: width))
    """
  }
}
