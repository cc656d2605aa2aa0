import Bytes
import Crypto
import HCI
import Packets

/// Encryption, pairing and bonds of each link (Core Specification Vol 3, Part C, 10 and Part H, 2.4).
extension HostMachine {
  /// Makes a link secure: as central by the bond's key, else by pairing; as peripheral by asking the central.
  mutating func secure(_ index: Int, _ effects: inout Effects) {
    let link = links[index]
    guard link.security.attempt == nil, !link.pairing.isActive else { return }
    if link.security.isEncrypted, link.security.keySize >= configuration.security.minimumKeySize {
      return effects.append(.event(secured(index)))
    }
    guard link.isCentral else { return pair(index, &effects) { $0.requestSecurity(&$1) } }
    if !encryptFromBond(index, &effects) { pair(index, &effects) { $0.start(&$1) } }
  }

  /// Starts encryption with the key the peer gave with its bond; `false` where there is none that is long enough.
  private mutating func encryptFromBond(_ index: Int, _ effects: inout Effects) -> Bool {
    guard let bond = bonds[links[index].identity], let key = bond.peerKey,
      key.keySize >= configuration.security.minimumKeySize
    else { return false }
    let parameters = LEEnableEncryption(
      links[index].handle, randomNumber: key.randomNumber, encryptedDiversifier: key.encryptedDiversifier,
      longTermKey: LEKeyOctets(key.key))
    expectEncryption(Link.Attempt(identity: bond.identity, keySize: key.keySize), index, &effects)
    send(.leEnableEncryption(parameters), &effects)
    return true
  }

  /// As peripheral: the central starts encryption with the key of this name (2.4.4.1).
  mutating func provideKey(
    _ index: Int, _ encryptedDiversifier: UInt16, _ randomNumber: UInt64, _ effects: inout Effects
  ) {
    let link = links[index]
    if let key = link.pairing.pendingKey, encryptedDiversifier == 0, randomNumber == 0 {
      expectEncryption(Link.Attempt(identity: nil, keySize: link.pairing.pendingKeySize), index, &effects)
      return send(.leLongTermKeyRequestReply(link.handle, LEKeyOctets(key.littleEndian)), &effects)
    }
    if configuration.keyPolicy == .ask {
      links[index].awaitsKey = true
      return effects.append(
        .event(
          .longTermKeyRequested(
            link.handle, encryptedDiversifier: encryptedDiversifier, randomNumber: randomNumber)))
    }
    let bond = bonds.bond(
      encryptedDiversifier: encryptedDiversifier, randomNumber: randomNumber, preferring: link.identity)
    guard let bond, let key = bond.localKey, key.keySize >= configuration.security.minimumKeySize else {
      send(.leLongTermKeyRequestNegativeReply(link.handle), &effects)
      return effects.append(.event(.securityFailed(link.handle, .pinOrKeyMissing)))
    }
    expectEncryption(Link.Attempt(identity: bond.identity, keySize: key.keySize), index, &effects)
    send(.leLongTermKeyRequestReply(link.handle, LEKeyOctets(key.key)), &effects)
  }

  /// The application answers for the key that the central named.
  mutating func answerKey(_ index: Int, _ key: LongTermKey?, _ effects: inout Effects) {
    guard links[index].awaitsKey else { return }
    links[index].awaitsKey = false
    let handle = links[index].handle
    guard let key, key.key.count == 16, key.keySize >= configuration.security.minimumKeySize else {
      send(.leLongTermKeyRequestNegativeReply(handle), &effects)
      return effects.append(.event(.securityFailed(handle, .pinOrKeyMissing)))
    }
    expectEncryption(Link.Attempt(identity: nil, keySize: key.keySize), index, &effects)
    send(.leLongTermKeyRequestReply(handle, LEKeyOctets(key.key)), &effects)
  }

  /// Encryption_Change or Encryption_Key_Refresh_Complete.
  mutating func encryptionChanged(
    _ index: Int, _ status: ErrorCode, _ isEncrypted: Bool, _ effects: inout Effects
  ) {
    guard status == .success else { return encryptionFailed(index, status, &effects) }
    let attempt = links[index].security.attempt
    stop(.encryption, index, &effects)
    links[index].security.attempt = nil
    links[index].security.isEncrypted = isEncrypted
    guard isEncrypted else { return }
    links[index].security.keySize = attempt?.keySize ?? 16
    if links[index].pairing.pendingKey != nil {
      if configuration.pairingPolicy == .negotiate {
        let keySize = links[index].security.keySize
        effects.append(.event(.encryptedByPairing(links[index].handle, keySize: keySize)))
      }
      pair(index, &effects) { $0.encryptionStarted(&$1) }
      return takeEarlyKeys(index, &effects)
    }
    if let identity = attempt?.identity {
      links[index].identity = identity
      links[index].security.identity = identity
      restoreSubscriptions(index, &effects)
    }
    effects.append(.event(secured(index)))
  }

  /// Encryption could not be started; the link stays as it was.
  mutating func encryptionFailed(_ index: Int, _ status: ErrorCode, _ effects: inout Effects) {
    stop(.encryption, index, &effects)
    links[index].security.attempt = nil
    links[index].security.earlyKeys = []
    if links[index].pairing.isActive { return pair(index, &effects) { $0.encryptionFailed(&$1) } }
    effects.append(.event(.securityFailed(links[index].handle, status)))
  }

  private func secured(_ index: Int) -> HostEvent {
    .secured(
      links[index].handle, identity: links[index].security.identity, keySize: links[index].security.keySize)
  }

  // MARK: Pairing

