import DictofunProtocol

/// A moment of universal time, in nanoseconds since 1970-01-01 00:00:00; the range is 292 years either way.
public struct WallTime: Hashable, Sendable, Comparable {
  /// Nanoseconds since the epoch.
  public var nanosecondsSinceEpoch: Int64

  /// The moment this many nanoseconds after the epoch.
  public init(nanosecondsSinceEpoch: Int64) { self.nanosecondsSinceEpoch = nanosecondsSinceEpoch }

  /// The beginning of a second of universal time; outside the range, the nearest end of it.
  public init(_ time: CivilTime) {
    let (nanoseconds, overflow) = time.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    nanosecondsSinceEpoch = overflow ? (time.secondsSinceEpoch < 0 ? .min : .max) : nanoseconds
  }

  /// The second of universal time in which this moment lies.
  public var civilTime: CivilTime { CivilTime(secondsSinceEpoch: wholeSeconds) }

  private var wholeSeconds: Int64 {
    let (quotient, remainder) = nanosecondsSinceEpoch.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
  }
}
