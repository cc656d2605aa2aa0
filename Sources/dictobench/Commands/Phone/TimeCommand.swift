import Bytes
import Verdicts
import Session

/// `dictobench time`
enum TimeCommand: Command {
  static let declaration = CommandDeclaration(
    "time", "Gives a recorder the time, and tells from its newest record whether its clock was right.",
    options: PhoneOptions.declarations + [
      OptionDeclaration(
        "--for", "How long to wait for the recorder to read the time (default: 5 s).", value: "DURATION")
    ], example: "dictobench time --controller tcp-client:127.0.0.1:9001")

  /// What the command cannot tell.
  static let caveat =
    "the recorder's clock cannot be read over Bluetooth; only the identifier of a record made from now on shows it"

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("time", arguments, console)
    let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600))) ?? .seconds(5)
    return try command.run({ try await $0.serveTime(for: span) }) { findings in
      command.output.show(document(findings), [served(findings), newest(findings)] + undated(findings) + [caveat])
      return findings.served == nil || findings.isAhead ? .deviceFailed : .passed
    }
  }

  private static func document(_ findings: TimeFindings) -> JSONValue {
    .object([
      ("served", .optional(findings.served?.description)), ("refused", .boolean(findings.isRefused)),
      ("records", .integer(findings.count)), ("withoutDate", .integer(findings.undated)),
      ("newestIdentifier", .optional(findings.newest?.identifier.description)),
      ("newestDate", .optional(findings.newest?.date.description)),
      ("newestAgeSeconds", findings.newest.map { .integer(Int($0.age)) } ?? .null),
      ("isAhead", .boolean(findings.isAhead)), ("caveat", .string(caveat)),
    ])
  }

  private static func served(_ findings: TimeFindings) -> String {
    if let served = findings.served { return "the recorder read the time and got \(served)" }
    if findings.isRefused { return "the recorder asked for the time but did not get it, because its battery is low" }
    return "the recorder did not read the time; a recorder that is not paired never does"
  }

  private static func newest(_ findings: TimeFindings) -> String {
    guard let newest = findings.newest else {
      return findings.count == 0 ? "it has no records that show its clock" : "none of its records names a date"
    }
    return findings.isAhead
      ? "its newest record names \(newest.date), \(-newest.age) s in the future: its clock was wrong then"
      : "its newest record names \(newest.date), \(newest.age) s ago: its clock looks plausible"
  }

  private static func undated(_ findings: TimeFindings) -> [String] {
    guard findings.undated > 0 else { return [] }
    return ["\(findings.undated) of \(findings.count) records name no date: the recorder's clock did not answer then"]
  }
}
