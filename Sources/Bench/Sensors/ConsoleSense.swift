import DictofunProtocol
import Recorder
import Timeline

/// Reads facts from the log at a recorder's console. A line proves what it says; a line that is missing proves nothing.
struct ConsoleSense {
  /// From an event to its line: the log waits for its turn, the line is sent at 115,200 baud, and the converter's driver
  /// collects what comes for some milliseconds.
  static let latency = Duration.milliseconds(200)

  /// The facts in a line that came at an instant.
  func take(_ log: ConsoleLog, at now: Instant) -> Sighting? {
    guard let fact = fact(log.text) else { return nil }
    return Sighting(fact, from: now.before(Self.latency), to: now, by: .console)
  }

  private func fact(_ text: String) -> SensedFact? {
    if let name = Self.part(of: text, after: "created record [", before: "]") {
      return RecordIdentifier(name).map(SensedFact.recordBegun)
    }
    if let size = Self.part(of: text, after: "closed record. written size = ", before: " bytes") {
      return UInt32(size).map { .recordFinished(octets: $0) }
    }
    guard text.hasPrefix(Self.transition), let arrow = text.range(of: "->") else { return nil }
    return UInt8(text[arrow.upperBound...]).flatMap(SystemState.init).map { .state($0.firmwareName) }
  }

  private static let transition = "state: transition "

  private static func part(of text: String, after prefix: String, before suffix: String) -> String? {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix), text.count >= prefix.count + suffix.count else { return nil }
    return String(text.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
