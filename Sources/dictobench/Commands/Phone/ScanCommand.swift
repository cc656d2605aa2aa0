import Bytes
import Phone
import Requirements
import ScenarioLanguage

/// `dictobench scan`
enum ScanCommand: Command {
  static let declaration = CommandDeclaration(
    "scan", "Listens for recorders with our phone.",
    options: PhoneCommand.options + [
      OptionDeclaration("--for", "Seconds to listen; 5 unless stated.", value: "SECONDS")
    ], example: "dictobench scan --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let seconds = try arguments.number("--for", in: 1...3_600) ?? 5
    return try command.run { desk in
      switch try await desk.perform(.scan(.seconds(seconds)), within: .seconds(seconds + 30)) {
      case .success(.recorders(let sightings)):
        let recorders = sightings.filter { !$0.isBootloader }
        show(recorders, command)
        return recorders.isEmpty ? .deviceFailed : .passed
      case .success: return .internalError
      case .failure(let failure): return command.report(failure)
      }
    }
  }

  private static func show(_ recorders: [RecorderSighting], _ command: PhoneCommand) {
    if command.isJSON {
      let items = recorders.map { recorder in
        JSONValue.object([
          ("address", .string(recorder.address.description)), ("name", .string(recorder.name)),
          ("signalStrength", recorder.signalStrength.map { .integer(Int($0)) } ?? .null),
          ("isPaired", .boolean(recorder.isPaired)),
        ])
      }
      command.console.out(JSONValue.object([("recorders", .array(items))]).text)
    } else if recorders.isEmpty {
      command.console.note("no recorder was heard")
    } else {
      for recorder in recorders {
        let strength = recorder.signalStrength.map { "\($0) dBm" } ?? "-"
        let paired = recorder.isPaired ? "  paired" : ""
        command.console.out("\(recorder.address)  \(PlainText.escaped(recorder.name))  \(strength)\(paired)")
      }
    }
  }
}
