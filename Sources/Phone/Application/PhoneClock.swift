import DictofunProtocol
import Timeline

/// The phone's clock: civil local time that runs as fast as the loop's.
struct PhoneClock: Hashable, Sendable {
  /// Local time at `setAt`.
  private var base: LocalSeconds
  private var setAt = Instant.zero

  private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

  init(base: LocalSeconds) { self.base = base }

  /// Puts the clock to this time.
  mutating func set(to time: LocalSeconds, at instant: Instant) {
    base = time
    setAt = instant
  }

  /// The time of the clock; it stops at the ends of the calendar.
  func seconds(at instant: Instant) -> LocalSeconds {
    base.addingClamped(Int64((instant.nanoseconds - setAt.nanoseconds) / Self.nanosecondsPerSecond))
  }

  /// The time of the clock for the library: local time taken as if it were universal.
  func wallTime(at instant: Instant) -> WallTime {
    WallTime(CivilTime(secondsSinceEpoch: seconds(at: instant).addingClamped(CivilTime.secondsTo2000)))
  }

  /// The value of Current Time, `error` seconds wrong.
  func currentTime(at instant: Instant, error: Int64) -> CurrentTime {
    let rest = (instant.nanoseconds - setAt.nanoseconds) % Self.nanosecondsPerSecond
    let time = CivilTime(
      secondsSinceEpoch: seconds(at: instant).addingClamped(error).addingClamped(CivilTime.secondsTo2000))
    return CurrentTime(time, fractions256: UInt8(rest * 256 / Self.nanosecondsPerSecond))
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
