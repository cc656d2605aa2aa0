import Timeline
import Verdicts

/// What was logged of one scenario while it ran: steps, product events, violations, verdict.
package struct ScenarioEventLog: Sendable {
  /// One thing that was logged.
  enum Entry: Sendable {
    case stepStarted(sentence: String, file: String, line: Int)
    case stepFinished(StepReport)
    case event(ReportedEvent)
    case violation(MonitorViolation)
    case eventsDropped(Int)
    case finished(ScenarioReport)
  }

  /// An entry with its time in the run, and microseconds since 1970 by the machine's clock.
  struct Moment: Sendable {
    var instant: Instant
    var wall: Int64
    var entry: Entry
  }

  /// Events kept for a trace page.
  package static let pageEventLimit = 60_000

  /// Sounds kept for a trace page: the first ones.
  static let soundLimit = 6

  /// What a trace page shows besides: every event, however often it happens, and sounds.
  private(set) var pageEvents: [ReportedEvent] = []
  private(set) var droppedPageEvents = 0
  private(set) var sounds: [SoundClip] = []

  /// The scenario's id with its cell.
  let name: String
  /// Everything that was logged, in order.
  private(set) var moments: [Moment] = []
  private var eventCount = 0
  private var dropped = 0

  /// Begins the log of a scenario, by its id and cell.
  package init(_ name: String) { self.name = name }

  /// A step begins. Wall times are microseconds since 1970.
  package mutating func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant, wall: Int64) {
    append(.stepStarted(sentence: sentence, file: file, line: line), instant, wall)
  }

  /// A step ended.
  package mutating func stepFinished(_ step: StepReport, wall: Int64) { append(.stepFinished(step), step.ended, wall) }

  /// Something happened to the product.
  package mutating func observed(_ event: ReportedEvent, wall: Int64) {
    guard eventCount < RunComparison.Log.limit else {
      dropped += 1
      return
    }
    eventCount += 1
    append(.event(event), event.instant, wall)
  }

  /// Everything that happened, for a trace page, and how many events more were not kept.
  package mutating func show(_ events: [ReportedEvent], dropped: Int) {
    pageEvents = events
    droppedPageEvents = dropped
  }

  /// Whether one more sound would be kept.
  package var hasRoomForSound: Bool { sounds.count < Self.soundLimit }

  /// A sound was spoken or received. Further ones than a page shows are not kept.
  package mutating func heard(_ sound: SoundClip) {
    if hasRoomForSound { sounds.append(sound) }
  }

  /// How the scenario ended; `nil` before its end.
  var report: ScenarioReport? {
    if case .finished(let report)? = moments.last?.entry { report } else { nil }
  }

  /// A monitor saw a requirement violated.
  package mutating func violated(_ violation: MonitorViolation, wall: Int64) {
    append(.violation(violation), violation.instant, wall)
  }

  /// The scenario ended.
  package mutating func finished(_ report: ScenarioReport, wall: Int64) {
    let end = Instant.zero.advanced(by: report.virtualDuration)
    if dropped > 0 { append(.eventsDropped(dropped), end, wall) }
    append(.finished(report), end, wall)
  }

  private mutating func append(_ entry: Entry, _ instant: Instant, _ wall: Int64) {
    moments.append(Moment(instant: instant, wall: wall, entry: entry))
  }
}
