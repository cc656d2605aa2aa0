import Timeline

/// What a scanner hears of one recorder, for those who ask whether it was switched on or off.
final class RecorderEar {
  /// Told of every advertisement, and for how long the recorder was silent before it: `nil` where it was connected.
  var onHeard: ((_ silence: Duration?) -> Void)?
  /// The time after which a scanner that hears nothing certainly listens to a silent recorder, and the time from the air to
  /// this program; `nil` while nobody listens.
  private(set) var scanner: (patience: Duration, latency: Duration)?

  private var silentSince: Instant?

  /// A scanner listens from now on.
  func open(at now: Instant, patience: Duration, latency: Duration) {
    scanner = (patience, latency)
    silentSince = now
  }

  /// The recorder has advertised.
  func hear(at now: Instant) {
    let silence = silentSince.map { $0.duration(to: now) }
    silentSince = now
    onHeard?(silence)
  }

  /// A phone is connected to the recorder, which is silent for that.
  func linkUp() { silentSince = nil }
}
