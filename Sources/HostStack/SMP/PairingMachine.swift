import Bytes
import Crypto
import Packets

/// One side of pairing on one link (Core Specification Vol 3, Part H, 2.3 and Appendix C).
///
/// The central is the initiator, the peripheral the responder. Both walk the same states; what a side sends on the way
/// is at the transition.
///
///     idle ──▶ awaitingApproval (responder, when the application is asked)
///       │  ╲        │
///       │   ▼       ▼
///       │  awaitingResponse (initiator)
///       ▼        ▼
///      drawing ── chance is fetched before the peer is given reason to speak, so no command finds the machine waiting
///       │    ╲
///       │     ╲ legacy                                       Secure Connections
///       │      legacyConfirm ─▶ legacyRandom ─╮     publicKey ─▶ confirm (initiator) ─▶ nonce ─▶ check ─╮
///       │                                     ▼                                                        ▼
///       │                                 encrypting ◀─────────────────────────────────────────────────╯
///       │                                     ▼
///       │                              distributing: the responder's keys first, then the initiator's
///       ▼                                     ▼
///      dead ◀── 30 s without a command       idle: `paired`
///
/// A Pairing Failed, sent or received, leads back to idle from everywhere; a time-out leads to `dead`, where SMP stays
/// silent until the link ends (3.4).
struct PairingMachine: Sendable {
  /// Which side starts.
  enum Role: Sendable {
    /// The central.
    case initiator
    /// The peripheral.
    case responder
  }

  /// What the machine wants done; in order.
  enum Action: Sendable {
    /// Send to the peer.
    case send(SMPCommand)
    /// Restart the 30 s timer.
    case startTimer
    /// Stop the timer.
    case stopTimer
    /// Fetch chance.
    case draw(EntropyRequest.Purpose, count: Int)
    /// Ask the application whether to pair.
    case askApproval(keepsKeys: Bool)
    /// Ask the application whether and how to pair with a peer of these features.
    case askFeatures(PairingFeatures)
    /// Start encryption with this key, EDIV and Rand being 0 (initiator only).
    case encrypt(Key128)
    /// This device's identity resolving key was drawn; it is the device's from now on.
    case identityDrawn(Key128)
    /// Pairing is complete.
    case paired(PairingResult)
    /// Pairing has failed.
    case failed(PairingFailureReason, byPeer: Bool)
    /// The peer broke a rule.
    case violation(ProtocolViolation)
  }

  /// What does not change during the life of the link.
  struct Setting: Sendable {
    var role: Role
    /// This side's address on this connection.
    var ownAddress: BluetoothAddress
    /// The address by which peers are to know this side.
    var identityAddress: BluetoothAddress
    /// The peer's address on this connection.
    var peerAddress: BluetoothAddress
    var parameters: SecurityParameters
    var policy: PairingPolicy

    var initiatorAddress: BluetoothAddress { role == .initiator ? ownAddress : peerAddress }
    var responderAddress: BluetoothAddress { role == .initiator ? peerAddress : ownAddress }
  }

  /// Where pairing stands. A case holds all that is known there and nothing else.
  enum State: Sendable {
    case idle
    case awaitingApproval(PairingFeatures)
    case awaitingResponse(PairingFeatures)
    case drawing(PairingAgreement, Chance)
    case legacyConfirm(Session, random: UInt128)
    case legacyRandom(Session, random: UInt128, peerConfirm: UInt128)
    case publicKey(Session, OwnKeys)
    case confirm(Session, OwnKeys, PeerKey)
    case nonce(Session, OwnKeys, PeerKey, peerConfirm: UInt128?)
    case check(Session, SharedKeys)
    case encrypting(Session, key: Key128)
    case distributing(Session, Distribution)
    case dead
  }

  /// What both sides agreed on, and this side's keys to be distributed.
  struct Session: Sendable {
    var agreement: PairingAgreement
    /// This side's long-term key in legacy pairing.
    var ownLongTermKey: LongTermKey?
    /// This side's identity resolving key, where it is distributed.
    var ownIdentityResolvingKey: Key128?
  }

  var setting: Setting
  var state = State.idle
  /// This device's identity resolving key, once there is one.
  var identityResolvingKey: Key128?
  /// Whether a failed attempt is so recent that another is refused (2.3.6).
  var isBlocked = false

  init(_ setting: Setting, identityResolvingKey: Key128?) {
    self.setting = setting
    self.identityResolvingKey = identityResolvingKey
  }

  /// Whether pairing is going on.
  var isActive: Bool {
    switch state {
    case .idle, .dead: false
    default: true
    }
  }

  /// The key for a link that pairing is about to encrypt; asked for with EDIV and Rand 0 only.
  var pendingKey: Key128? {
    if case .encrypting(_, let key) = state { return key }
    return nil
  }

  /// Octets of ``pendingKey`` that count.
  var pendingKeySize: UInt8 {
    if case .encrypting(let session, _) = state { return session.agreement.keySize }
    return 0
  }

