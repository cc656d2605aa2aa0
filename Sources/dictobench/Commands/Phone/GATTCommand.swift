import Bytes
import HostStack
import Recorder
import Verdicts
import ScenarioLanguage
import Session

/// `dictobench gatt`
enum GATTCommand: Command {
  static let declaration = CommandDeclaration(
    "gatt", "Shows a recorder's attributes, reads and writes them, and subscribes to them.",
    operands: " | read HANDLE | write HANDLE HEX | subscribe HANDLE", operandLimit: 3,
    options: PhoneCommand.options + [
      OptionDeclaration(
        "--compare", "Compare the table with a simulated recorder's. Differences are listed, and the command fails.",
        choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration("--without-response", "Make write use a command, which is not acknowledged."),
      OptionDeclaration("--for", "How long subscribe listens (default: 10 s).", value: "DURATION"),
    ], example: "dictobench gatt --controller tcp-client:127.0.0.1:9001 --compare reference")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let action = try GATTAction(arguments)
    let command = try PhoneCommand(arguments, console)
    let tell: @Sendable (AttributeEvent) -> Void = { show($0, command) }
    switch action {
    case .table(let profile):
      return try command.run({ try await $0.attributeTable(tell: tell) }) { show($0, profile, command) }
    case .read(let handle):
      return try command.run({ try await $0.read(handle, tell: tell) }) { value in
        let document = [
          ("handle", JSONValue.integer(Int(handle.rawValue))), ("value", .string(Hexadecimal.string(value))),
        ]
        command.output.show(.object(document), [GATTText.value(value)])
        return .passed
      }
    case .write(let handle, let value, let isCommand):
      return try command.run({
        try await $0.write(value, to: handle, withoutResponse: isCommand, tell: tell)
      }) { show(written: value, to: handle, isCommand, command) }
    case .subscribe(let handle, let span):
      do {
        return try command.run({ try await $0.listen(to: handle, for: span, tell: tell) }) { count in
          if !command.output.isJSON { command.output.console.note("\(count) values in \(DecimalSeconds.text(span)) s") }
          return .passed
        }
      } catch let failure as NotSubscribable {
        throw UsageFailure("\(GATTText.handle(failure.handle)) does not offer notifications or indications")
      }
    }
  }

  private static func show(_ event: AttributeEvent, _ command: PhoneCommand) {
    switch event {
    case .batteryLow(let percent): command.showLowBattery(percent)
    case .heard(let heard):
      command.output.show(
        .object([
          ("seconds", .seconds(heard.time)), ("value", .string(Hexadecimal.string(heard.value))),
          ("isIndication", .boolean(heard.isIndication)),
        ]),
        ["\(DecimalSeconds.text(heard.time)) s  \(GATTText.value(heard.value))"])
    }
  }

  private static func show(
    written value: [UInt8], to handle: AttributeHandle, _ isCommand: Bool, _ command: PhoneCommand
  ) -> ExitCode {
    command.output.show(
      .object([
        ("handle", .integer(Int(handle.rawValue))), ("written", .string(Hexadecimal.string(value))),
        ("wasAnswered", .boolean(!isCommand)),
      ]),
      [
        "\(value.count) octet\(value.count == 1 ? "" : "s") written"
          + (isCommand ? ", without acknowledgement" : " and acknowledged")
      ])
    return .passed
  }

  private static func show(
    _ table: AttributeTable, _ profile: RecorderProfile?, _ command: PhoneCommand
  ) -> ExitCode {
    let differences = profile.map { GATTComparison.differences(table.services, from: GATTComparison.services(of: $0)) }
    command.output.show(
      GATTText.document(table.services, table.values, differences),
      GATTText.lines(table.services, table.values)
        + (differences.map { GATTText.verdict($0, profile?.name ?? "") } ?? []))
    return differences?.isEmpty == false ? .deviceFailed : .passed
  }
}
