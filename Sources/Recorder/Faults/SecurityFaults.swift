import HostStack

/// What can be wrong with links, encryption and bonds.
package struct SecurityFaults: Hashable, Sendable {
  /// Whether the File Transfer Service answers on a link that is not encrypted.
  package var acceptsUnencrypted = false
  /// Whether a request to unpair leaves the bonds in place.
  package var keepsBondsWhenUnpaired = false
  /// Whether the key of a phone that unpaired is taken until the recorder is switched off.
  package var keepsUnpairedKey = false
  /// Whether a phone that comes back has to enable every notification again.
  package var forgetsSubscriptions = false
  /// Whether the time in which others may pair begins when the button is pressed, and not when it is released.
  package var opensPairingAtPressOnly = false
  /// Whether bonds are lost when the recorder is switched off.
  package var forgetsBondsAtPowerOff = false
  /// Whether bonds are lost when a link ends.
  package var forgetsBondsAtDisconnection = false
  /// Whether it never asks a bonded phone for encryption.
  package var neverRequestsSecurity = false
  /// Whether anybody can pair at any time.
  package var pairsWithStrangers = false
  /// Whether nobody can pair any more once it has an owner.
  package var neverPairsAgain = false
  /// Whether one phone that unpairs removes the bonds of all.
  package var unpairsEverybody = false
  /// Whether anybody can write its name.
  package var letsStrangersRename = false
  /// Whether anybody can start its bootloader.
  package var letsStrangersUpdate = false
  /// Whether a phone without a bond may stay connected.
  package var keepsStrangers = false
  /// Whether the link of an owner ends as early as a stranger's.
  package var dropsOwners = false
  /// The largest ATT MTU that it accepts, octets; `nil` for its profile's.
  package var maximumTransmissionUnit: UInt16?
  /// Whether it keeps no key that resolves private addresses.
  package var forgetsIdentityKeys = false
  /// Whether it resolves private addresses with the key of its first owner only.
  package var resolvesOnlyFirstOwner = false
  /// Whether it pairs also with a phone that will not keep the keys.
  package var pairsWithoutKeys = false
  /// Whether a phone that it knows pairs again in vain: what it keeps are the keys that it had.
  package var keepsOldKeys = false
  /// Whether the first owner is forgotten, whoever unpairs.
  package var unpairsFirstOwner = false
  /// Whether it never offers LE Secure Connections.
  package var offersLegacyOnly = false
  /// How many bonds it keeps; the oldest ones are dropped. `nil` for any number.
  package var bondLimit: Int?

  /// No fault.
  package init() {}

  /// What the stack learns of the bonds in flash.
  func told(_ bonds: [Bond]) -> [Bond] {
    var bonds = bonds
    for index in bonds.indices where forgetsIdentityKeys || resolvesOnlyFirstOwner && index > 0 {
      bonds[index].peerIdentityResolvingKey = nil
    }
    return bonds
  }
}

extension RecorderFault {
  static let ofSecurity = [
    RecorderFault("accepts-unencrypted", "It answers strangers without encryption.") {
      $0.security.acceptsUnencrypted = true
    },
    RecorderFault("keeps-bonds-after-unpair", "It does not unpair.") { $0.security.keepsBondsWhenUnpaired = true },
    RecorderFault("forgets-bonds", "It loses its bonds when it is switched off.") {
      $0.security.forgetsBondsAtPowerOff = true
    },
    RecorderFault("forgets-bonds-at-disconnect", "It loses its bonds when a link ends.") {
      $0.security.forgetsBondsAtDisconnection = true
    },
    RecorderFault("keeps-unpaired-key", "It takes the key of a phone that unpaired until it is switched off.") {
      $0.security.keepsUnpairedKey = true
    },
    RecorderFault("forgets-subscriptions", "It forgets between connections what a paired phone enabled.") {
      $0.security.forgetsSubscriptions = true
    },
    RecorderFault("pairing-ends-after-press", "It counts from the press of its button how long others may pair.") {
      $0.security.opensPairingAtPressOnly = true
    },
    RecorderFault("never-requests-security", "It does not ask a bonded phone for encryption.") {
      $0.security.neverRequestsSecurity = true
    },
    RecorderFault("pairs-with-strangers", "It pairs with anybody at any time, whether it has an owner or not.") {
      $0.security.pairsWithStrangers = true
    },
    RecorderFault("never-pairs-again", "It pairs with nobody once it has an owner.") {
      $0.security.neverPairsAgain = true
    },
    RecorderFault("unpairs-everybody", "It removes the bonds of all phones when one of them unpairs.") {
      $0.security.unpairsEverybody = true
    },
    RecorderFault("renamed-by-strangers", "It lets anybody write its name.") {
      $0.security.letsStrangersRename = true
    },
    RecorderFault("rebooted-by-strangers", "It lets anybody start its bootloader.") {
      $0.security.letsStrangersUpdate = true
    },
    RecorderFault("keeps-strangers", "It lets a phone without a bond stay connected.") {
      $0.security.keepsStrangers = true
    },
    RecorderFault("drops-owners", "It ends an owner's link after half a minute, as it does with a stranger's.") {
      $0.security.dropsOwners = true
    },
    RecorderFault("forgets-identity-keys", "It does not recognise owners that use private addresses.") {
      $0.security.forgetsIdentityKeys = true
    },
    RecorderFault("resolves-only-first-owner", "Of its owners it recognises only the first by a private address.") {
      $0.security.resolvesOnlyFirstOwner = true
    },
    RecorderFault("pairs-without-keys", "It pairs with a phone that will not keep the keys.") {
      $0.security.pairsWithoutKeys = true
    },
    RecorderFault("keeps-old-keys", "It pairs again with a phone that it knows, and keeps the keys that it had.") {
      $0.security.keepsOldKeys = true
    },
    RecorderFault("unpairs-first-owner", "It forgets its first owner, whoever unpairs.") {
      $0.security.unpairsFirstOwner = true
    },
    RecorderFault("offers-legacy-pairing-only", "It never offers LE Secure Connections.") {
      $0.security.offersLegacyOnly = true
    },
    RecorderFault("keeps-one-bond", "A new owner takes the place of the one before.") { $0.security.bondLimit = 1 },
    RecorderFault("small-transmission-unit", "It refuses to send longer packets than every device must take.") {
      $0.security.maximumTransmissionUnit = ATTPDU.defaultMTU
    },
  ]
}
