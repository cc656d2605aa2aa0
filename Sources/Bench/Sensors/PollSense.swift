import Timeline

/// Tells from repeated looks when something that is on or off changed.
///
/// A change lies between the moment at which the last look with the old answer was asked for, less the time by which the
/// instrument may lag, and the moment at which the new answer came.
package struct PollSense: Sendable {
  /// By how much an answer may be out of date.
  let lag: Duration
  private let sensor: Sensor
  private var last: (isOn: Bool, askedAt: Instant)?

  /// Nothing was looked at yet.
  package init(_ sensor: Sensor, lag: Duration) {
    self.sensor = sensor
    self.lag = lag
  }

  /// What the last look showed; `nil` before the first.
  package var isOn: Bool? { last?.isOn }

  /// When the last look was asked for; `nil` before the first.
  var askedAt: Instant? { last?.askedAt }

  /// Takes an answer. Returns a sighting where it differs from the last one.
  package mutating func take(_ isOn: Bool, askedAt: Instant, answeredAt: Instant) -> Sighting? {
    let before = last
    last = (isOn, askedAt)
    guard let before, before.isOn != isOn else { return nil }
    return Sighting(.power(isOn: isOn), from: before.askedAt.before(lag), to: answeredAt, by: sensor)
  }
}
