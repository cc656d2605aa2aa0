import Bytes
import Crypto
import Packets

/// Legacy Just Works (Core Specification Vol 3, Part H, 2.3.5.5).
extension PairingMachine {
  /// This side's confirm value, or the peer's for the peer's random value.
  func legacyConfirmValue(_ agreement: PairingAgreement, _ random: UInt128) -> UInt128 {
    PairingToolbox.c1(
      key: Key128(0), random: random, request: agreement.requestOctets, response: agreement.responseOctets,
      initiator: setting.initiatorAddress, responder: setting.responderAddress)
  }

  /// The peer's confirm value came.
  mutating func legacyConfirm(
    _ session: Session, _ random: UInt128, _ peerConfirm: UInt128, _ actions: inout [Action]
  ) {
    state = .legacyRandom(session, random: random, peerConfirm: peerConfirm)
    switch setting.role {
    case .initiator: send(.pairingRandom(random), &actions)
    case .responder: send(.pairingConfirm(legacyConfirmValue(session.agreement, random)), &actions)
    }
  }

  /// The peer's random value came.
  mutating func legacyRandom(
    _ session: Session, _ random: UInt128, _ peerConfirm: UInt128, _ peerRandom: UInt128, _ actions: inout [Action]
  ) {
    guard legacyConfirmValue(session.agreement, peerRandom) == peerConfirm else {
      return fail(.confirmValueFailed, &actions)
    }
    let isInitiator = setting.role == .initiator
    let shortTermKey = PairingToolbox.s1(
      key: Key128(0), r1: isInitiator ? peerRandom : random, r2: isInitiator ? random : peerRandom
    ).masked(toSize: Int(session.agreement.keySize))
    state = .encrypting(session, key: shortTermKey)
    if isInitiator {
      actions.append(.encrypt(shortTermKey))
    } else {
      send(.pairingRandom(random), &actions)
    }
  }
}

/// LE Secure Connections, Just Works (Core Specification Vol 3, Part H, 2.3.5.6).
extension PairingMachine {
  /// This side's key pair and nonce.
  struct OwnKeys: Sendable {
    var privateKey: P256PrivateKey
    var nonce: UInt128
  }

  /// The peer's public key with the Diffie-Hellman key it leads to.
  struct PeerKey: Sendable {
    var publicKey: P256PublicKey
    var sharedSecret: [UInt8]
  }

  /// The keys both sides made, and both nonces.
  struct SharedKeys: Sendable {
    var macKey: Key128
    var longTermKey: Key128
    var ownNonce: UInt128
    var peerNonce: UInt128
  }

  /// The peer's public key came; it must be a point of the curve, and not this side's own thrown back (2.3.5.6.1).
  mutating func publicKey(_ session: Session, _ keys: OwnKeys, _ octets: [UInt8], _ actions: inout [Action]) {
    let own = keys.privateKey.publicKey
    guard let publicKey = try? P256PublicKey(littleEndian: octets), publicKey.x != own.x else {
      return fail(.invalidParameters, &actions)
    }
    let peer = PeerKey(publicKey: publicKey, sharedSecret: keys.privateKey.sharedSecret(with: publicKey))
    switch setting.role {
    case .initiator:
      state = .confirm(session, keys, peer)
      actions.append(.startTimer)
    case .responder:
      state = .nonce(session, keys, peer, peerConfirm: nil)
      send(.pairingPublicKey(own.littleEndian), &actions)
      send(.pairingConfirm(PairingToolbox.f4(u: own.x, v: publicKey.x, x: keys.nonce, z: 0)), &actions)
    }
  }

  /// The responder's confirm value came.
  mutating func secureConfirm(
    _ session: Session, _ keys: OwnKeys, _ peer: PeerKey, _ value: UInt128, _ actions: inout [Action]
  ) {
    state = .nonce(session, keys, peer, peerConfirm: value)
    send(.pairingRandom(keys.nonce), &actions)
  }

  /// The peer's nonce came.
  mutating func nonce(
    _ session: Session, _ keys: OwnKeys, _ peer: PeerKey, _ confirm: UInt128?, _ peerNonce: UInt128,
    _ actions: inout [Action]
  ) {
    if let confirm {
      let expected = PairingToolbox.f4(
        u: peer.publicKey.x, v: keys.privateKey.publicKey.x, x: peerNonce, z: 0)
      guard expected == confirm else { return fail(.confirmValueFailed, &actions) }
    }
    let isInitiator = setting.role == .initiator
    let made = PairingToolbox.f5(
      w: peer.sharedSecret, n1: isInitiator ? keys.nonce : peerNonce, n2: isInitiator ? peerNonce : keys.nonce,
      a1: setting.initiatorAddress, a2: setting.responderAddress)
    let shared = SharedKeys(
      macKey: made.macKey, longTermKey: made.longTermKey, ownNonce: keys.nonce, peerNonce: peerNonce)
    state = .check(session, shared)
    if isInitiator {
      send(.pairingDHKeyCheck(ownCheckValue(session.agreement, shared)), &actions)
    } else {
      send(.pairingRandom(keys.nonce), &actions)
    }
  }

  /// The peer's check value came.
  mutating func check(_ session: Session, _ keys: SharedKeys, _ value: UInt128, _ actions: inout [Action]) {
    guard peerCheckValue(session.agreement, keys) == value else { return fail(.dhKeyCheckFailed, &actions) }
    let key = keys.longTermKey.masked(toSize: Int(session.agreement.keySize))
    state = .encrypting(session, key: key)
    if setting.role == .initiator {
      actions.append(.encrypt(key))
    } else {
      send(.pairingDHKeyCheck(ownCheckValue(session.agreement, keys)), &actions)
    }
  }

  private func ownCheckValue(_ agreement: PairingAgreement, _ keys: SharedKeys) -> UInt128 {
    let features = setting.role == .initiator ? agreement.request : agreement.response
    return PairingToolbox.f6(
      w: keys.macKey, n1: keys.ownNonce, n2: keys.peerNonce, r: 0, capabilities: features.checkedOctets,
      a1: setting.ownAddress, a2: setting.peerAddress)
  }

  private func peerCheckValue(_ agreement: PairingAgreement, _ keys: SharedKeys) -> UInt128 {
    let features = setting.role == .initiator ? agreement.response : agreement.request
    return PairingToolbox.f6(
      w: keys.macKey, n1: keys.peerNonce, n2: keys.ownNonce, r: 0, capabilities: features.checkedOctets,
      a1: setting.peerAddress, a2: setting.ownAddress)
  }
}
