import Foundation

/// The commands in the order of the overview.
let commands: [any Command.Type] = [
  RunCommand.self, ListCommand.self, LintCommand.self, ExplainCommand.self, SchemaCommand.self, DissectorCommand.self,
  ReplayCommand.self,
  CheckCommand.self,
  MutateCommand.self, SimulateCommand.self, ScanCommand.self, PairCommand.self, UnpairCommand.self,
  RecordsCommand.self, PullCommand.self, BatteryCommand.self, TimeCommand.self, GATTCommand.self, FTSCommand.self,
  DFUCommand.self, DoctorCommand.self, SetupCommand.self,
]
// A write to a reader that went away fails; it does not end the process.
signal(SIGPIPE, SIG_IGN)
exit(Dispatcher.run(Array(CommandLine.arguments.dropFirst()), commands, Console()).rawValue)
