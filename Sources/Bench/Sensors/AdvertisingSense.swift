import Timeline

/// Tells from single advertisements when a recorder started to advertise, although a scanner misses some of them.
///
/// How many it misses is learned from the gaps between those that it hears. After as many intervals as make it certain
/// (one in a million) that it would have heard one, silence counts as silence. Misses are taken as independent: an
/// adapter that is deaf for longer than that, because it does something else, must not be the scanner.
package struct AdvertisingSense: Sendable {
  /// The longest time from one advertisement to the next: 125 ms (requirement DEV-2), and up to 10 ms that the link
  /// layer adds (Core Specification Vol 6, Part B, 4.4.2.2.1).
  static let interval = Duration.milliseconds(135)
  /// Time from the air to this program.
  static let latency = Duration.milliseconds(50)
  private static let shortestInterval = Duration.milliseconds(125)
  /// How improbable it must be that a recorder that advertises is not heard.
  private static let doubt = 0.000_001
  private static let fewest = 3
  /// As many intervals as a scanner needs that hears one in two.
  private static let most = 20
  /// The time after which silence shows it to a scanner that hears one in two.
  static let longestPatience = interval * most + latency

  private var heard = 0
  private var missed = 0
  private var last: Instant?
  private var isAdvertising = false
  /// Since when it certainly did not advertise for a while.
  private var silentSince = Instant.zero
  private var deafUntil = Instant.zero
  /// Whether the bench does something to the recorder, and whether it did since the last advertisement: gaps count for
  /// nothing then.
  private var (isActing, isDisturbed) = (false, false)
  /// Whether the power is being cut.
  private var isCut = false

  package init() {}

  /// The time after which silence shows that the recorder does not advertise.
  package var patience: Duration {
    // Two that nobody has heard are added, and two that somebody has, so that a scanner earns its trust.
    let share = Double(missed + 2) / Double(heard + missed + 4)
    var (count, chance) = (0, 1.0)
    while count < Self.fewest || chance > Self.doubt && count < Self.most {
      count += 1
      chance *= share
    }
    return Self.interval * count + Self.latency
  }

  /// Takes an advertisement. Returns a sighting where it is the first after silence, or may be: after a gap that is too short
  /// to be silence, and too long to be one interval or two.
  package mutating func hear(at now: Instant) -> Sighting? {
    // What was on its way to us when the recorder fell silent tells nothing.
    if now < deafUntil || isCut { return nil }
    let before = last
    let wasDisturbed = isDisturbed
    last = now
    isDisturbed = isActing
    guard isAdvertising, let before, before.duration(to: now) <= patience else {
      let earliest = max(silentSince, before ?? .zero, now.before(patience))
      isAdvertising = true
      return Sighting(.advertising, from: earliest, to: now, by: .scanner)
    }
    let gap = before.duration(to: now) - Self.latency
    if !wasDisturbed {
      heard += 1
      missed += max(0, Int(gap / Self.shortestInterval))
    }
    guard gap > Self.interval * 2 else { return nil }
    return Sighting(.advertising, from: before, to: now, by: .scanner, isCertain: false)
  }

  /// Something happened after which the recorder does not advertise until it starts anew: a link, or its power was cut.
  package mutating func interrupt(at now: Instant) {
    isAdvertising = false
    silentSince = max(silentSince, now)
    deafUntil = max(deafUntil, now.advanced(by: Self.latency))
  }

  /// The bench begins to do something to the recorder, which may fall silent for that; `cutsPower` where it must.
  package mutating func beginDeed(cutsPower: Bool) {
    (isActing, isDisturbed, isCut) = (true, true, cutsPower)
  }

  /// It has been done.
  package mutating func endDeed(at now: Instant) {
    if isCut { interrupt(at: now) }
    (isActing, isCut) = (false, false)
  }
}

extension Instant {
  /// So much earlier, or the beginning of the run.
  func before(_ time: Duration) -> Instant { advanced(by: .zero - time) }
}
