import DictofunProtocol
import Timeline

/// The recorder's clock chip: local time as the phone gave it, on a crystal and a supply of its own, so it runs on
/// while the recorder is off.
struct RealTimeClock: Hashable, Sendable {
  /// How much faster the crystal swings than it should, in parts per billion.
  private(set) var partsPerBillion: Int64
  private var anchor: Instant
  /// What the clock showed at the anchor: nanoseconds since 1970.
  private var anchorNanoseconds: Int64
  private(set) var isStopped = false

  /// A clock that shows `time` at `instant`.
  init(_ time: CivilTime, partsPerBillion: Int64, at instant: Instant) {
    self.partsPerBillion = Oscillator.held(partsPerBillion)
    anchor = instant
    anchorNanoseconds = time.secondsSinceEpoch * 1_000_000_000
  }

  /// A clock that showed `nanoseconds` since 1970 at `instant`, and runs unless it was stopped.
  init(nanoseconds: Int64, partsPerBillion: Int64, isStopped: Bool, at instant: Instant) {
    self.partsPerBillion = Oscillator.held(partsPerBillion)
    anchor = instant
    anchorNanoseconds = nanoseconds
    self.isStopped = isStopped
  }

  /// Nanoseconds since 1970 that the clock has counted at `instant`.
  func nanoseconds(at instant: Instant) -> Int64 {
    guard !isStopped else { return anchorNanoseconds }
    // A timer that rings late does what was due before time was counted that the world had missed.
    let elapsed = Int128(instant.nanoseconds) - Int128(anchor.nanoseconds)
    return anchorNanoseconds + Int64(elapsed * Int128(1_000_000_000 + partsPerBillion) / 1_000_000_000)
  }

  /// What the clock shows at `instant`, with two digits for the year.
  func time(at instant: Instant) -> CivilTime {
    let nanoseconds = nanoseconds(at: instant)
    let seconds = nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
    return CivilTime(secondsSinceEpoch: seconds).onRecorder
  }

  /// Sets the clock to the beginning of a second. A year that two digits cannot hold is not taken.
  @discardableResult
  mutating func set(_ time: CivilTime, at instant: Instant) -> Bool {
    guard CivilTime.ofRecorders.contains(time) else { return false }
    anchor = instant
    anchorNanoseconds = time.secondsSinceEpoch * 1_000_000_000
    return true
  }

  /// Changes the crystal's error; what the clock shows stays.
  mutating func setError(partsPerBillion: Int64, at instant: Instant) {
    rest(at: instant)
    self.partsPerBillion = Oscillator.held(partsPerBillion)
  }

  /// Counts time that passed besides the instants that it is told; none while it is stopped.
  mutating func advance(by time: Duration, at instant: Instant) {
    rest(at: instant)
    if !isStopped { anchorNanoseconds += time.wholeNanoseconds }
  }

  /// Stops the clock or lets it run on, as the recorder's power goes and comes.
  mutating func setStopped(_ stopped: Bool, at instant: Instant) {
    rest(at: instant)
    isStopped = stopped
  }

  private mutating func rest(at instant: Instant) {
    anchorNanoseconds = nanoseconds(at: instant)
    anchor = instant
  }
}
