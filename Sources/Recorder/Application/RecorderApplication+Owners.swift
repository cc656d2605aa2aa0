import Bytes
import HostStack

/// Whom the recorder admits: who may pair, whose bond is deleted, how long a stranger may stay.
extension RecorderApplication {
  /// Whether it decides about each phone that wants to pair.
  var asksWhoPairs: Bool { profile.policies.pairing != .anybody && !profile.faults.security.pairsWithStrangers }

  /// Whether a phone that wants to pair is admitted.
  private func isPairing(at tick: Int64) -> Bool {
    if body.bonds.isEmpty { return true }
    if profile.faults.security.neverPairsAgain { return false }
    return profile.policies.pairing == .alwaysOpen || body.isButtonPressed || tick < pairingWindowEndTick
  }

  /// The button was used, or the first owner was admitted.
  mutating func openPairingWindow(at tick: Int64) {
    pairingWindowEndTick = tick + profile.timing.pairingWindow
  }

  /// A phone wants to pair. Without keeping the keys it would be nobody's phone on an encrypted link.
  mutating func decidePairing(keepsKeys: Bool, at tick: Int64) {
    let isOpen = isPairing(at: tick)
    if !isOpen { events.append(.pairingRefused(owners: body.bonds.count)) }
    softDevice.answerPairing(accepted: isOpen && (keepsKeys || profile.faults.security.pairsWithoutKeys))
  }

  /// Whether a phone that it knows can pair again without new keys being kept. The published firmware finds out too late
  /// whom it has paired with, where a phone forgot its pairing and comes with a private address.
  private var keepsOldKeys: Bool {
    profile.policies.pairing == .anybody || profile.faults.security.keepsOldKeys
  }

  /// Keeps a bond.
  mutating func store(_ bond: Bond, isNew: Bool, at tick: Int64) {
    if isNew {
      let others = body.bonds.count { $0.identity != bond.identity }
      events.append(.bondMade(bond.identity, others: others))
      if body.bonds.isEmpty { openPairingWindow(at: tick) }
      if keepsOldKeys, others < body.bonds.count { return softDevice.keepBonds(body.bonds) }
    }
    body.store(bond)
    if let limit = profile.faults.security.bondLimit {
      for old in body.bonds.dropLast(limit) { softDevice.deleteBonds(of: old.identity) }
      body.bonds = body.bonds.suffix(limit)
    }
    events.append(.bondStored(bond.identity))
  }

  // MARK: Unpairing

  /// A phone asks to be forgotten; the current link stays as it is.
  mutating func unpair() {
    guard let link = softDevice.link else { return }
    let identity = body.bonds.first { $0.identity == link.identity }?.identity
    if let identity { events.append(.unpairRequested(identity)) }
    if profile.faults.security.keepsBondsWhenUnpaired { return }
    if profile.policies.unpairing == .allBonds || profile.faults.security.unpairsEverybody {
      events.append(.bondsRemoved(body.bonds.map(\.identity)))
      return removeAllBonds()
    }
    let first = profile.faults.security.unpairsFirstOwner ? body.bonds.first?.identity : nil
    guard let identity = identity.map({ first ?? $0 }) else { return }
    body.bonds.removeAll { $0.identity == identity }
    events.append(.bondsRemoved([identity]))
    if !profile.faults.security.keepsUnpairedKey { softDevice.deleteBonds(of: identity) }
  }

  /// Deletes all bonds; the current link stays as it is.
  mutating func removeAllBonds() {
    body.bonds.removeAll()
    if isOn { softDevice.deleteBonds(of: nil) }
  }

  // MARK: Strangers

  /// A phone connected: without a bond it may stay for a while.
  mutating func limitStranger(at tick: Int64) {
    guard profile.policies.strangersLink == .isLimited, !profile.faults.security.keepsStrangers else { return }
    strangerDueTick = tick + profile.timing.strangersLink
  }

  /// The while is over. While the recorder would pair with anybody, nobody is a stranger, and whom it admitted is none while
  /// the pairing lasts.
  mutating func strangerStayed(at tick: Int64) {
    strangerDueTick = nil
    guard let link = softDevice.link else { return }
    if !profile.faults.security.dropsOwners {
      guard link.identity == nil else { return }
      if link.isPairing || isPairing(at: tick) { return limitStranger(at: tick) }
    }
    softDevice.disconnect()
  }
}
