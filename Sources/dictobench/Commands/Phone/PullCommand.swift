import Bench
import Bytes
import DictofunProtocol
import Foundation
import Phone
import Synchronization
import Timeline
import Verdicts
import World

/// `dictobench pull`
enum PullCommand: Command {
  static let declaration = CommandDeclaration(
    "pull", "Pairs where needed, fetches every new record, and writes it as sound.",
    options: PhoneCommand.options + [
      OptionDeclaration("--out", "Folder for the records; here unless stated.", value: "FOLDER"),
      OptionDeclaration(
        "--attempts", "How often a broken connection is made again, for what is still missing; 3 in all unless stated.",
        value: "N"),
    ], example: "dictobench pull --controller tcp-client:127.0.0.1:9001 --out records")

  /// The longest that fetching everything may take.
  private static let limit = Duration.seconds(4 * 3_600)

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let out = arguments.value("--out") ?? "."
    let attempts = try arguments.number("--attempts", in: 1...1_000) ?? 3
    return try command.run { desk in
      let line = PullLine(command.isJSON ? nil : console, on: desk.loop)
      await desk.onEvent { line.take($0) }
      for attempt in 1...attempts {
        let result = try await fetch(command, desk)
        line.clear()
        let written = try write(try await desk.records(), to: out)
        line.add(written)
        switch result {
        case .success(let summary):
          show(summary, line.totals, attempts: attempt, command)
          return .passed
        case .failure(let failure):
          guard attempt < attempts, failure.isBreak, !command.hasLostController else {
            if !command.isJSON { console.note(line.totals.sentence) }
            throw failure
          }
          console.note("\(failure.sentence); attempt \(attempt + 1) of \(attempts)")
          _ = try await desk.perform(.disconnect, within: PhoneCommand.connecting)
        }
      }
      return .internalError
    }
  }

  /// One connection: pairs where needed, and fetches what is missing.
  private static func fetch(
    _ command: PhoneCommand, _ desk: PhoneDesk
  ) async throws -> Result<SyncSummary, PhoneFailure> {
    do {
      try await command.connect(desk)
      _ = try await command.pairWhereNeeded(desk)
      guard
        case .synced(let summary) = try await desk.perform(.sync(command.choice, finishes: true), within: limit).get()
      else { return .failure(.abandoned) }
      return .success(summary)
    } catch let failure as PhoneFailure {
      return .failure(failure)
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

  private static func show(_ summary: SyncSummary, _ totals: PullTotals, attempts: Int, _ command: PhoneCommand) {
    command.show(
      .object([
        ("listed", .integer(summary.listed)), ("downloaded", .integer(totals.downloaded)),
        ("octets", .integer(totals.octets)),
        ("battery", summary.battery.map { .integer(Int($0)) } ?? .null), ("written", .strings(totals.written)),
        ("attempts", .integer(attempts)), ("transferSeconds", .seconds(totals.transferring)),
        ("octetsPerSecond", totals.octetsPerSecond.map(JSONValue.integer) ?? .null),
      ]),
      ["\(summary.listed) listed, \(totals.sentence)"])
  }
}

/// What a pull has fetched so far, over all its connections.
private struct PullTotals {
  var downloaded = 0
  var octets = 0
  var written: [String] = []
  /// How long octets of records were arriving.
  var transferring = Duration.zero

  /// Octets of records in a second while they arrived; `nil` where none did for long enough to tell.
  var octetsPerSecond: Int? {
    let milliseconds = Int(transferring / .milliseconds(1))
    return milliseconds > 0 ? octets * 1_000 / milliseconds : nil
  }

  var sentence: String {
    let rate = octetsPerSecond.map { " at \($0) octets a second" } ?? ""
    return "\(downloaded) fetched, \(octets) octets\(rate); \(written.count) files written"
  }
}

/// Follows a pull, and shows on standard error how far it is: a line that is rewritten on a terminal, else each record.
private final class PullLine: Sendable {
  private struct State {
    var totals = PullTotals()
    /// The record that is arriving, when its first octets were seen, and how many those were.
    var current: (identifier: String, began: Instant, octets: UInt32)?
    var lastSeen = Instant.zero
  }

  private let console: Console?
  private let loop: EventLoop
  private let state = Mutex(State())

  init(_ console: Console?, on loop: EventLoop) {
    self.console = console
    self.loop = loop
  }

  var totals: PullTotals { state.withLock { $0.totals } }

  /// Takes the line away.
  func clear() { if let console, console.style.isAnimated { console.progress("\r\u{1B}[K") } }

  func add(_ written: [String]) { state.withLock { $0.totals.written += written } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .progress(let identifier, let received, let total): progress(identifier, received, total)
    case .recordStored(let identifier, let octets):
      let count = state.withLock { state in
        state.totals.downloaded += 1
        state.totals.octets += Int(octets)
        state.current = nil
        return state.totals.downloaded
      }
      guard let console, !console.style.isAnimated else { return }
      console.note("\(identifier)  \(octets) octets, record \(count) of this pull")
    default: break
    }
  }

  private func progress(_ identifier: String, _ received: UInt32, _ total: UInt32) {
    let now = loop.now
    let rate: Int? = state.withLock { state in
      guard let current = state.current, current.identifier == identifier, received >= current.octets else {
        state.current = (identifier, now, received)
        state.lastSeen = now
        return nil
      }
      state.totals.transferring += state.lastSeen.duration(to: now)
      state.lastSeen = now
      let milliseconds = Int(current.began.duration(to: now) / .milliseconds(1))
      return milliseconds > 0 ? Int(received - current.octets) * 1_000 / milliseconds : nil
    }
    guard let console, console.style.isAnimated else { return }
    let percent = total > 0 ? Int(received) * 100 / Int(total) : 100
    let speed = rate.map { "  \($0) octets a second" } ?? ""
    console.progress("\r\u{1B}[K\(identifier)  \(percent) %  \(received) of \(total) octets\(speed)")
  }
}

extension PhoneFailure {
  /// Whether it is a connection that broke, so that making it again may help.
  fileprivate var isBreak: Bool {
    switch self {
    case .disconnected, .noAnswer, .connectionFailed, .notConnected: true
    default: false
    }
  }
}
