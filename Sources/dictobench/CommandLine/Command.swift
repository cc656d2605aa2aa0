import Verdicts

/// One command of the tool: its declaration, and what it does.
protocol Command {
  static var declaration: CommandDeclaration { get }
  /// Does it.
  ///
  /// - Throws: ``UsageFailure`` for what the caller got wrong; anything else is an internal error.
  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode
}

/// Finds the command that is meant, and turns what it throws into an exit code.
enum Dispatcher {
  static func run(_ words: [String], _ commands: [any Command.Type], _ console: Console) -> ExitCode {
    guard let name = words.first, name != "--help", name != "-h", name != "help" else {
      console.out(overview(commands))
      return words.isEmpty ? .usage : .passed
    }
    guard let command = commands.first(where: { $0.declaration.name == name }) else {
      let names = commands.map { $0.declaration.name }
      console.note("dictobench: unknown command \(name)\(ParsedArguments.suggestion(name, names))")
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
      console.note("dictobench: \(failure.message)")
      return .usage
    } catch {
      console.note("dictobench: internal error: \(error)")
      return .internalError
    }
  }

  static func overview(_ commands: [any Command.Type]) -> String {
    """
    dictobench says whether a Dictofun's firmware may ship: it plays the phone against a simulated or a real recorder.

    usage: dictobench COMMAND [options] …

    \(Columns.text(commands.map { ($0.declaration.name, $0.declaration.summary) }))

    `dictobench COMMAND --help` shows the options of a command, with an example.
    """
  }
}
