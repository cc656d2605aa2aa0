import Bytes
import DictofunProtocol
import Phone
import Verdicts

/// `dictobench battery`
enum BatteryCommand: Command {
  static let declaration = CommandDeclaration(
    "battery", "Reads the battery level of a recorder.", options: PhoneCommand.options,
    example: "dictobench battery --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      try await command.connect(desk)
      guard case .battery(let level) = try await desk.perform(.readBattery, within: PhoneCommand.connecting).get()
      else { return .internalError }
      let isKnown = level <= 100
      let isLow = isKnown && level <= LowBatteryRule.lowPercent
      command.show(
        .object([
          ("percent", isKnown ? .integer(Int(level)) : .null), ("octet", .integer(Int(level))),
          ("isLow", isKnown ? .boolean(isLow) : .null),
        ]),
        [
          isKnown
            ? "\(level) %" + (isLow ? ", which is low: nothing but the battery is asked for then" : "")
            : "\(level), which is no percentage: the recorder has not measured yet"
        ])
      return .passed
    }
  }
}
