import Bytes
import HostStack
import SecureDFU

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

  /// Replaces the offer that stands; true where the user must be told of a new one.
  mutating func offer(_ newest: FirmwareOffer?) -> Bool {
    guard newest?.version != standing?.version else { return false }
    standing = newest
    return newest != nil
  }

  /// Takes the offer that stands, for the user answered it.
  mutating func answer() -> FirmwareOffer? {
    defer { standing = nil }
    return standing
  }
}

extension PhoneApplication {
  /// The feed offers one more firmware.
  mutating func publish(_ offer: FirmwareOffer, _ effects: inout ApplicationEffects) {
    releaseFeed.append(offer)
    if power == .on, !releaseFeed.isWatched { lookIntoFeed(&effects) }
  }

  /// Offers the newest firmware where a recorder is paired, and looks again after a while.
  mutating func lookIntoFeed(_ effects: inout ApplicationEffects) {
    guard !releaseFeed.offers.isEmpty else { return }
    releaseFeed.schedule(after: configuration.timeouts.feedPeriod, &effects)
    guard let recorder = pairedRecorder else { return }
    let (feed, forgets) = (releaseFeed, has(.forgetsRefusals))
    let newest = consult(&effects) { library throws(LibraryFailure) in
      let installed = try library.installedRelease(on: recorder)?.version ?? 0
      return try feed.newest(above: installed) { version throws(LibraryFailure) in
        try library.isRefused(version, on: recorder) && !forgets
      }
    }
    guard let newest, releaseFeed.offer(newest), let newest else { return }
    effects.append(.event(.firmwareOffered(newest)))
  }

  /// The user answers the offer that stands.
  mutating func answerOffer(accepts: Bool, _ effects: inout ApplicationEffects) {
    guard let recorder = pairedRecorder, let offer = releaseFeed.answer() else {
      return fail(.nothingOffered, &effects)
    }
    effects.append(.event(.firmwareAnswered(version: offer.version, accepted: accepts)))
    if accepts || has(.updatesWithoutConsent) {
      let order = FirmwareOrder(offer.package, name: offer.name)
      // From here on it is an update like any other, which every link of it asks for.
      running?.operation = .update(order, .paired)
      return beginUpdate(order, .paired, isAsked: false, &effects)
    }
    let time = timeServer.clock.wallTime(at: now)
    do throws(LibraryFailure) {
      try configuration.library.refuse(offer.version, on: recorder, at: time)
    } catch { return fail(.library(error.description), &effects) }
    finish(.success(.done), &effects)
  }
}
