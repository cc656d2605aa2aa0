import Bytes
import HostStack
import SecureDFU

/// Looking for newer firmware, offering it once, and installing it on consent (requirement APP-1.4.2).
extension PhoneApplication {
  /// The feed offers one more firmware; the user hears of it at the next look.
  mutating func publish(_ offer: FirmwareOffer, _ effects: inout ApplicationEffects) {
    feed.append(offer)
    if power == .on, !feedTimer.isRunning { lookIntoFeed(&effects) }
  }

  /// Offers the newest firmware that is newer than what this phone installed and that its user has not refused, where a
  /// recorder is paired; and looks again after a while.
  mutating func lookIntoFeed(_ effects: inout ApplicationEffects) {
    guard !feed.isEmpty else { return }
    feedTimer.start(configuration.timeouts.feedPeriod, &effects)
    guard let recorder = pairedRecorder else { return }
    let feed = feed
    let forgets = has(.forgetsRefusals)
    let newest = consult(&effects) { library throws(LibraryFailure) in
      let installed = try library.installedRelease(on: recorder)?.version ?? 0
      var newest: FirmwareOffer?
      for offer in feed where offer.version > max(installed, newest?.version ?? 0) {
        let isRefused = try library.isRefused(offer.version, on: recorder)
        if forgets || !isRefused { newest = offer }
      }
      return newest
    }
    guard let newest else { return }
    guard newest?.version != standingOffer?.version else { return }
    standingOffer = newest
    guard let newest else { return }
    effects.append(.event(.firmwareOffered(newest)))
  }

  /// The user answers the offer that stands.
  mutating func answerOffer(accepts: Bool, _ effects: inout ApplicationEffects) {
    guard let offer = standingOffer, let recorder = pairedRecorder else { return fail(.nothingOffered, &effects) }
    standingOffer = nil
    effects.append(.event(.firmwareAnswered(version: offer.version, accepted: accepts)))
    if accepts || has(.updatesWithoutConsent) {
      let order = FirmwareOrder(offer.package, name: offer.name)
      // From here on it is an update like any other, which every link of it asks for.
      running?.operation = .update(order, .paired)
      return beginUpdate(order, .paired, isAsked: false, &effects)
    }
    let time = clock.wallTime(at: now)
    do throws(LibraryFailure) {
      try configuration.library.refuse(offer.version, on: recorder, at: time)
    } catch { return fail(.library(error.description), &effects) }
    finish(.success(.done), &effects)
  }
}
