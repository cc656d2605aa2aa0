import HostStack

/// The firmware that is offered to the user: the newest one that is not refused (requirement APP-1.4.2).
struct ReleaseFeed {
  private(set) var offers: [FirmwareOffer]
  /// The offer that the user has not answered.
  private(set) var standing: FirmwareOffer?
  private var timer = ApplicationTimer(.feed)

  init(offers: [FirmwareOffer]) { self.offers = offers }

  /// The newest version there is.
  var newestVersion: UInt32? { offers.map(\.version).max() }
  /// Whether the feed is looked into periodically.
  var isWatched: Bool { timer.isRunning }

  /// Adds an offer; the user hears of it at the next look.
  mutating func append(_ offer: FirmwareOffer) { offers.append(offer) }

  /// Starts the timer of the next look.
  mutating func schedule(after period: Duration, _ effects: inout ApplicationEffects) { timer.start(period, &effects) }

  /// Takes a firing and returns whether the feed is to be looked into.
  mutating func isDue(_ token: TimerToken) -> Bool { timer.takes(token) }

  /// Stops looking.
  mutating func stop(_ effects: inout ApplicationEffects) { timer.stop(&effects) }

  /// The newest offer that is newer than `installed` and not refused.
  func newest(
    above installed: UInt32, isRefused: (UInt32) throws(LibraryFailure) -> Bool
  ) throws(LibraryFailure) -> FirmwareOffer? {
    var newest: FirmwareOffer?
    for offer in offers where offer.version > max(installed, newest?.version ?? 0) {
      if try !isRefused(offer.version) { newest = offer }
    }
    return newest
  }

  /// Replaces the standing offer and returns whether the user must be told of a new one.
  mutating func offer(_ newest: FirmwareOffer?) -> Bool {
    guard newest?.version != standing?.version else { return false }
    standing = newest
    return newest != nil
  }

  /// Takes the standing offer, because the user answered it.
  mutating func answer() -> FirmwareOffer? {
    defer { standing = nil }
    return standing
  }
}
