import Bytes
import Text
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
      OptionDeclaration(
        "--transcriber",
        "A program that prints what is said in the WAV file whose path is its last argument; words are separated by "
          + "spaces. The text is kept in the library and written beside the sound.", value: "COMMAND"),
    ], example: "dictobench pull --controller tcp-client:127.0.0.1:9001 --out records")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("pull", arguments, console)
    let files = PulledFiles(folder: try arguments.outputFolder("--out") ?? ".")
    let attempts = try arguments.number("--attempts", in: 1...1_000) ?? 3
    let screen = PullScreen(command.output)
    let transcribing = try arguments.value("--transcriber").map { command throws(UsageFailure) in
      Transcribing(try words(command), files)
    }
    return try command.run({ conversation in
      let result = try await conversation.pull(attempts: attempts, write: files.write) { screen.show($0) }
      guard let transcribing else { return (result, nil as TranscribedRecords?) }
      return (result, try await conversation.transcribe(transcribing))
    }) { (result: PullResult, transcribed: TranscribedRecords?) in
      command.output.show(
        document(result, transcribed), ["\(result.summary.listed) listed, \(PullScreen.sentence(result.totals))"])
      guard let transcribed else { return .passed }
      for failure in transcribed.failures {
        command.output.console.note(
          "\(PlainText.escaped(failure.identifier)) has no transcript: \(PlainText.escaped(failure.reason))")
      }
      return transcribed.failures.isEmpty ? .passed : .benchFailed
    }
  }

  /// The words of a command; its program by its full path.
  private static func words(_ command: String) throws(UsageFailure) -> [String] {
    let words = command.split(separator: " ").map(String.init)
    guard let program = words.first else { throw UsageFailure("--transcriber names no program; give its full path") }
    guard program.hasPrefix("/") else {
      throw UsageFailure("--transcriber needs the full path of its program, such as /usr/bin/\(program)")
    }
    return words
  }

  private static func document(_ result: PullResult, _ transcribed: TranscribedRecords?) -> JSONValue {
    .object([
      ("listed", .integer(result.summary.listed)), ("downloaded", .integer(result.totals.downloaded)),
      ("octets", .integer(result.totals.octets)),
      ("battery", result.summary.battery.map { .integer(Int($0)) } ?? .null),
      ("written", .strings(result.totals.written)),
      ("transcribed", transcribed.map { .strings($0.identifiers) } ?? .null),
      ("attempts", .integer(result.attempts)),
      ("transferSeconds", .seconds(result.totals.transferring)),
      ("octetsPerSecond", result.totals.octetsPerSecond.map(JSONValue.integer) ?? .null),
    ])
  }
}
