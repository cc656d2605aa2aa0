import Bytes
import Phone
import Verdicts
import SecureDFU

/// Updates and versions in words.
enum UpdateText {
  /// Shows what an update did.
  static func show(_ summary: UpdateSummary, _ output: ResultOutput) {
    let seconds = summary.transferDuration / .seconds(1)
    let rate = seconds > 0 ? Int(Double(summary.octets) / seconds) : 0
    let version = summary.version.map { "version \($0)" } ?? "the package"
    let told = summary.firmwareRevision.map { "the application reports version \($0)" }
    output.show(
      .object([
        ("installed", .string(InstalledAfterUpdate.new.rawValue)),
        ("version", summary.version.map { .integer(Int($0)) } ?? .null),
        ("firmwareRevision", .optional(summary.firmwareRevision)),
        ("octets", .integer(summary.octets)), ("seconds", .seconds(summary.duration)),
        ("transferSeconds", .seconds(summary.transferDuration)), ("octetsPerSecond", .integer(rate)),
        ("links", .integer(summary.links)), ("drops", .integer(summary.drops)),
      ]),
      [
        "\(version) is installed: \(summary.octets) octets at \(rate) octets a second over \(summary.links) "
          + "link\(summary.links == 1 ? "" : "s"); "
          + (told ?? "the application does not report its version, but the bootloader stored the image")
      ])
  }

  /// Shows why an update failed and which firmware is installed; `nil` for failures that are not an update's.
  static func show(_ failure: PhoneFailure, _ output: ResultOutput) -> ExitCode? {
    switch failure {
    case .packageUnfit(let reason): return show("the update was not started: \(reason)", .old, .usage, output)
    case .updateRefused(let reply, let installed):
      return show("refused with \(Hexadecimal.string(reply)): \(words(reply))", installed, .deviceFailed, output)
    case .updateFailed(let trouble, let installed): return show(trouble.rawValue, installed, .deviceFailed, output)
    default: return nil
    }
  }

  private static func show(
    _ text: String, _ installed: InstalledAfterUpdate, _ code: ExitCode, _ output: ResultOutput
  ) -> ExitCode {
    let sentence = output.isJSON ? text : "\(text); \(words(installed))"
    output.show(failure: sentence, [("installed", .string(installed.rawValue))])
    return code
  }

  private static func words(_ installed: InstalledAfterUpdate) -> String {
    switch installed {
    case .new: "the new firmware is installed"
    case .old: "the previous firmware is still installed"
    case .none: "the bootloader is running and has no application to start; update again"
    case .unknown: "the installed firmware is unknown, because the recorder could not be reached"
    }
  }

  private static func words(_ reply: [UInt8]) -> String {
    (try? ControlPointReply(decoding: reply)).map { "\($0)" } ?? "an answer of the buttonless service"
  }

  /// Shows which hardware and firmware a recorder has.
  static func show(_ report: VersionReport, _ output: ResultOutput) {
    let facts: [(String, VersionReport.Fact?)] = [
      ("application", report.application), ("board", report.board), ("softDevice", report.softDevice),
    ]
    let members = facts.map { name, fact in (name, fact.map(document) ?? .null) }
    output.show(
      .object(members + [("bootloader", .null), ("bootloaderReason", .string(VersionReport.bootloader))]),
      facts.map { name, fact in "\(name): " + (fact.map { "\($0.text) (\($0.source.rawValue))" } ?? "not reported") }
        + ["bootloader: \(VersionReport.bootloader)"])
  }

  private static func document(_ fact: VersionReport.Fact) -> JSONValue {
    .object([("version", .string(fact.text)), ("source", .string(fact.source.rawValue))])
  }

  /// How far an update is.
  static func line(_ state: UpdateState) -> String {
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
