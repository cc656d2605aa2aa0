import Bytes
import DictofunProtocol
import Timeline
import Verdicts

/// What a page draws over the time of a scenario: states of phone and recorder, the link, and values that change.
struct TraceLanes {
  /// Points of one lane; of more, only some are kept.
  static let pointLimit = 2_000

  /// One line of the drawing.
  struct Lane {
    var name: String
    /// The unit of its numbers; `nil` for states.
    var unit: String?
    var points: [(instant: Instant, value: JSONValue)] = []
  }

  private(set) var lanes: [Lane] = []
  /// Octets in use in the memory of each recorder, by its name: from what it told of its file system on. `nil` where it told
  /// nothing yet, or has lost records since whose sizes nobody knows.
  private var stored: [String: Int64] = [:]
  /// Whether lanes name their recorder.
  private let hasSeveral: Bool

  /// The lanes of all events of a scenario.
  init(_ events: [ReportedEvent]) {
    hasSeveral = Set(events.map(\.recorder)).subtracting([""]).count > 1
    for event in events { take(event) }
  }

  /// Takes the next event.
  private mutating func take(_ event: ReportedEvent) {
    func number(_ name: String) -> Int64? {
      if case .number(let number)? = event.details.first(where: { $0.name == name })?.value { number } else { nil }
    }
    func text(_ name: String) -> String {
      event.details.first { $0.name == name }.map { detail in
        if case .text(let text) = detail.value { text } else { "" }
      } ?? ""
    }
    let isFromPhone = event.source.part == .phone
    let recorder = hasSeveral ? " (\(event.recorder))" : ""
    let link = "link of \(event.phone.isEmpty ? "phone" : event.phone)"
    switch event.name {
    case "oracle.state": state("\(event.who): state", text("state"), event)
    case "oracle.power":
      if event.details.contains(EventDetail("on", false)) { state("\(event.who): state", "off", event) }
    case "oracle.status": state("\(event.who): shows", text("status"), event)
    case "link.up" where isFromPhone: state(link, "connected", event)
    case "secured" where isFromPhone: state(link, "encrypted", event)
    case "link.down" where isFromPhone: state(link, "", event)
    case "battery.read", "battery.notified":
      if isFromPhone, let percent = number("percent") { level("battery\(recorder)", "%", percent, event) }
    case "oracle.clock":
      if let ahead = number("aheadByMilliseconds") { level("recorder's clock ahead by\(recorder)", "ms", ahead, event) }
    case "fts.fs-status" where isFromPhone: number("occupied").map { store($0, event, recorder) }
    case "oracle.record-finished":
      if let before = stored[event.recorder], let octets = number("octets") { store(before + octets, event, recorder) }
    case "oracle.records-erased-by-hand":
      if stored[event.recorder] != nil { store(Int64(FileSystemGeometry.tableBytes), event, recorder) }
    case "oracle.records-gone": if stored[event.recorder] != nil { store(nil, event, recorder) }
    case "fts.data" where isFromPhone:
      if let received = number("received") { level("received of the record\(recorder)", "octets", received, event) }
    case "oracle.update.shown":
      state("\(event.who): update", text("phase"), event)
      if let octets = number("octets") { level("confirmed of the image", "octets", octets, event) }
    default: break
    }
  }

  /// Notes how much of a recorder's memory is in use from now on; `nil` where nobody knows.
  private mutating func store(_ octets: Int64?, _ event: ReportedEvent, _ recorder: String) {
    stored[event.recorder] = octets
    append("storage used\(recorder)", unit: "octets", octets.map { .integer(Int($0)) } ?? .null, event)
  }

  private mutating func state(_ name: String, _ value: String, _ event: ReportedEvent) {
    append(name, unit: nil, .string(value), event)
  }

  private mutating func level(_ name: String, _ unit: String, _ value: Int64, _ event: ReportedEvent) {
    append(name, unit: unit, .integer(Int(value)), event)
  }

  private mutating func append(_ name: String, unit: String?, _ value: JSONValue, _ event: ReportedEvent) {
    let index = lanes.firstIndex { $0.name == name } ?? lanes.count
    if index == lanes.count { lanes.append(Lane(name: name, unit: unit)) }
    lanes[index].points.append((event.instant, value))
    // Every second point but the last goes when there are too many.
    guard unit != nil, lanes[index].points.count > Self.pointLimit else { return }
    let points = lanes[index].points
    lanes[index].points = points.indices.filter { $0 % 2 == 0 || $0 == points.count - 1 }.map { points[$0] }
  }

  /// The lanes as a page reads them.
  var document: JSONValue {
    .array(
      lanes.map { lane in
        .object([
          "name": .string(lane.name), "unit": .optional(lane.unit),
          "points": .array(
            lane.points.map { .array([.integer(Int($0.instant.nanoseconds / 1_000)), $0.value]) }),
        ])
      })
  }
}
