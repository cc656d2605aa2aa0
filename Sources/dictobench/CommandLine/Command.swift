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
    guard let name = words.first, name != "--help", name != "-h", name != "help" else {
      console.out(overview(commands))
      return words.isEmpty ? .usage : .passed
    }
    guard let command = commands.first(where: { $0.declaration.name == name }) else {
      let names = commands.map { $0.declaration.name }
      console.complain("unknown command \(name)\(ParsedArguments.suggestion(name, names))")
      return .usage
    }
    do {
      let arguments = try ParsedArguments(Array(words.dropFirst()), for: command.declaration)
      if arguments.wantsHelp {
        console.out(command.declaration.help)
        return .passed
      }
      return try command.run(arguments, console)
    } catch let failure as UsageFailure {
      console.complain(failure.message)
      return .usage
    } catch {
      console.complain("internal error: \(error)")
      return .internalError
    }
  }

  static func overview(_ commands: [any Command.Type]) -> String {
    """
    dictobench tells whether a Dictofun's firmware is ready to ship. It plays the
    phone against a simulated or a real recorder, and judges what happens.

    usage: dictobench COMMAND [options] …

    \(Columns.text(commands.map { ($0.declaration.name, $0.declaration.summary) }))

    `dictobench COMMAND --help` shows the options of a command and an example.
    """
  }
}
