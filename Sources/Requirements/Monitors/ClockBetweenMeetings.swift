import DictofunProtocol
import HCI
import Timeline
import Verdicts

/// DEV-8: the recorder asks for the time at every meeting, and its clock goes right from then on.
///
/// A recorder that records, or begins or ends a record, asks when it is done; one whose packets the air may lose, when it does
/// not any more. The time that reaches its controller on a link during which its power was gone, or its bootloader started, it
/// does not take.
///
/// How far a crystal may be off is the matter of scenarios, which declare it: this monitor allows 0.05 %.
struct ClockBetweenMeetings: Monitor {
  /// How soon after encryption the recorder asks, besides the connection intervals that its discovery takes and the
  /// silence that its link may have.
  static let patience: Duration = .seconds(5)
  /// Connection intervals that discovering the phone's time service may take.
  static let discoveryIntervals: Int64 = 16
  /// How far the clock may be off, in seconds, besides its crystal's error.
  static let toleranceSeconds: Int64 = 5
  /// The crystal may lose or gain one second in this many.
  static let crystalDivisor: Int64 = 2000

  private struct Link {
    /// The recorder's number.
    var recorder: UInt16
    /// How long the recorder may take.
    var patience: Duration
    /// Until when it must have asked.
    var deadline: Instant?
    /// Whether its application is or was gone since the link began.
    var isForgotten = false

    init(_ recorder: UInt16, _ parameters: LELinkParameters) {
      self.recorder = recorder
      patience =
        ClockBetweenMeetings.patience + parameters.supervision + .microseconds(1250 * Int64(parameters.intervalUnits))
        * ClockBetweenMeetings.discoveryIntervals
    }
  }

  private struct Reading {
    var recorder: UInt16
    var time: CivilTime
    var instant: Instant
  }

  let declaration = MonitorDeclaration(
    "DEV-8", "the recorder asks for the time at every meeting, and its clock stays right until the next",
    judges: .recorder, needsWorld: "the recorder's clock")
  let interests: EventKinds = [.links, .security, .time, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var readings: [Reading] = []
  private var links = LinkTable<Link>()
  private var recording = RecordingRecorders()
  private var isAirClear = true

  init() {}

  var deadline: Instant? { links.earliest(\.deadline) }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening { return follow(oracle, at: event.instant) }
    guard event.source.part == .recorder else { return .pending }
    switch event.happening {
    case .linkUp(_, let parameters): links[event] = Link(event.source.index, parameters)
    case .linkDown, .undetermined: links[event] = nil
    case .encrypted:
      guard let patience = links[event]?.patience else { return .pending }
      links[event]?.deadline = event.instant.advanced(by: patience)
    case .timeAsked:
      guard links[event]?.deadline != nil else { return .pending }
      preconditionCount += 1
      links[event]?.deadline = nil
      return .met
    case .timeServed(let time?) where links[event]?.isForgotten != true:
      readings.removeAll { $0.recorder == event.source.index }
      readings.append(Reading(recorder: event.source.index, time: time, instant: event.instant))
    default: break
    }
    return .pending
  }

  private mutating func follow(_ event: OracleEvent, at instant: Instant) -> Observation {
    if let recorder = recording.follow(event) {
      // From the end of a record on it has as long as after encryption.
      _ = links.changeFirst(where: { $0.recorder == recorder && $0.deadline != nil }) { link in
        link.deadline = instant.advanced(by: link.patience)
      }
    }
    switch event {
    case .recordBegun(let recorder, _, let clock, _): return begun(recorder, clock, at: instant)
    case .air(let isClear):
      if isClear, !isAirClear {
        links.changeAll { link in
          if link.deadline != nil { link.deadline = instant.advanced(by: link.patience) }
        }
      }
      isAirClear = isClear
    case .clockSetByHand(let recorder): readings.removeAll { $0.recorder == recorder }
    case .recorderPowered(let recorder, isOn: false), .update(.bootloaderStarted(let recorder)):
      links.changeAll { link in if link.recorder == recorder { link.isForgotten = true } }
    default: break
    }
    return .pending
  }

  private mutating func begun(_ recorder: UInt16, _ clock: CivilTime, at instant: Instant) -> Observation {
    guard let reading = readings.first(where: { $0.recorder == recorder }) else { return .pending }
    let elapsed = reading.instant.duration(to: instant).components.seconds
    let off = abs(clock.secondsOnRecorder(since: reading.time) - elapsed)
    preconditionCount += 1
    guard off > Self.toleranceSeconds + elapsed / Self.crystalDivisor else { return .met }
    return .violated("the clock of recorder \(recorder) was \(off) s off \(elapsed) s after it had taken the time")
  }

  mutating func reach(_ instant: Instant) -> Observation {
    var isExcused = false
    let isDue = links.changeFirst(where: { $0.deadline.map { $0 <= instant } ?? false }) { link in
      isExcused = recording.contains(link.recorder) || !isAirClear
      link.deadline = isExcused ? instant.advanced(by: link.patience) : nil
    }
    return isDue && !isExcused
      ? .violated("the recorder did not ask for the time in time after encryption")
      : .pending
  }
}
