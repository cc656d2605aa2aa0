import Glibc

/// The machine's clocks, for what is outside every run: how long a run took and when it began.
package enum MachineClock {
  /// Nanoseconds of a clock that never goes back.
  package static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Seconds since 1970-01-01 00:00:00 UTC.
  package static func secondsSince1970() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  package static func nanosecondsSince1970() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Seconds of local civil time since 1970-01-01, by the machine's time zone.
  package static func localSecondsSince1970() -> Int64 {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return Int64(now) + Int64(parts.tm_gmtoff)
  }
}
