import Foundation

let commands: [any Command.Type] = [LintCommand.self]
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), commands, Console()).rawValue)
