import Bytes
import Foundation
import System
import Text
import Timeline
import Trace
import Verdicts

/// The events of a run, read back from its `events.ndjson`.
package struct RecordedEvents: Sendable {
  /// Octets of a file that are read at most.
  package static let limit = 1 << 28

  /// The logs of each scenario by its name, one for each repetition that was kept, in order.
  package let scenarios: [String: [RunComparison.Log]]

  /// Reads the file in a folder of reports. What it holds may be anything: lines that are not events are passed over.
  package init(in folder: String) throws(ReportFailure) {
    self.init(try ReportFile.contents(folder + "/" + EventReport.fileName, limit: Self.limit))
  }

  /// Opens the file in a folder of reports, for ``init(reading:)``.
  package static func open(in folder: String) throws(ReportFailure) -> FileDescriptor {
    try ReportFile.opened(folder + "/" + EventReport.fileName)
  }

  /// Reads a file that was opened, whatever has its name by now.
  package init(reading file: FileDescriptor) throws(ReportFailure) {
    self.init(try ReportFile.contents(of: file, EventReport.fileName, limit: Self.limit))
  }

  /// Reads the lines of such a file.
  init(_ octets: [UInt8]) {
    var scenarios: [String: [RunComparison.Log]] = [:]
    let marks = ["\"event\":{", "\"eventsDropped\":{"].map { Array($0.utf8) }
    for line in octets.split(separator: 0x0A) where marks.contains(where: { line.contains($0) }) {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let name = object["scenario"] as? String
      else { continue }
      let repetition = (object["repetition"] as? NSNumber)?.intValue ?? 0
      var logs = scenarios.removeValue(forKey: name) ?? []
      if logs.last?.repetition != repetition { logs.append(RunComparison.Log(repetition: repetition)) }
      if let event = Self.event(object) { logs[logs.count - 1].entries.append(RunComparison.Entry(event)) }
      let dropped = (object["eventsDropped"] as? [String: Any])?["count"] as? NSNumber
      logs[logs.count - 1].dropped += min(max(0, dropped?.intValue ?? 0), 1 << 40)
      scenarios[name] = logs
    }
    self.scenarios = scenarios
  }

  private static func event(_ object: [String: Any]) -> ReportedEvent? {
    guard let members = object["event"] as? [String: Any], let name = members["name"] as? String,
      let source = (members["source"] as? String).flatMap(source),
      let microseconds = (object["t_virtual_us"] as? NSNumber)?.uint64Value, microseconds < 1 << 60
    else { return nil }
    let known: Set<String> = ["name", "source", "link", "peer", "who", "words"]
    let details = members.keys.filter { !known.contains($0) }.sorted().compactMap { key -> EventDetail? in
      switch members[key] {
      case let text as String: EventDetail(key, text)
      // Numbers and flags are of one type; "c" is that of a flag (Objective-C type encodings).
      case let flag as NSNumber where String(cString: flag.objCType) == "c": EventDetail(key, flag.boolValue)
      case let number as NSNumber: EventDetail(key, number.int64Value)
      default: nil
      }
    }
    let link = UInt32(clamping: (members["link"] as? NSNumber)?.int64Value ?? 0)
    var event = ReportedEvent(
      at: Instant(nanoseconds: microseconds * 1_000), from: source, link: link, name: name, details: details)
    event.who = members["who"] as? String ?? ""
    event.words = members["words"] as? String ?? ""
    return event
  }

  /// Reads what a source writes as its description.
  private static func source(_ text: String) -> TraceSource? {
    let words = text.split(separator: " ")
    guard let part = TraceSource.Part.allCases.first(where: { TraceSource($0).description.hasPrefix(words[0]) }) else {
      return nil
    }
    return TraceSource(part, words.count > 1 ? UInt16(words[1]) ?? 0 : 0)
  }
}
