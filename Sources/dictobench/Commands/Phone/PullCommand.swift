import Bytes
import Verdicts
import Session

/// `dictobench pull`
enum PullCommand: Command {
  static let declaration = CommandDeclaration(
    "pull", "Pairs if needed, fetches every new record, and writes it as sound.",
    options: PhoneOptions.declarations + [
      OptionDeclaration("--out", "Folder for the records (default: the current folder).", value: "FOLDER"),
      OptionDeclaration(
        "--attempts", "How many connections to make in all when a connection is lost (default: 3).", value: "N"),
    ], example: "dictobench pull --controller tcp-client:127.0.0.1:9001 --out records")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let files = PulledFiles(folder: arguments.value("--out") ?? ".")
    let attempts = try arguments.number("--attempts", in: 1...1_000) ?? 3
    let screen = PullScreen(command.output)
    return try command.run({ try await $0.pull(attempts: attempts, write: files.write) { screen.show($0) } }) {
      result in
      command.output.show(
        document(result), ["\(result.summary.listed) listed, \(PullScreen.sentence(result.totals))"])
      return .passed
    }
  }

  private static func document(_ result: PullResult) -> JSONValue {
    .object([
      ("listed", .integer(result.summary.listed)), ("downloaded", .integer(result.totals.downloaded)),
      ("octets", .integer(result.totals.octets)),
      ("battery", result.summary.battery.map { .integer(Int($0)) } ?? .null),
      ("written", .strings(result.totals.written)), ("attempts", .integer(result.attempts)),
      ("transferSeconds", .seconds(result.totals.transferring)),
      ("octetsPerSecond", result.totals.octetsPerSecond.map(JSONValue.integer) ?? .null),
    ])
  }
}
