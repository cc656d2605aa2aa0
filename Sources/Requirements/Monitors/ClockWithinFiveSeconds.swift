import Text
import Timeline
import Verdicts

/// APP-1.3.2.1, its first claim: right after every time read the recorder's clock is within five seconds of the phone.
///
/// That the clock stays so until the next meeting is measured by scenarios that say how often a phone must meet a
/// recorder of a given crystal.
struct ClockWithinFiveSeconds: Monitor {
  /// How far the clock may be off.
  static let tolerance: Duration = .seconds(5)
  /// How long after the read the world may take to state the clock.
  static let patience: Duration = .seconds(5)

  private struct Reading {
    var recorder: UInt16
    var deadline: Instant
  }

  let declaration = MonitorDeclaration(
    "APP-1.3.2.1", "after the recorder has read the time, its clock is within 5 s of the phone's", judges: .pair,
    shows: ["meeting"], needsWorld: "the recorder's clock")
  let interests: EventKinds = [.time, .oracle]
  private(set) var preconditionCount = 0
  private var readings: [Reading] = []

  init() {}

  var deadline: Instant? { readings.map(\.deadline).min() }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    // Seen from the recorder's host: the answer arrived.
    case .timeServed where event.source.part == .recorder:
      preconditionCount += 1
      readings.removeAll { $0.recorder == event.source.index }
      readings.append(
        Reading(recorder: event.source.index, deadline: event.instant.advanced(by: Self.patience)))
      return .pending
    case .oracle(.clockSetByHand(let recorder)):
      readings.removeAll { $0.recorder == recorder }
      return .pending
    case .oracle(.recorderClock(let recorder, _, let aheadBy)):
      guard let index = readings.firstIndex(where: { $0.recorder == recorder }) else { return .pending }
      readings.remove(at: index)
      let off = aheadBy < .zero ? .zero - aheadBy : aheadBy
      guard off > Self.tolerance else { return .met }
      let distance = DurationText.precise(off)
      let direction = aheadBy < .zero ? "behind" : "ahead of"
      return .violated("after it read the time, recorder \(recorder) was \(distance) \(direction) the phone")
    default: return .pending
    }
  }

  mutating func reach(_ instant: Instant) -> Observation {
    readings.removeAll { $0.deadline <= instant }
    return .pending
  }
}
