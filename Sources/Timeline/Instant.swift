/// A point in the time of one event loop, in nanoseconds since the loop began.
public struct Instant: InstantProtocol, Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Nanoseconds since the loop began.
  public var nanoseconds: UInt64

  /// The instant this many nanoseconds after the loop began.
  @inlinable public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The moment the loop began.
  public static let zero = Instant(nanoseconds: 0)

  public func advanced(by duration: Duration) -> Instant {
    Instant(nanoseconds: UInt64(max(0, Int64(nanoseconds) + duration.wholeNanoseconds)))
  }

  public func duration(to other: Instant) -> Duration {
    .nanoseconds(Int64(other.nanoseconds) - Int64(nanoseconds))
  }

  /// The point `nanoseconds` later.
  @inlinable public func advanced(byNanoseconds nanoseconds: UInt64) -> Instant {
    Instant(nanoseconds: self.nanoseconds &+ nanoseconds)
  }

  @inlinable public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Seconds with six decimals.
  public var description: String {
    let fraction = String(nanoseconds / 1000 % 1_000_000)
    return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero; the range of `Int64` is 292 years.
  package var wholeNanoseconds: Int64 {
    // Dividing 128 bits is slow, and most durations are shorter than the nine seconds that 64 bits hold.
    if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
