import Bytes
import DictofunProtocol
import Phone
import ScenarioLanguage
import Synchronization
import Verdicts

/// `dictobench time`
enum TimeCommand: Command {
  static let declaration = CommandDeclaration(
    "time", "Serves the time to a recorder, and says what its clock is worth by its newest record.",
    options: PhoneCommand.options + [
      OptionDeclaration(
        "--for", "How long the recorder is given to read the time; 5 s unless stated.", value: "DURATION")
    ], example: "dictobench time --controller tcp-client:127.0.0.1:9001")

  /// Why there is no more to say.
  static let caveat =
    "the recorder's clock cannot be read over Bluetooth; only the identifier of a record made after this shows it"

  private struct Findings {
    var served: CivilTime?
    var isRefused = false
    /// The latest date that an identifier names, and how many seconds it lies behind the phone's clock.
    var newest: (identifier: RecordIdentifier, date: CivilTime, age: Int64)?
    var undated = 0
    var count = 0

    /// Seconds that a record may lie ahead, since both clocks count whole ones.
    static let tolerance: Int64 = 2

    var isAhead: Bool { newest.map { $0.age < -Self.tolerance } ?? false }
  }

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600))) ?? .seconds(5)
    return try command.run { desk in
      let heard = Heard()
      await desk.onEvent { heard.take($0) }
      try await command.connect(desk)
      await desk.wait(span) { heard.isOver }
      guard case .records(let names) = try await desk.perform(.list, within: PhoneCommand.connecting).get() else {
        return .internalError
      }
      let now = try await desk.localTime()
      var findings = heard.findings
      findings.count = names.count
      for identifier in names.compactMap({ RecordIdentifier($0) }) {
        guard let date = identifier.date else {
          findings.undated += 1
          continue
        }
        if findings.newest.map({ $0.date < date }) ?? true {
          findings.newest = (identifier, date, now - date.secondsSince2000)
        }
      }
      command.show(document(findings), lines(findings))
      return findings.served == nil || findings.isAhead ? .deviceFailed : .passed
    }
  }

  /// What the recorder did about the time.
  private final class Heard: Sendable {
    private let state = Mutex(Findings())

    var findings: Findings { state.withLock { $0 } }
    var isOver: Bool { state.withLock { $0.served != nil || $0.isRefused } }

    func take(_ event: PhoneEvent) {
      switch event {
      case .timeServed(let time): state.withLock { $0.served = CivilTime(secondsSince2000: time) }
      case .timeRefused: state.withLock { $0.isRefused = true }
      default: break
      }
    }
  }

  private static func document(_ findings: Findings) -> JSONValue {
    .object([
      ("served", .optional(findings.served?.description)), ("refused", .boolean(findings.isRefused)),
      ("records", .integer(findings.count)), ("withoutDate", .integer(findings.undated)),
      ("newestIdentifier", .optional(findings.newest?.identifier.description)),
      ("newestDate", .optional(findings.newest?.date.description)),
      ("newestAgeSeconds", findings.newest.map { .integer(Int($0.age)) } ?? .null),
      ("isAhead", .boolean(findings.isAhead)), ("caveat", .string(caveat)),
    ])
  }

  private static func lines(_ findings: Findings) -> [String] {
    var lines: [String] = []
    if let served = findings.served {
      lines.append("the recorder read the time and was given \(served)")
    } else if findings.isRefused {
      lines.append("the recorder wanted the time and was refused it, because its battery is low")
    } else {
      lines.append("the recorder did not read the time; one that is not paired does not")
    }
    if let newest = findings.newest {
      lines.append(
        newest.age < -Findings.tolerance
          ? "its newest record names \(newest.date), \(-newest.age) s in the future: its clock was wrong then"
          : "its newest record names \(newest.date), \(newest.age) s ago: nothing speaks against its clock then")
    } else {
      lines.append(findings.count == 0 ? "it has no records that could tell" : "none of its records names a date")
    }
    if findings.undated > 0 {
      lines.append("\(findings.undated) of \(findings.count) records name no date: its clock did not answer then")
    }
    return lines + [caveat]
  }
}
