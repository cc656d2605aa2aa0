import Foundation

let commands: [any Command.Type] = []
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), commands, Console()).rawValue)
