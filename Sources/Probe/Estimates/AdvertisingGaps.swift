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

  /// What the gaps say of the interval; without samples for fewer than two events.
  package static func measurement(_ heard: [Instant]) -> Measurement {
    var measurement = Measurement(.time, "gaps between advertisements that a scanner heard")
    let gaps = gaps(of: heard)
    guard let shortest = gaps.min() else { return measurement }
    // In a longer silence the recorder may have been connected, or off.
    for gap in gaps where gap < shortest * missableEvents {
      // A missed event makes one gap of two.
      let events = max(1, (gap + shortest / 2) / shortest)
      measurement.add(.init((gap - channels) / events - delay, (gap + channels) / events))
    }
    return measurement
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
