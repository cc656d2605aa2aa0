import HCI
import Text
import Timeline
import Trace
import Verdicts

/// What the packets of a capture mean, adapter by adapter, and what the monitors make of it.
struct CaptureFindings {
  private let adapters: [CaptureReport.Adapter]
  private let viewpoint: TraceSource.Part
  private let links: RecorderLinks
  private var interpreters: [PacketInterpreter]
  private var collectors: [RecordCollector]
  private var monitors: MonitorSet
  private var conversation: Conversation
  private var events: [ProductEvent] = []
  /// Product events so far.
  private(set) var eventCount = 0
  /// Connections of each adapter on which no recorder was found.
  private var foreign: [Int]
  private var undetermined: [(source: TraceSource, reason: UndeterminedReason)] = []
  /// What could not be understood: how often, and what came first.
  private var malformed: (count: Int, first: String)?

  /// Begins before the first packet, when it is known whose the adapters and their links are.
  init(_ adapters: [CaptureReport.Adapter], from viewpoint: TraceSource.Part, _ links: RecorderLinks) {
    self.adapters = adapters
    self.viewpoint = viewpoint
    self.links = links
    interpreters = adapters.map { PacketInterpreter($0.source) }
    collectors = adapters.map { _ in RecordCollector() }
    monitors = MonitorSet(from: viewpoint, isCapture: true)
    conversation = Conversation(from: viewpoint)
    foreign = adapters.map { _ in 0 }
  }

  /// Takes the next packet, of the adapter at `place`.
  mutating func take(
    _ packet: CapturePackets.Packet, at place: Int, _ records: ((CapturedRecord) -> Void)?,
    _ observer: (ProductEvent) -> Void
  ) {
    events.removeAll(keepingCapacity: true)
    _ = interpreters[place].interpret(packet.packet, packet.direction, at: packet.instant, &events)
    // Both ends of a simulated link are in one capture; a record is taken where it arrives.
    if let records, adapters[place].source.part == viewpoint,
      let record = collectors[place].observe(packet.packet, packet.direction, events)
    {
      records(record)
    }
    judge(place, observer)
  }

  /// The packets of the adapter at `place` end, or of one connection only.
  mutating func end(
    _ place: Int, of handle: ConnectionHandle?, at instant: Instant, _ observer: (ProductEvent) -> Void
  ) {
    events.removeAll(keepingCapacity: true)
    interpreters[place].packetsEnd(of: handle, at: instant, &events)
    judge(place, observer)
  }

  private mutating func judge(_ place: Int, _ observer: (ProductEvent) -> Void) {
    eventCount += events.count
    for event in events {
      if links.concern(event, at: place) {
        monitors.observe(event)
        conversation.observe(event)
        if case .malformed(let text) = event.happening {
          malformed = ((malformed?.count ?? 0) + 1, malformed?.first ?? "at \(event.instant) s, \(text)")
        }
      } else if case .linkUp = event.happening {
        foreign[place] += 1
      }
      observer(event)
      if case .undetermined(let reason) = event.happening,
        !undetermined.contains(where: { $0.source == event.source && $0.reason == reason })
      {
        undetermined.append((event.source, reason))
      }
    }
  }

  /// Ends the capture. Returns what the monitors found.
  mutating func finish(at instant: Instant) -> [MonitorFinding] { monitors.finish(at: instant) }

  /// What somebody still owes at the end, a sentence each.
  func openObligations(at instant: Instant) -> [String] { conversation.openObligations(at: instant) }

  /// What of the packets could not be judged and why, a sentence each.
  var notJudged: [String] {
    let malformed = malformed.map { "\(Wording.count($0.count, "packet")) not understood, the first \($0.first)" }
    return [malformed].compactMap(\.self)
      + undetermined.map { "a connection of \($0.source): \($0.reason.rawValue)" }
      + zip(adapters, foreign).filter { $0.1 > 0 }.map { adapter, count in
        "\(Wording.count(count, "connection")) of \(adapter.source): no service of a recorder was found there"
      }
  }
}
