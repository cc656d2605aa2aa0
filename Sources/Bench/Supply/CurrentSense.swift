import Timeline

/// Tells from readings of a supply's current whether a recorder is on.
///
/// A recorder that is on sleeps most of the time, so a single small reading proves nothing. The bench file states what only a
/// recorder that is on draws, and the time in which one of the readings at least shows that. A larger reading proves that the
/// recorder was on; small ones for all of that time prove that it was off at some instant of it. A reading that lies on both
/// sides, because the supply is only so exact, proves neither.
package struct CurrentSense: Sendable {
  /// A change of the power, and the interval in which it certainly happened.
  package struct Change: Hashable, Sendable {
    /// Whether it is on afterwards.
    package let isOn: Bool
    /// Not before this.
    package let earliest: Instant
    /// Not after this.
    package let latest: Instant
  }

  /// What it is called in reports.
  static let name = "the supply's current"

  private let plan: CurrentPlan
  /// The longest time between two readings that follow each other.
  private let longestGap: Duration
  /// Readings that are asked for before this show what the bench did, and not what the recorder does; `nil` while it does
  /// something.
  private var disturbedUntil: Instant? = .zero
  /// When the last reading was asked for.
  private var lastAsked: Instant?
  /// When the last reading was asked for that proved that it was on.
  private var lastHigh: Instant?
  /// When the first of the small readings was asked for that followed each other up to now.
  private var quietSince: Instant?
  /// What was proved last, and since when at the earliest it holds.
  private var proved: (isOn: Bool, since: Instant)?

  /// Nothing was read yet. Readings count as following each other up to this far apart.
  init(_ plan: CurrentPlan, longestGap: Duration) {
    self.plan = plan
    self.longestGap = longestGap
  }

  /// What was proved last; `nil` before anything was.
  package var isOn: Bool? { proved?.isOn }

  /// When the first of the readings was asked for that proved it; `nil` before anything was.
  var askedAt: Instant? { proved?.since }

  /// The bench begins to do something to the recorder: an output that is switched on fills capacitors.
  mutating func beginDeed() { disturbedUntil = nil }

  /// It has been done.
  mutating func endDeed(at now: Instant) { disturbedUntil = now.advanced(by: plan.lag) }

  /// Takes a reading. Returns a change where the recorder was certainly switched on or off.
  package mutating func take(microamperes: Int, askedAt: Instant, answeredAt: Instant) -> Change? {
    guard let disturbedUntil, askedAt >= disturbedUntil else {
      quietSince = nil
      return nil
    }
    if let lastAsked, lastAsked.duration(to: askedAt) > longestGap { quietSince = nil }
    lastAsked = askedAt
    if microamperes - plan.error >= plan.above { return wasOn(askedAt, answeredAt) }
    guard microamperes + plan.error < plan.above else {
      quietSince = nil
      return nil
    }
    let since = quietSince ?? askedAt
    quietSince = since
    let proof = plan.within + plan.lag
    guard since.duration(to: askedAt) >= proof else { return nil }
    return wasOff(since: max(since, askedAt.before(proof + longestGap)), answeredAt)
  }

  private mutating func wasOn(_ askedAt: Instant, _ answeredAt: Instant) -> Change? {
    let before = proved
    proved = (true, askedAt)
    (lastHigh, quietSince) = (askedAt, nil)
    guard let before, !before.isOn else { return nil }
    return Change(isOn: true, earliest: before.since.before(plan.lag), latest: answeredAt)
  }

  private mutating func wasOff(since: Instant, _ answeredAt: Instant) -> Change? {
    let before = proved
    proved = (false, since)
    guard let before, before.isOn, let lastHigh else { return nil }
    return Change(isOn: false, earliest: lastHigh.before(plan.lag), latest: answeredAt)
  }
}
