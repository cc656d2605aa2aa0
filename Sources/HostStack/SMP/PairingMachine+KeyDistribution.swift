import Bytes
import Crypto
import Packets

/// Distribution of keys over the encrypted link (Core Specification Vol 3, Part H, 2.4.3 and 3.6.1).
extension PairingMachine {
  /// How far the distribution is.
  struct Distribution: Sendable {
    /// Kinds of keys the peer still owes.
    var owed: KeyDistribution
    /// Whether this side has sent its keys.
    var hasSent = false
    /// The key of Secure Connections, which both sides have.
    var sharedKey: LongTermKey?
    /// The peer's long-term key, until its EDIV and Rand come.
    var unnamedKey: UInt128?
    var peerKey: LongTermKey?
    var peerIdentityResolvingKey: UInt128?
    var peerIdentity: BluetoothAddress?
  }

  /// The link is encrypted: the responder sends its keys at once, the initiator when it has the responder's.
  mutating func beginDistribution(_ session: Session, _ key: Key128, _ actions: inout [Action]) {
    let agreement = session.agreement
    let owed = setting.role == .initiator ? agreement.responderKeys : agreement.initiatorKeys
    var distribution = Distribution(owed: owed)
    if agreement.isSecure {
      distribution.sharedKey = LongTermKey(
        key: key.littleEndian, encryptedDiversifier: 0, randomNumber: 0, keySize: agreement.keySize)
    }
    proceed(session, distribution, &actions)
  }

  /// A key of the peer came; they come in the order of 3.6.1.
  mutating func receive(
    _ command: SMPCommand, _ session: Session, _ before: Distribution, _ actions: inout [Action]
  ) {
    var distribution = before
    let owed = distribution.owed
    switch command {
    case .encryptionInformation(let key) where owed.contains(.encryption) && distribution.unnamedKey == nil:
      distribution.unnamedKey = key
    case .centralIdentification(let encryptedDiversifier, let randomNumber) where owed.contains(.encryption):
      guard let key = distribution.unnamedKey else { return fail(.unspecifiedReason, &actions) }
      distribution.peerKey = LongTermKey(
        key: key.littleEndianOctets, encryptedDiversifier: encryptedDiversifier, randomNumber: randomNumber,
        keySize: session.agreement.keySize)
      distribution.owed.remove(.encryption)
    case .identityInformation(let key)
    where owed.contains(.identity) && !owed.contains(.encryption) && distribution.peerIdentityResolvingKey == nil:
      distribution.peerIdentityResolvingKey = key
    case .identityAddressInformation(let address) where owed.contains(.identity):
      // An identity address is public, or random and static (Vol 3, Part H, 3.6.5).
      guard distribution.peerIdentityResolvingKey != nil, address.canBeIdentity else {
        return fail(.unspecifiedReason, &actions)
      }
      distribution.peerIdentity = address
      distribution.owed.remove(.identity)
    case .signingInformation where owed == .signing: distribution.owed.remove(.signing)
    default: return fail(.unspecifiedReason, &actions)
    }
    actions.append(.startTimer)
    proceed(session, distribution, &actions)
  }

  /// Sends this side's keys when it is its turn, and completes when both sides sent theirs.
  private mutating func proceed(_ session: Session, _ before: Distribution, _ actions: inout [Action]) {
    var distribution = before
    if !distribution.hasSent, setting.role == .responder || distribution.owed.isEmpty {
      distribution.hasSent = true
      sendKeys(session, &actions)
    }
    guard distribution.hasSent, distribution.owed.isEmpty else {
      state = .distributing(session, distribution)
      return
    }
    state = .idle
    actions.append(.stopTimer)
    actions.append(.paired(result(session, distribution)))
  }

  private func sendKeys(_ session: Session, _ actions: inout [Action]) {
    let agreement = session.agreement
    let keys = setting.role == .initiator ? agreement.initiatorKeys : agreement.responderKeys
    if keys.contains(.encryption), let key = session.ownLongTermKey {
      send(.encryptionInformation(UInt128(littleEndianOctets: key.key)), &actions)
      let name = SMPCommand.centralIdentification(
        encryptedDiversifier: key.encryptedDiversifier, randomNumber: key.randomNumber)
      send(name, &actions)
    }
    if keys.contains(.identity), let key = session.ownIdentityResolvingKey {
      send(.identityInformation(key.value), &actions)
      send(.identityAddressInformation(setting.identityAddress), &actions)
    }
  }

  private func result(_ session: Session, _ distribution: Distribution) -> PairingResult {
    PairingResult(
      bonds: session.agreement.bonds, isSecure: session.agreement.isSecure, keySize: session.agreement.keySize,
      localKey: distribution.sharedKey ?? session.ownLongTermKey,
      peerKey: distribution.sharedKey ?? distribution.peerKey,
      peerIdentityResolvingKey: distribution.peerIdentityResolvingKey?.littleEndianOctets,
      peerIdentity: distribution.peerIdentity)
  }
}
