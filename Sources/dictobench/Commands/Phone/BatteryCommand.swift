import Bytes
import Verdicts
import Session

/// `dictobench battery`
enum BatteryCommand: Command {
  static let declaration = CommandDeclaration(
    "battery", "Reads the battery level of a recorder.", options: PhoneOptions.declarations,
    example: "dictobench battery --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("battery", arguments, console)
    return try command.run({ try await $0.readBattery() }) { reading in
      command.output.show(document(reading), [line(reading)])
      return .passed
    }
  }

  private static func document(_ reading: BatteryReading) -> JSONValue {
    .object([
      ("percent", reading.percent.map { .integer(Int($0)) } ?? .null), ("octet", .integer(Int(reading.octet))),
      ("isLow", reading.percent == nil ? .null : .boolean(reading.isLow)),
    ])
  }

  private static func line(_ reading: BatteryReading) -> String {
    guard let percent = reading.percent else {
      return "\(reading.octet), which is not a percentage: the recorder has not measured its battery yet"
    }
    return "\(percent) %" + (reading.isLow ? ", which is low: an application would request nothing else" : "")
  }
}