  /// Starts pairing as initiator; nothing happens while it is going on or after a time-out.
  mutating func start(_ actions: inout [Action]) {
    guard case .idle = state, setting.role == .initiator else { return }
    let features = ownFeatures()
    state = .awaitingResponse(features)
    send(.pairingRequest(features), &actions)
  }

  /// Asks the central for security (2.4.6).
  func requestSecurity(_ actions: inout [Action]) {
    guard case .idle = state, setting.role == .responder else { return }
    actions.append(.send(.securityRequest(ownFeatures().authentication)))
  }

  /// Takes a command of the peer; `isBonded` says whether its address is that of a bond, `isEncrypted` how the link is.
  mutating func handle(_ command: SMPCommand, isBonded: Bool, isEncrypted: Bool, _ actions: inout [Action]) {
    if case .dead = state { return }
    switch (command, state) {
    case (.pairingFailed(let reason), _):
      guard isActive else { return }
      end(reason, byPeer: true, &actions)
    case (.pairingRequest(let features), .idle) where setting.role == .responder:
      request(features, isBonded: isBonded, &actions)
    case (.pairingResponse(let features), .awaitingResponse(let request)): respond(request, features, &actions)
    case (.pairingConfirm(let value), .legacyConfirm(let session, let random)):
      legacyConfirm(session, random, value, &actions)
    case (.pairingRandom(let value), .legacyRandom(let session, let random, let confirm)):
      legacyRandom(session, random, confirm, value, &actions)
    case (.pairingPublicKey(let octets), .publicKey(let session, let keys)): publicKey(session, keys, octets, &actions)
    case (.pairingConfirm(let value), .confirm(let session, let keys, let peer)):
      secureConfirm(session, keys, peer, value, &actions)
    case (.pairingRandom(let value), .nonce(let session, let keys, let peer, let confirm)):
      nonce(session, keys, peer, confirm, value, &actions)
    case (.pairingDHKeyCheck(let value), .check(let session, let keys)): check(session, keys, value, &actions)
    case (_, .distributing(let session, let distribution)) where command.distributesKey && isEncrypted:
      receive(command, session, distribution, &actions)
    case (.pairingRequest, _) where setting.role == .initiator, (.securityRequest, _) where setting.role == .responder,
      (.keypressNotification, _), (.unknown, _):
      refuse(.commandNotSupported, "command that this side does not take", &actions)
    // Without a pairing it is the rest of one that has just failed; an answer could end the peer's next attempt.
    case (_, .idle):
      let violation = ProtocolViolation("command without a pairing", reference: "Vol 3, Part H, 3.3")
      actions.append(.violation(violation))
    default: refuse(.unspecifiedReason, "command out of turn", &actions)
    }
  }

  /// Takes octets of a command that could not be decoded.
  mutating func handleMalformed(_ failure: DecodingFailure, _ actions: inout [Action]) {
    if case .dead = state { return }
    refuse(.invalidParameters, failure.description, &actions)
  }

  /// The link is encrypted with the key that pairing made.
  mutating func encryptionStarted(_ actions: inout [Action]) {
    guard case .encrypting(let session, let key) = state else { return }
    beginDistribution(session, key, &actions)
  }

  /// Encryption with the key that pairing made could not be started.
  mutating func encryptionFailed(_ actions: inout [Action]) {
    guard isActive else { return }
    end(.unspecifiedReason, byPeer: false, &actions)
  }

  /// No command came for 30 s (3.4).
  mutating func timeOut(_ actions: inout [Action]) {
    guard isActive else { return }
    state = .dead
    actions.append(.failed(.timeout, byPeer: false))
  }

  // MARK: Ends

  /// Sends a command and gives the peer 30 s more.
  func send(_ command: SMPCommand, _ actions: inout [Action]) {
    actions.append(.send(command))
    actions.append(.startTimer)
  }

  /// Ends pairing and tells the peer why.
  mutating func fail(_ reason: PairingFailureReason, _ actions: inout [Action]) {
    actions.append(.send(.pairingFailed(reason)))
    end(reason, byPeer: false, &actions)
  }

  private mutating func end(_ reason: PairingFailureReason, byPeer: Bool, _ actions: inout [Action]) {
    state = .idle
    actions.append(.stopTimer)
    actions.append(.failed(reason, byPeer: byPeer))
  }

  /// Answers a command that does not belong here; it ends a pairing that is going on.
  private mutating func refuse(_ reason: PairingFailureReason, _ text: String, _ actions: inout [Action]) {
    actions.append(.violation(ProtocolViolation(text, reference: "Vol 3, Part H, 3.3")))
    if isActive {
      fail(reason, &actions)
    } else {
      actions.append(.send(.pairingFailed(reason)))
    }
  }
}

extension SMPCommand {
  /// Whether it belongs to the distribution of keys (3.6).
  var distributesKey: Bool {
    switch self {
    case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
      .signingInformation:
      true
    default: false
    }
  }
}
