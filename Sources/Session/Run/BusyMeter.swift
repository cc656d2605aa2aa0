import Ledger
import Timeline

/// Measures how long a run keeps a bench busy: since it began, with scenarios, and with recordings. It has no clock; every
/// instant is given, in nanoseconds of a clock that never goes back.
struct BusyMeter {
  /// A button that is held.
  private struct Hold {
    var device: String
    var attempt: Int
    var since: Instant
    var noticed: UInt64
  }

  private let began: UInt64
  /// Whether scenarios take place in real time, so that a recording grows while it is made.
  private let isReal: Bool
  private var underWay = 0
  private var busySince: UInt64 = 0
  private var scenarios: UInt64 = 0
  private var recordings = Duration.zero
  private var holds: [Hold] = []

  /// A meter of a run that begins now.
  init(at now: UInt64, isReal: Bool) {
    began = now
    self.isReal = isReal
  }

  /// A scenario begins. Several may be under way at a time; together they count once.
  mutating func scenarioBegan(at now: UInt64) {
    if underWay == 0 { busySince = now }
    underWay += 1
  }

  /// A scenario ended.
  mutating func scenarioEnded(at now: UInt64) {
    guard underWay > 0 else { return }
    underWay -= 1
    if underWay == 0 { scenarios += now.since(busySince) }
  }

  /// A button of an attempt's recorder went down at `instant` of the scenario. One that is down already stays so.
  mutating func pressed(_ device: String, in attempt: Int, at instant: Instant, _ now: UInt64) {
    guard !holds.contains(where: { $0.device == device && $0.attempt == attempt }) else { return }
    holds.append(Hold(device: device, attempt: attempt, since: instant, noticed: now))
  }

  /// A button went up.
  mutating func released(_ device: String, in attempt: Int, at instant: Instant) {
    guard let index = holds.firstIndex(where: { $0.device == device && $0.attempt == attempt }) else { return }
    recordings += max(.zero, holds.remove(at: index).since.duration(to: instant))
  }

  /// An attempt ended, at the last instant of its scenario. What is still held was held until then.
  mutating func attemptEnded(_ attempt: Int, at instant: Instant) {
    for hold in holds where hold.attempt == attempt { released(hold.device, in: attempt, at: instant) }
  }

  /// All that was measured until now.
  func beat(_ number: Int64, of stream: String, at now: UInt64) -> SessionBeat {
    let busy = scenarios + (underWay > 0 ? now.since(busySince) : 0)
    let held = isReal ? holds.map { now.since($0.noticed) }.reduce(0, +) : 0
    return SessionBeat(
      stream: stream, number: number, elapsed: Self.microseconds(now.since(began)),
      scenarios: Self.microseconds(busy),
      recordings: Self.microseconds(held) + min(recordings.wholeNanoseconds / 1_000, SessionEntry.limit / 2))
  }

  private static func microseconds(_ nanoseconds: UInt64) -> Int64 {
    min(Int64(clamping: nanoseconds / 1_000), SessionEntry.limit / 2)
  }
}

extension UInt64 {
  /// The time since an earlier instant; 0 where it is later.
  fileprivate func since(_ earlier: UInt64) -> UInt64 { self > earlier ? self - earlier : 0 }
}
