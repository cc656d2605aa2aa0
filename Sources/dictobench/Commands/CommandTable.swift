/// The commands of the tool.
enum CommandTable {
  /// The commands in the order of the overview.
  static var all: [any Command.Type] {
    [
      RunCommand.self, ListCommand.self, LintCommand.self, ExplainCommand.self, SchemaCommand.self,
      DissectorCommand.self, MergeCommand.self, ReplayCommand.self, CompareCommand.self, HistoryCommand.self,
      SessionCommand.self, QualifyCommand.self, CheckCommand.self, MutateCommand.self, ExploreCommand.self,
      TurningPointCommand.self, ProveCommand.self, BundleCommand.self, VerifyCommand.self, SimulateCommand.self,
      ServeControllerCommand.self, ShellCommand.self,
      ScanCommand.self, PairCommand.self, UnpairCommand.self, RecordsCommand.self, PullCommand.self,
      BatteryCommand.self, TimeCommand.self, GATTCommand.self, FTSCommand.self, ProbeCommand.self, DFUCommand.self,
      DoctorCommand.self,
      SetupCommand.self, CompletionsCommand.self, ManualCommand.self,
    ]
  }

  /// What they declare, in the same order.
  static var declarations: [CommandDeclaration] { all.map { $0.declaration } }
}
