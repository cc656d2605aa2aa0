import Bench
import Bytes
import DictofunProtocol
import Foundation
import Phone
import Requirements
import World

/// `dictobench pull`
enum PullCommand: Command {
  static let declaration = CommandDeclaration(
    "pull", "Pairs where needed, fetches every new record, and writes it as sound.",
    options: PhoneCommand.options + [
      OptionDeclaration("--out", "Folder for the records; here unless stated.", value: "FOLDER")
    ], example: "dictobench pull --controller tcp-client:127.0.0.1:9001 --out records")

  /// The longest that fetching everything may take.
  private static let limit = Duration.seconds(4 * 3_600)

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let out = arguments.value("--out") ?? "."
    return try command.run { desk in
      if case .failure(let failure) = try await desk.perform(.connect(command.choice), within: .seconds(90)) {
        return command.report(failure)
      }
      switch try await desk.perform(.pair, within: .seconds(90)) {
      case .success, .failure(.alreadyPaired): break
      case .failure(let failure): return command.report(failure)
      }
      switch try await desk.perform(.sync(command.choice, finishes: true), within: limit) {
      case .success(.synced(let summary)):
        let written = try write(try await desk.records(), to: out)
        show(summary, written, command)
        return .passed
      case .success: return .internalError
      case .failure(let failure):
        _ = try write(try await desk.records(), to: out)
        return command.report(failure)
      }
    }
  }

  /// Writes what is not there yet, each file under its own name only when it is whole.
  private static func write(_ records: [LibraryEntry], to folder: String) throws -> [String] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var written: [String] = []
    for record in records {
      let base = "\(folder)/\(record.identifier)"
      if FileManager.default.fileExists(atPath: base + ".record") { continue }
      let samples = RecordAudio.samples(of: record.bytes)
      try Data(WaveFile(samples: samples).encoded).write(to: URL(filePath: base + ".wav"), options: .atomic)
      try Data(record.bytes).write(to: URL(filePath: base + ".record"), options: .atomic)
      written.append(record.identifier)
    }
    return written
  }

  private static func show(_ summary: SyncSummary, _ written: [String], _ command: PhoneCommand) {
    if command.isJSON {
      let json = JSONValue.object([
        ("listed", .integer(summary.listed)), ("downloaded", .integer(summary.downloaded)),
        ("octets", .integer(summary.octets)),
        ("battery", summary.battery.map { .integer(Int($0)) } ?? .null), ("written", .strings(written)),
      ])
      command.console.out(json.text)
    } else {
      command.console.out(
        "\(summary.listed) listed, \(summary.downloaded) fetched, \(summary.octets) octets; \(written.count) files written"
      )
    }
  }
}
