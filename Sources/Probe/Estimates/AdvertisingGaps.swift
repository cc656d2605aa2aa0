import Timeline

/// The advertising interval from the instants at which advertisements were heard.
///
/// An advertising event begins one interval and a random 0 to 10 ms after the one before it, on three channels one after
/// the other (Core Specification Vol 6, Part B, 4.4.2.2.1). A scanner hears any of the three, and may miss an event.
package enum AdvertisingGaps {
  /// The random delay, in nanoseconds.
  package static let delay: Int64 = 10_000_000
  /// From the first channel of an event to the last, at most, in nanoseconds.
  package static let channels: Int64 = 3_000_000

  /// A silence of as many events is not taken for events that were missed.
  private static let missableEvents: Int64 = 8

  /// Half of the delay, which is its mean, and its standard deviation: 10 ms divided by the square root of twelve.
  private static let (meanDelay, deviation): (Int64, Int64) = (5_000_000, 2_886_751)
  /// Standard deviations of the mean within which the true one is expected: 997 of 1000 times.
  private static let confidence: Int64 = 3

  /// The interval; `nil` for fewer than two events.
  ///
  /// The mean of many gaps is the interval and half of the delay. Each gap besides excludes what is more than the delay
  /// away from it, unless the host tells the times of advertisements late.
  package static func figure(_ heard: [Instant]) -> Figure? {
    let all = gaps(of: heard)
    guard !all.isEmpty else { return nil }
    let usual = all.sorted()[all.count / 2]
    var bounds: [Measurement.Sample] = []
    var (time, events): (Int64, Int64) = (0, 0)
    // In a longer silence the recorder may have been connected, or off.
    for gap in all where gap < usual * missableEvents {
      // A missed event makes one gap of two; one that is told late makes a long gap and a short one.
      let count = (gap + usual / 2) / usual
      if count > 0 { bounds.append(.init((gap - channels) / count - delay, (gap + channels) / count)) }
      time += gap
      events += count
    }
    guard events > 0 else { return nil }
    let mean = time / events - meanDelay
    let error = confidence * Int64((Double(deviation * deviation) / Double(events)).squareRoot()) + channels / events
    var (lower, upper) = (mean - error, mean + error)
    if let highest = bounds.map(\.lower).max(), let lowest = bounds.map(\.upper).min(),
      max(lower, highest) <= min(upper, lowest)
    {
      (lower, upper) = (max(lower, highest), min(upper, lowest))
    }
    return Figure(
      value: (lower + upper) / 2, spread: (upper - lower + 1) / 2, unit: .time, samples: bounds.count,
      method: "gaps between advertisements that a scanner heard")
  }

  /// Nanoseconds from each advertising event to the next.
  private static func gaps(of heard: [Instant]) -> [Int64] {
    var events: [Instant] = []
    for instant in heard {
      if let last = events.last, last.duration(to: instant) < .nanoseconds(delay) { continue }
      events.append(instant)
    }
    return zip(events, events.dropFirst()).map { Int64(clamping: $1.nanoseconds - $0.nanoseconds) }
  }
}
