import Bytes
import DictofunProtocol
import Verdicts
import Session

/// `dictobench fts`
enum FTSCommand: Command {
  static let declaration = CommandDeclaration(
    "fts", "Writes one request to the File Transfer Service, and shows every notification that follows.",
    operands: "list | info ID | data ID | status | complete | raw HEX", operandLimit: 2,
    options: PhoneOptions.declarations + [
      OptionDeclaration(
        "--for", "The answer counts as ended when no notification comes for this long (default: 2 s).",
        value: "DURATION")
    ], example: "dictobench fts status --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let request = try request(arguments.operands)
    let isRaw = arguments.operands.first == "raw"
    let quiet = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(600))) ?? .seconds(2)
    let command = try PhoneCommand("fts", arguments, console)
    return try command.run({
      try await $0.ask(request, quiet: quiet, isSilent: isRaw) { show($0, command) }
    }) { result in
      command.output.show(FTSText.document(result), [FTSText.line(result)])
      return result.isAnswered ? .passed : .deviceFailed
    }
  }

  private static func show(_ event: FTSEvent, _ command: PhoneCommand) {
    switch event {
    case .batteryLow(let percent): command.output.showLowBattery(percent)
    case .asking(let request): command.output.show(FTSText.document(request), [FTSText.line(request)])
    case .notified(let notification): command.output.show(FTSText.document(notification), [FTSText.line(notification)])
    }
  }

  private static func request(_ operands: [String]) throws(UsageFailure) -> ControlPointRequest {
    let words = ["list", "info", "data", "status", "complete", "raw"]
    guard let word = operands.first else {
      throw UsageFailure("fts needs a request: \(words.joined(separator: ", "))")
    }
    guard words.contains(word) else {
      throw UsageFailure("unknown request \(word)\(ParsedArguments.suggestion(word, words))")
    }
    switch (word, operands.count) {
    case ("list", 1): return .listFiles
    case ("status", 1): return .fileSystemStatus
    case ("complete", 1): return .receiveComplete
    case ("info", 2): return .fileInformation(try identifier(operands[1]))
    case ("data", 2): return .fileData(try identifier(operands[1]))
    case ("raw", 2): return ControlPointRequest(decoding: try OctetOption.octets(operands[1], example: "01"))
    case (_, 1): throw UsageFailure("fts \(word) needs \(word == "raw" ? "octets" : "the identifier of a record")")
    default: throw UsageFailure("fts \(word) takes nothing more")
    }
  }

  private static func identifier(_ text: String) throws(UsageFailure) -> RecordIdentifier {
    guard let identifier = RecordIdentifier(text) else {
      throw UsageFailure("expected a record identifier of sixteen digits, not \"\(text)\"")
    }
    return identifier
  }
}
