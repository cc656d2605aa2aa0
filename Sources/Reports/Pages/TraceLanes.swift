import Bytes
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
  private var stored: Int64 = 0

  /// Takes the next event.
  mutating func take(_ event: ReportedEvent) {
    func number(_ name: String) -> Int64? {
      if case .number(let number)? = event.details.first(where: { $0.name == name })?.value { number } else { nil }
    }
    func text(_ name: String) -> String {
      event.details.first { $0.name == name }.map { detail in
        if case .text(let text) = detail.value { text } else { "" }
      } ?? ""
    }
    let isFromPhone = event.source.part == .phone
    let link = "link of \(event.source.index == 0 ? "phone" : "\(event.source)")"
    switch event.name {
    case "oracle.state": state("\(event.who): state", text("state"), event)
    case "oracle.power":
      if event.details.contains(EventDetail("on", false)) { state("\(event.who): state", "off", event) }
    case "oracle.status": state("\(event.who): shows", text("status"), event)
    case "link.up" where isFromPhone: state(link, "connected", event)
    case "secured" where isFromPhone: state(link, "encrypted", event)
    case "link.down" where isFromPhone: state(link, "", event)
    case "battery.read", "battery.notified":
      if isFromPhone, let percent = number("percent") { level("battery", "%", percent, event) }
    case "oracle.clock":
      if let ahead = number("aheadByMilliseconds") { level("recorder's clock ahead by", "ms", ahead, event) }
    case "oracle.record-finished":
      stored += number("octets") ?? 0
      level("storage used", "octets", stored, event)
    case "fts.fs-status" where isFromPhone:
      stored = number("occupied") ?? stored
      level("storage used", "octets", stored, event)
    case "fts.data" where isFromPhone:
      if let received = number("received") { level("received of the record", "octets", received, event) }
    case "oracle.update.shown":
      state("\(event.who): update", text("phase"), event)
      if let octets = number("octets") { level("confirmed of the image", "octets", octets, event) }
    default: break
    }
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
