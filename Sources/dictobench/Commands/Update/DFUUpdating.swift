import Bench
import Bytes
import Phone
import Reports
import SecureDFU
import Synchronization
import Text
import Verdicts
import World

/// `dictobench dfu update` and `dictobench dfu versions`: our phone before a recorder, real or simulated.
enum DFUUpdating {
  /// The longest that an update may take: the largest image over a bad link, with every break it may have.
  private static let limit = Duration.seconds(4 * 3_600)

  static func update(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 2 else { throw UsageFailure("dfu update needs a package") }
    let path = arguments.operands[1]
    let archive = try DFUPacking.bytes(path)
    let package: FirmwarePackage
    do throws(PackageRefusal) { package = try FirmwarePackage(decoding: archive) } catch {
      throw UsageFailure("\(path): \(error)")
    }
    var order = FirmwareOrder(package, name: PlainText.escaped(DFUPacking.name(of: path)))
    order.isChecked = !arguments.isSet("--unchecked")
    order.publicKey = try arguments.value("--public-key").map(DFUPacking.publicKey)
    let command = try PhoneCommand(arguments, console)
    let wish = order
    return try command.run { desk in
      let line = command.isJSON ? nil : UpdateLine(console)
      await desk.onEvent { event in
        if case .update(let state) = event { line?.show(state) }
      }
      let result = try await desk.perform(.update(wish, command.choice), within: limit)
      line?.finish()
      switch result {
      case .success(.updated(let summary)):
        show(summary, command)
        return .passed
      case .success: return .internalError
      case .failure(let failure): return report(failure, command)
      }
    }
  }

  static func versions(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 1 else { throw UsageFailure("dfu versions takes no operand") }
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      if case .failure(let failure) = try await desk.perform(.connect(command.choice), within: .seconds(90)) {
        return command.report(failure)
      }
      switch try await desk.perform(.reportVersions, within: .seconds(90)) {
      case .success(.versions(let report)):
        show(report, command)
        return .passed
      case .success: return .internalError
      case .failure(let failure): return command.report(failure)
      }
    }
  }

  // MARK: What is said

  private static func show(_ summary: UpdateSummary, _ command: PhoneCommand) {
    let seconds = summary.transferDuration / .seconds(1)
    let rate = seconds > 0 ? Int(Double(summary.octets) / seconds) : 0
    if command.isJSON {
      let json = JSONValue.object([
        ("installed", .string(InstalledAfterUpdate.new.rawValue)),
        ("version", summary.version.map { .integer(Int($0)) } ?? .null),
        ("firmwareRevision", summary.firmwareRevision.map { .string($0) } ?? .null),
        ("octets", .integer(summary.octets)), ("seconds", .seconds(summary.duration)),
        ("transferSeconds", .seconds(summary.transferDuration)), ("octetsPerSecond", .integer(rate)),
        ("links", .integer(summary.links)), ("drops", .integer(summary.drops)),
      ])
      return command.console.out(json.text)
    }
    let version = summary.version.map { "version \($0)" } ?? "the package"
    let told = summary.firmwareRevision.map { "the application calls itself \(PlainText.escaped($0))" }
    command.console.out(
      "\(version) is installed: \(summary.octets) octets at \(rate) octets a second over \(summary.links) "
        + "link\(summary.links == 1 ? "" : "s"); "
        + (told ?? "the application tells no version, the bootloader took the image and stored that it did"))
  }

  private static func report(_ failure: PhoneFailure, _ command: PhoneCommand) -> ExitCode {
    let (text, installed, status): (String, InstalledAfterUpdate?, ExitCode) =
      switch failure {
      case .packageUnfit(let reason): ("the recorder was not touched: \(reason)", .old, .usage)
      case .updateRefused(let reply, let installed):
        ("refused with \(Hexadecimal.string(reply)): \(words(reply))", installed, .deviceFailed)
      case .updateFailed(let trouble, let installed): (trouble.rawValue, installed, .deviceFailed)
      default: ("\(failure)", nil, .deviceFailed)
      }
    guard let installed else { return command.report(failure) }
    if command.isJSON {
      let json = JSONValue.object([("failure", .string(text)), ("installed", .string(installed.rawValue))])
      command.console.out(json.text)
    } else {
      let state =
        switch installed {
        case .new: "the new firmware is installed"
        case .old: "the old firmware is installed"
        case .none: "the bootloader waits, and has no application that it could start; update again"
        case .unknown: "which firmware is installed is not known, for the recorder could not be reached"
        }
      command.console.note("dictobench: \(PlainText.escaped(text)); \(state)")
    }
    return status
  }

  private static func words(_ reply: [UInt8]) -> String {
    (try? ControlPointReply(decoding: reply)).map { "\($0)" } ?? "of the buttonless service"
  }

  private static func show(_ report: VersionReport, _ command: PhoneCommand) {
    let facts: [(String, VersionReport.Fact?)] = [
      ("application", report.application), ("board", report.board), ("softDevice", report.softDevice),
    ]
    if command.isJSON {
      let entries = facts.map { name, fact in
        (
          name,
          fact.map { JSONValue.object([("version", .string($0.text)), ("source", .string($0.source.rawValue))]) }
            ?? .null
        )
      }
      return command.console.out(
        JSONValue.object(entries + [("bootloader", .null), ("bootloaderReason", .string(VersionReport.bootloader))])
          .text)
    }
    for (name, fact) in facts {
      command.console.out(
        "\(name): " + (fact.map { "\(PlainText.escaped($0.text)) (\($0.source.rawValue))" } ?? "nobody says"))
    }
    command.console.out("bootloader: \(VersionReport.bootloader)")
  }
}

/// Shows on standard error how far an update is: a line that is rewritten on a terminal, else each new phase.
private final class UpdateLine: Sendable {
  private let console: Console
  private let phase = Mutex<UpdateState.Phase?>(nil)

  init(_ console: Console) { self.console = console }

  func show(_ state: UpdateState) {
    let isNews = phase.withLock { last in
      defer { last = state.phase }
      return last != state.phase
    }
    if console.style.isAnimated {
      console.progress("\r\u{1B}[K" + text(state))
    } else if isNews {
      console.note(text(state))
    }
  }

  /// Takes the line away.
  func finish() { if console.style.isAnimated { console.progress("\r\u{1B}[K") } }

  private func text(_ state: UpdateState) -> String {
    let place =
      switch state.place {
      case .nowhere: "not connected"
      case .application: "application"
      case .bootloader: "bootloader"
      }
    var text = "\(state.phase.rawValue) (\(place))"
    guard state.phase == .sending else { return text }
    text += "  \(state.percent) %  \(state.octets) of \(state.total) octets"
    if let rate = state.octetsPerSecond { text += "  \(rate) octets a second" }
    if let left = state.secondsLeft { text += "  \(left) s left" }
    return text
  }
}
