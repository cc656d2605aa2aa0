import Foundation
import System

// A write to a reader that went away fails; it does not end the process.
signal(SIGPIPE, SIG_IGN)
// Else a report could get the number of standard error, and be written into. Where even this fails, so does everything.
try? StandardDescriptors.open()
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), CommandTable.all, Console()).rawValue)
