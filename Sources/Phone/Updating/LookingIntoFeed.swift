import SecureDFU

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
    let refusesForAll = has(.refusesForAllRecorders)
    let newest = consult(&effects) { library throws(LibraryFailure) in
      let installed = try library.installedRelease(on: recorder)?.version ?? 0
      return try feed.newest(above: installed) { version throws(LibraryFailure) in
        if refusesForAll { return try library.refusedFirmware().contains { $0.version == version } }
        return try library.isRefused(version, on: recorder) && !forgets
      }
    }
    guard let newest, releaseFeed.offer(newest), let newest else { return }
    effects.append(.event(.firmwareOffered(newest)))
  }

  /// The user answers the standing offer.
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
