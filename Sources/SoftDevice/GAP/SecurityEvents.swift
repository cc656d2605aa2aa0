import Bytes
import HostStack
import Processor

/// Where the image wants keys (`ble_gap_sec_keyset_t`): for each side its encryption key, identity key, signing key and
/// public key. Those that this house makes are named.
private struct KeyStores {
  let ownKey: UInt32
  let ownIdentity: UInt32
  let peerKey: UInt32
  let peerIdentity: UInt32

  /// `nil` where the image gave none.
  init?(_ pointers: [UInt32]) {
    guard pointers.count == PendingPairing.keyStoreCount else { return nil }
    (ownKey, ownIdentity, peerKey, peerIdentity) = (pointers[0], pointers[1], pointers[4], pointers[5])
  }
}

/// What the image is told of security.
extension SoftDeviceHost {
  /// Of `ble_gap_evt_sec_info_request_t`: the encryption key is asked for.
  private static let wantsEncryptionKey: UInt8 = 0x01
  /// Of `ble_gap_evt_auth_status_t`: a bond was made.
  private static let bonded: UInt8 = 0x04
  /// Of `ble_gap_evt_auth_status_t`: levels 1 and 2 of security mode 1 were reached.
  private static let encryptedLevels: UInt8 = 0x03

  /// The peer asks to pair.
  mutating func pairingRequested(_ features: PairingFeatures, at cycle: UInt64) {
    state.link?.pairing = PendingPairing(request: features)
    let flags = features.authentication
    var octet = features.inputOutput.rawValue << SecurityBit.capabilityShift
    if flags.contains(.bonding) { octet |= SecurityBit.bonding }
    if flags.contains(.manInTheMiddle) { octet |= SecurityBit.protection }
    if flags.contains(.secureConnections) { octet |= SecurityBit.secureConnections }
    if flags.contains(.keypress) { octet |= SecurityBit.keypress }
    if features.hasOutOfBandData { octet |= SecurityBit.outOfBand }
    var fields = GuestFields(9)
    let (own, peer) = (features.responderKeys.rawValue, features.initiatorKeys.rawValue)
    fields.put([octet, GAPNumber.keySizes.lowerBound, features.maximumKeySize, own, peer], at: 4)
    queue(.securityParametersRequested, fields, at: cycle)
  }

  /// The central starts encryption with the key of this name.
  mutating func keyRequested(_ encryptedDiversifier: UInt16, _ randomNumber: UInt64, at cycle: UInt64) {
    guard let link = state.link else { return }
    state.link?.isKeyRequested = true
    var fields = GuestFields(24)
    fields.put(link.peer.guestOctets, at: 4)
    fields.put(encryptedDiversifier, at: 12)
    fields.put((0..<8).map { UInt8(truncatingIfNeeded: randomNumber >> ($0 * 8)) }, at: 14)
    fields.put(Self.wantsEncryptionKey, at: 22)
    queue(.securityInformationRequested, fields, at: cycle)
  }

  /// The link is encrypted.
  mutating func encrypted(level: UInt8, keySize: UInt8, at cycle: UInt64) {
    state.link?.securityLevel = level
    state.link?.keySize = keySize
    tellSecurityUpdate(at: cycle)
  }

  private mutating func tellSecurityUpdate(at cycle: UInt64) {
    guard let link = state.link else { return }
    var fields = GuestFields(6)
    fields.put([link.securityOctet, link.keySize], at: 4)
    queue(.connectionSecurityUpdated, fields, at: cycle)
  }

  /// The link is secure: pairing is complete, or a key that the image gave is in use.
  mutating func secured(keySize: UInt8, at cycle: UInt64) {
    guard let link = state.link else { return }
    guard let pairing = link.pairing, let answer = pairing.answer else {
      return encrypted(level: link.keyLevel, keySize: keySize, at: cycle)
    }
    let own = answer.responderKeys.intersection(pairing.request.responderKeys)
    let peer = answer.initiatorKeys.intersection(pairing.request.initiatorKeys)
    state.link?.pairing = nil
    var fields = GuestFields(10)
    fields.put(pairing.isBonded ? Self.bonded : 0, at: 5)
    fields.put(Self.encryptedLevels, at: 6)
    if pairing.isBonded { fields.put([own.rawValue, peer.rawValue], at: 8) }
    queue(.authenticationStatus, fields, at: cycle)
  }

  /// Pairing failed.
  mutating func pairingFailed(_ reason: PairingFailureReason, byPeer: Bool, at cycle: UInt64) {
    state.link?.pairing = nil
    var fields = GuestFields(10)
    fields.put(reason == .timeout ? SecurityStatus.timeout : SecurityStatus.failure | reason.rawValue, at: 4)
    fields.put(UInt8(byPeer ? 1 : 0), at: 5)
    queue(.authenticationStatus, fields, at: cycle)
  }

  /// The image has no key for the central, or encryption could not be started.
  mutating func securityFailed(at cycle: UInt64) {
    if settings.policies.missingKey == .openLink { tellSecurityUpdate(at: cycle) }
  }

  /// Pairing made keys: they go where the image wants them.
  mutating func storeKeys(_ bond: Bond, _ processor: inout CortexM4) {
    guard let pairing = state.link?.pairing else { return }
    state.link?.pairing?.isBonded = true
    guard let stores = KeyStores(pairing.keyStores), let answer = pairing.answer else { return }
    let own = answer.responderKeys.intersection(pairing.request.responderKeys)
    let peer = answer.initiatorKeys.intersection(pairing.request.initiatorKeys)
    if own.contains(.encryption), let key = bond.localKey {
      store(key.guestOctets, at: stores.ownKey, &processor)
    }
    if own.contains(.identity) {
      store(settings.identityResolvingKey + address.guestOctets, at: stores.ownIdentity, &processor)
    }
    if peer.contains(.encryption), let key = bond.peerKey {
      store(key.guestOctets, at: stores.peerKey, &processor)
    }
    if peer.contains(.identity), let key = bond.peerIdentityResolvingKey {
      store(key + bond.identity.guestOctets, at: stores.peerIdentity, &processor)
    }
  }

  private mutating func store(_ octets: [UInt8], at address: UInt32, _ processor: inout CortexM4) {
    guard address != 0 else { return }
    do {
      try processor.memory.write(octets, at: address)
    } catch {
      note(.keyStoreLost(address: address))
    }
  }
}

extension LongTermKey {
  /// `ble_gap_enc_key_t`: the key, its size above the bits for Secure Connections and protection, EDIV, Rand.
  fileprivate var guestOctets: [UInt8] {
    var fields = GuestFields(28)
    fields.put(key, at: 0)
    fields.put(keySize << KeyBit.sizeShift, at: 16)
    fields.put(encryptedDiversifier, at: 18)
    fields.put((0..<8).map { UInt8(truncatingIfNeeded: randomNumber >> ($0 * 8)) }, at: 20)
    return fields.octets
  }
}