  /// Takes a command of the Security Manager.
  mutating func receiveSecurityCommand(_ octets: [UInt8], _ index: Int, _ effects: inout Effects) {
    let distributesKey = (try? SMPCommand(decoding: octets))?.distributesKey == true
    if distributesKey, keepEarlyKey(octets, index, &effects) { return }
    takeSecurityCommand(octets, index, &effects)
  }

  /// Takes a command whose turn it is.
  mutating func takeSecurityCommand(_ octets: [UInt8], _ index: Int, _ effects: inout Effects) {
    let isBonded = bonds[links[index].peer] != nil
    let isEncrypted = links[index].security.isEncrypted
    do throws(DecodingFailure) {
      let command = try SMPCommand(decoding: octets)
      if case .securityRequest = command, links[index].isCentral { return securityRequested(index, &effects) }
      pair(index, &effects) { $0.handle(command, isBonded: isBonded, isEncrypted: isEncrypted, &$1) }
    } catch {
      pair(index, &effects) { $0.handleMalformed(error, &$1) }
    }
  }

  /// The peripheral asks for security: with a bond the link is encrypted, else the application decides (2.4.6).
  private mutating func securityRequested(_ index: Int, _ effects: inout Effects) {
    let link = links[index]
    guard link.security.attempt == nil, !link.pairing.isActive, !link.security.isEncrypted else { return }
    effects.append(.event(.securityRequested(link.handle)))
    _ = encryptFromBond(index, &effects)
  }

  /// Lets the pairing of a link do something, and does what it wants.
  mutating func pair(
    _ index: Int, _ effects: inout Effects, _ change: (inout PairingMachine, inout [PairingMachine.Action]) -> Void
  ) {
    var actions: [PairingMachine.Action] = []
    change(&links[index].pairing, &actions)
    let handle = links[index].handle
    for action in actions {
      switch action {
      case .send(let command): send(command.encoded, on: .securityManager, index, &effects)
      case .startTimer: start(.pairing, index, &effects)
      case .stopTimer: stop(.pairing, index, &effects)
      case .draw(let purpose, let count):
        let token = tokens.next()
        links[index].drawToken = token
        effects.append(.needEntropy(EntropyRequest(purpose, count: count, token: token)))
      case .askApproval(let keepsKeys):
        let isBonded = bonds[links[index].identity] != nil
        effects.append(.event(.pairingRequested(handle, bonded: isBonded, keepsKeys: keepsKeys)))
      case .askFeatures(let features): effects.append(.event(.pairingFeaturesRequested(handle, features)))
      case .encrypt(let key): encrypt(index, key, &effects)
      case .identityDrawn(let key):
        identityResolvingKey = key
        for place in links.indices { links[place].pairing.identityResolvingKey = key }
      case .paired(let result): paired(index, result, &effects)
      case .failed(let reason, let byPeer):
        effects.append(.event(.pairingFailed(handle, reason, byPeer: byPeer)))
        if configuration.security.limitsRepeatedAttempts { block(index, &effects) }
      case .violation(let violation): report(violation, index, &effects)
      }
    }
  }

  private mutating func encrypt(_ index: Int, _ key: Key128, _ effects: inout Effects) {
    let parameters = LEEnableEncryption(
      links[index].handle, randomNumber: 0, encryptedDiversifier: 0, longTermKey: LEKeyOctets(key.littleEndian))
    let size = links[index].pairing.pendingKeySize
    expectEncryption(Link.Attempt(identity: nil, keySize: size), index, &effects)
    send(.leEnableEncryption(parameters), &effects)
  }

  /// Takes no new attempt for a while that doubles with every failure, up to about a minute (2.3.6).
  private mutating func block(_ index: Int, _ effects: inout Effects) {
    links[index].pairing.isBlocked = true
    let doublings = min(links[index].pairingFailures, 6)
    links[index].pairingFailures += 1
    start(.repeatedAttempts, index, times: 1 << doublings, &effects)
  }

  private mutating func paired(_ index: Int, _ result: PairingResult, _ effects: inout Effects) {
    let handle = links[index].handle
    links[index].pairingFailures = 0
    if result.bonds {
      let identity = result.peerIdentity ?? links[index].peer
      var bond = Bond(
        identity: identity, localKey: result.localKey, peerKey: result.peerKey,
        peerIdentityResolvingKey: result.peerIdentityResolvingKey, secureConnections: result.isSecure)
      bond.subscriptions = links[index].server.storedSubscriptions(table)
      if configuration.keyPolicy == .bonds {
        bonds.insert(bond)
        links[index].identity = identity
        links[index].security.identity = identity
      }
      effects.append(.event(.bondCreated(handle, bond)))
    }
    effects.append(.event(secured(index)))
  }

  // MARK: Subscriptions of bonded clients

  /// Keeps what a bonded client has subscribed to, once its key has shown that it is the one.
  mutating func storeSubscriptions(_ index: Int, _ effects: inout Effects) {
    guard links[index].security.isEncrypted, let identity = links[index].security.identity,
      var bond = bonds[identity]
    else { return }
    let subscriptions = links[index].server.storedSubscriptions(table)
    guard subscriptions != bond.subscriptions else { return }
    bond.subscriptions = subscriptions
    bonds.insert(bond)
    effects.append(.event(.bondUpdated(bond)))
  }

  /// Gives a bonded client its subscriptions back.
  private mutating func restoreSubscriptions(_ index: Int, _ effects: inout Effects) {
    guard let bond = bonds[links[index].identity] else { return }
    var actions: [AttributeServer.Action] = []
    links[index].server.restore(bond.subscriptions, table, &actions)
    perform(actions, index, &effects)
    storeSubscriptions(index, &effects)
  }
}
