import Foundation
import System

// A write to a reader that went away fails; it does not end the process.
signal(SIGPIPE, SIG_IGN)
// Else a report could get the number of standard error, and be written into. Where even this fails, so does everything.
try? StandardDescriptors.open()
Allocator.reusesLargeBlocks()
let console = Console()
let code = Dispatcher.run(Array(CommandLine.arguments.dropFirst()), CommandTable.all, console)
if let trouble = Console.trouble { console.complain("cannot write the result: \(trouble)") }
exit((Console.trouble != nil && code == .passed ? .benchFailed : code).rawValue)
