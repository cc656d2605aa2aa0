import Foundation
import System

/// The commands in the order of the overview.
let commands: [any Command.Type] = [
  RunCommand.self, ListCommand.self, LintCommand.self, ExplainCommand.self, SchemaCommand.self, DissectorCommand.self,
  ReplayCommand.self,
  CheckCommand.self,
  MutateCommand.self, SimulateCommand.self, ScanCommand.self, PairCommand.self, UnpairCommand.self,
  RecordsCommand.self, PullCommand.self, BatteryCommand.self, TimeCommand.self, GATTCommand.self, FTSCommand.self,
  DFUCommand.self, DoctorCommand.self, SetupCommand.self,
]
// Whoever writes to a reader that went away is told so, and does not die of it.
signal(SIGPIPE, SIG_IGN)
// Else a report could get the number of standard error, and be written into. Where even this fails, so does everything.
try? StandardDescriptors.open()
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), commands, Console()).rawValue)
