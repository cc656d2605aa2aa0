import Bytes
import Text
import DictofunProtocol
import Verdicts
import Session

/// `dictobench records`
enum RecordsCommand: Command {
  static let declaration = CommandDeclaration(
    "records", "Lists a recorder's records with size and length, and tells which are on the phone.",
    options: PhoneOptions.declarations, example: "dictobench records --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("records", arguments, console)
    return try command.run({ try await $0.listRecords() }) { rows in
      command.output.show(.object([("records", .array(rows.map(document)))]), rows.map(line) + [summary(rows)])
      return rows.contains { $0.trouble != nil } ? .deviceFailed : .passed
    }
  }

  private static func document(_ row: RecordRow) -> JSONValue {
    .object([
      ("identifier", .string(row.identifier)),
      ("date", .optional(RecordIdentifier(row.identifier)?.date?.description)),
      ("octets", row.size.map { .integer(Int($0)) } ?? .null),
      ("seconds", row.duration.map(JSONValue.seconds) ?? .null), ("state", .string(row.state.rawValue)),
      ("transcript", .optional(row.transcript)),
      ("trouble", .optional(row.trouble.map(words))),
    ])
  }

  private static func words(_ trouble: RecordRow.Trouble) -> String {
    switch trouble {
    case .unknown: "the recorder lists it but does not find it"
    case .unreadable: "the recorder cannot open it"
    }
  }

  private static func line(_ row: RecordRow) -> String {
    let date = RecordIdentifier(row.identifier)?.date.map { "\($0)" } ?? "no date"
    guard let size = row.size, let duration = row.duration else {
      return "\(row.identifier)  \(date)  \(row.trouble.map(words) ?? "unknown size")"
    }
    let tenths = Int(duration / .milliseconds(100))
    let words = row.transcript.map { "  \(PlainText.escaped($0, limit: 60))" } ?? ""
    return "\(row.identifier)  \(date)  \(size) octets  \(tenths / 10).\(tenths % 10) s  \(row.state.rawValue)\(words)"
  }

  private static func summary(_ rows: [RecordRow]) -> String {
    "\(rows.count) record\(rows.count == 1 ? "" : "s"), \(rows.count { $0.state == .new }) new"
  }
}
