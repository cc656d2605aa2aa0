import Bytes
import Phone
import ScenarioLanguage
import Text
import Verdicts

/// `dictobench scan`
enum ScanCommand: Command {
  static let declaration = CommandDeclaration(
    "scan", "Listens for recorders with our phone.",
    options: PhoneCommand.options + [
      OptionDeclaration("--for", "How long to listen, such as 10s; 5 s unless stated.", value: "DURATION")
    ], example: "dictobench scan --controller tcp-client:127.0.0.1:9001 --for 10s")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600))) ?? .seconds(5)
    return try command.run { desk in
      let result = try await desk.perform(.scan(span), within: span + .seconds(30)).get()
      guard case .recorders(let all) = result else { return .internalError }
      let recorders = all.filter { command.isMeant($0) }
      command.show(
        .object([("recorders", .array(recorders.map { document($0, after: span) }))]),
        recorders.map { line($0, after: span) })
      if recorders.isEmpty, !command.isJSON { console.note("dictobench: no recorder was heard") }
      return recorders.isEmpty ? .deviceFailed : .passed
    }
  }

  /// How long ago it was last heard when the scan ended.
  private static func age(_ recorder: RecorderSighting, after span: Duration) -> Duration {
    max(.zero, span - .nanoseconds(Int64(clamping: recorder.lastHeardNanoseconds)))
  }

  private static func document(_ recorder: RecorderSighting, after span: Duration) -> JSONValue {
    .object([
      ("address", .string(recorder.address.description)), ("name", .string(recorder.name)),
      ("signalStrength", recorder.signalStrength.map { .integer(Int($0)) } ?? .null),
      ("ageSeconds", .seconds(age(recorder, after: span))), ("isPaired", .boolean(recorder.isPaired)),
      ("isBootloader", .boolean(recorder.isBootloader)),
    ])
  }

  private static func line(_ recorder: RecorderSighting, after span: Duration) -> String {
    let tenths = age(recorder, after: span) / .milliseconds(100)
    let strength = recorder.signalStrength.map { "\($0) dBm" } ?? "strength unknown"
    let heard = "heard \(Int(tenths) / 10).\(Int(tenths) % 10) s ago"
    let marks = (recorder.isPaired ? "  paired" : "") + (recorder.isBootloader ? "  in its bootloader" : "")
    return "\(recorder.address)  \(PlainText.escaped(recorder.name))  \(strength)  \(heard)\(marks)"
  }
}

extension PhoneCommand {
  /// Whether a recorder that was heard is the one that `--device` names, where it names one.
  func isMeant(_ recorder: RecorderSighting) -> Bool {
    guard case .address(let address) = choice else { return true }
    return recorder.address == address || recorder.identity == address
  }
}
