import Text
import Bytes
import Phone
import Verdicts
import Session

/// `dictobench scan`
enum ScanCommand: Command {
  static let declaration = CommandDeclaration(
    "scan", "Listens for recorders.",
    options: PhoneOptions.declarations + [
      OptionDeclaration("--for", "How long to listen, such as 10s (default: 5 s).", value: "DURATION")
    ], example: "dictobench scan --controller tcp-client:127.0.0.1:9001 --for 10s")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("scan", arguments, console)
    let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600))) ?? .seconds(5)
    return try command.run({ try await $0.scan(for: span) }) { result in
      command.output.show(
        .object([("recorders", .array(result.recorders.map { document($0, result) }))]),
        result.recorders.map { line($0, result) })
      if result.recorders.isEmpty, !command.output.isJSON { command.output.console.complain("no recorder found") }
      return result.recorders.isEmpty ? .deviceFailed : .passed
    }
  }

  private static func document(_ recorder: RecorderSighting, _ result: ScanResult) -> JSONValue {
    .object([
      ("address", .string(recorder.address.description)), ("name", .string(recorder.name)),
      ("signalStrength", recorder.signalStrength.map { .integer(Int($0)) } ?? .null),
      ("ageSeconds", .seconds(result.age(of: recorder))), ("isPaired", .boolean(recorder.isPaired)),
      ("isBootloader", .boolean(recorder.isBootloader)),
    ])
  }

  private static func line(_ recorder: RecorderSighting, _ result: ScanResult) -> String {
    let tenths = Int(result.age(of: recorder) / .milliseconds(100))
    let strength = recorder.signalStrength.map { "\($0) dBm" } ?? "strength unknown"
    let heard = "heard \(tenths / 10).\(tenths % 10) s ago"
    let marks = (recorder.isPaired ? "  paired" : "") + (recorder.isBootloader ? "  in its bootloader" : "")
    return "\(recorder.address)  \(PlainText.escaped(recorder.name))  \(strength)  \(heard)\(marks)"
  }
}
