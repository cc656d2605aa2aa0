import Foundation

let commands: [any Command.Type] = [
  RunCommand.self, ListCommand.self, LintCommand.self, SchemaCommand.self, ExplainCommand.self,
]
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), commands, Console()).rawValue)
