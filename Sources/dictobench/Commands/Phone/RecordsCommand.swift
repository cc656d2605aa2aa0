import Bench
import Bytes
import DictofunProtocol
import Phone
import Verdicts

/// `dictobench records`
enum RecordsCommand: Command {
  static let declaration = CommandDeclaration(
    "records", "Lists the records of a recorder with size and length, and whether they are on the phone.",
    options: PhoneCommand.options, example: "dictobench records --controller tcp-client:127.0.0.1:9001")

  /// The longest that one request may take.
  private static let limit = Duration.seconds(90)

  /// What the phone has of a record.
  private enum State: String {
    /// The phone never had it.
    case new
    /// It is in the phone's library.
    case here
    /// It was, and was removed there.
    case removed
  }

  private struct Row {
    var identifier: String
    /// `nil` where the recorder does not tell.
    var size: UInt32?
    var state = State.new
    var trouble: String?

    /// How long it sounds: whole frames only (`RecordAudio`).
    var duration: Duration? {
      size.map { size in
        let samples = Int64(size) / Int64(RecordAudio.octetsPerFrame) * Int64(RecordAudio.samplesPerFrame)
        return .milliseconds(samples * 1_000 / Int64(RecordAudio.sampleRate))
      }
    }
  }

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      try await command.connect(desk)
      guard case .records(let identifiers) = try await desk.perform(.list, within: limit).get() else {
        return .internalError
      }
      let known = try await desk.knownRecords()
      var rows: [Row] = []
      for identifier in identifiers {
        rows.append(try await row(identifier, known.records, known.tombstones, desk))
      }
      command.show(.object([("records", .array(rows.map(document)))]), rows.map(line) + [summary(rows)])
      return rows.contains { $0.trouble != nil } ? .deviceFailed : .passed
    }
  }

  private static func row(
    _ identifier: String, _ records: [LibraryRecord], _ tombstones: [Tombstone], _ desk: PhoneDesk
  ) async throws -> Row {
    var row = Row(identifier: identifier)
    switch try await desk.perform(.inform(.identifier(identifier)), within: limit) {
    case .success(.size(let size)): row.size = size
    case .success: break
    case .failure(.recordNotFound): row.trouble = "the recorder lists it, and does not know it"
    case .failure(.fileSystemCorrupt): row.trouble = "the recorder cannot open it"
    case .failure(let failure): throw failure
    }
    func isThis(_ other: RecordIdentifier, _ size: UInt32) -> Bool {
      other.description == identifier && size == row.size
    }
    if records.contains(where: { $0.isListed && $0.isComplete && isThis($0.identifier, $0.size) }) {
      row.state = .here
    } else if tombstones.contains(where: { $0.isListed && isThis($0.identifier, $0.size) }) {
      row.state = .removed
    }
    return row
  }

  private static func document(_ row: Row) -> JSONValue {
    .object([
      ("identifier", .string(row.identifier)),
      ("date", .optional(RecordIdentifier(row.identifier)?.date?.description)),
      ("octets", row.size.map { .integer(Int($0)) } ?? .null),
      ("seconds", row.duration.map(JSONValue.seconds) ?? .null), ("state", .string(row.state.rawValue)),
      ("trouble", .optional(row.trouble)),
    ])
  }

  private static func line(_ row: Row) -> String {
    let date = RecordIdentifier(row.identifier)?.date.map { "\($0)" } ?? "names no date"
    guard let size = row.size, let duration = row.duration else {
      return "\(row.identifier)  \(date)  \(row.trouble ?? "size unknown")"
    }
    let tenths = Int(duration / .milliseconds(100))
    return "\(row.identifier)  \(date)  \(size) octets  \(tenths / 10).\(tenths % 10) s  \(row.state.rawValue)"
  }

  private static func summary(_ rows: [Row]) -> String {
    "\(rows.count) record\(rows.count == 1 ? "" : "s"), \(rows.count { $0.state == .new }) new"
  }
}
