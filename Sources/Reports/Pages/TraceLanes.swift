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
  /// Octets in the memory of each recorder.
  private var stored: [String: Int64] = [:]
  /// Whether lanes name their recorder.
  private let hasSeveral: Bool

  /// The lanes of all events of a scenario.
  init(_ events: [ReportedEvent]) {
    var (numbers, peers) = (Set<String>(), Set<String>())
    for event in events {
      if event.source.part == .recorder { numbers.insert("\(event.source.index)") }
      if event.name.hasPrefix("oracle."), let recorder = event.details.first(where: { $0.name == "recorder" }) {
        if case .number(let number) = recorder.value { numbers.insert("\(number)") }
      }
      if Self.isLevel(event), let peer = event.peer { peers.insert("\(peer)") }
    }
    // A recorder may use several addresses, so that they count only where nothing else tells of recorders.
    hasSeveral = numbers.count > 1 || numbers.isEmpty && peers.count > 1
    for event in events { take(event) }
  }

  /// Whether a phone learns a value of its recorder from it.
  private static func isLevel(_ event: ReportedEvent) -> Bool {
    event.source.part == .phone
      && ["battery.read", "battery.notified", "fts.fs-status", "fts.data"].contains(event.name)
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
    let recorder = hasSeveral ? " (\(event.peer.map { "\($0)" } ?? event.who))" : ""
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
      if isFromPhone, let percent = number("percent") { level("battery\(recorder)", "%", percent, event) }
    case "oracle.clock":
      if let ahead = number("aheadByMilliseconds") { level("recorder's clock ahead by\(recorder)", "ms", ahead, event) }
    case "oracle.record-finished":
      stored[recorder, default: 0] += number("octets") ?? 0
      level("storage used\(recorder)", "octets", stored[recorder, default: 0], event)
    case "fts.fs-status" where isFromPhone:
      if let occupied = number("occupied") { stored[recorder] = occupied }
      level("storage used\(recorder)", "octets", stored[recorder, default: 0], event)
    case "fts.data" where isFromPhone:
      if let received = number("received") { level("received of the record\(recorder)", "octets", received, event) }
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
