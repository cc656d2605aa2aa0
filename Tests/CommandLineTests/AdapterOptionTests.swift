import Testing

@testable import Bench
@testable import dictobench

/// What the command line says of adapters reaches those who open them; what it does there, `UserChannels` shows.
@Suite struct AdapterOptionsOfCommands {
  private static let controller = ["--controller", "hci-socket:0"]

  private func arguments(_ command: any Command.Type, _ more: [String]) throws -> ParsedArguments {
    try ParsedArguments(Self.controller + more, for: command.declaration)
  }

  @Test(arguments: [true, false]) func takeIsAWordOfEveryCommandThatOpensAController(isGiven: Bool) throws {
    let more = isGiven ? ["--take"] : []
    let phone: [any Command.Type] = [
      ScanCommand.self, PairCommand.self, UnpairCommand.self, RecordsCommand.self, PullCommand.self,
      BatteryCommand.self, TimeCommand.self, GATTCommand.self, FTSCommand.self, DFUCommand.self,
    ]
    for command in phone {
      let opening = try PhoneCommand("scan", try arguments(command, more), Console()).plan.opening
      #expect(opening.takesAdaptersInUse == isGiven, "\(command)")
    }
    #expect(try SimulateRequest(try arguments(SimulateCommand.self, more)).plan.opening.takesAdaptersInUse == isGiven)
    let hardware = try RunRequest(try arguments(RunCommand.self, more + ["--target", "hardware"])).settings.hardware
    #expect(hardware?.opening.takesAdaptersInUse == isGiven)
    let app = try RunRequest(try arguments(RunCommand.self, more + ["--target", "app"])).settings.application
    #expect(app?.opening.takesAdaptersInUse == isGiven)
  }
}
