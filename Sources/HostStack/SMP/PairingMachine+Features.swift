import Bytes
import Crypto
import Packets

/// Exchange of features, and the chance that the chosen method needs (Core Specification Vol 3, Part H, 2.3.5.1).
extension PairingMachine {
  /// Octets of chance as they arrive; `nil` is still to come.
  struct Chance: Sendable {
    /// What is needed, in the order it is fetched.
    var needs: [EntropyRequest.Purpose]
    /// What has come, in the same order.
    var octets: [[UInt8]] = []
  }

  /// What this side says of itself.
  func ownFeatures() -> PairingFeatures {
    var authentication: AuthenticationRequirements = []
    if setting.parameters.bonding { authentication.insert(.bonding) }
    if setting.parameters.secureConnections { authentication.insert(.secureConnections) }
    let keys: KeyDistribution = setting.parameters.bonding ? [.encryption, .identity] : []
    return PairingFeatures(
      inputOutput: .noInputNoOutput, authentication: authentication,
      maximumKeySize: setting.parameters.maximumKeySize, initiatorKeys: keys, responderKeys: keys)
  }

  /// A Pairing Request came.
  mutating func request(_ features: PairingFeatures, isBonded: Bool, _ actions: inout [Action]) {
    if isBlocked { return fail(.repeatedAttempts, &actions) }
    switch setting.policy {
    case .accept: accept(features, ownFeatures(), &actions)
    case .acceptUnlessBonded where isBonded: fail(.pairingNotSupported, &actions)
    case .acceptUnlessBonded: accept(features, ownFeatures(), &actions)
    case .refuse: fail(.pairingNotSupported, &actions)
    case .ask:
      state = .awaitingApproval(features)
      actions.append(.startTimer)
      actions.append(.askApproval(keepsKeys: features.authentication.contains(.bonding)))
    case .negotiate:
      state = .awaitingApproval(features)
      actions.append(.startTimer)
      actions.append(.askFeatures(features))
    }
  }

  /// The application decided about a Pairing Request and how to answer it.
  mutating func answerNegotiation(
    _ answer: Result<PairingAnswer, PairingFailureReason>, _ actions: inout [Action]
  ) {
    guard case .awaitingApproval(let request) = state else { return }
    switch answer {
    case .success(let own):
      setting.parameters.minimumKeySize = own.minimumKeySize
      accept(request, own.features, &actions)
    case .failure(let reason): fail(reason, &actions)
    }
  }

  /// The application decided about a Pairing Request.
  mutating func answerApproval(_ isAccepted: Bool, _ actions: inout [Action]) {
    guard case .awaitingApproval(let features) = state else { return }
    if isAccepted {
      accept(features, ownFeatures(), &actions)
    } else {
      fail(.pairingNotSupported, &actions)
    }
  }

  private mutating func accept(
    _ request: PairingFeatures, _ own: PairingFeatures, _ actions: inout [Action]
  ) {
    var response = own
    response.initiatorKeys.formIntersection(request.initiatorKeys)
    response.responderKeys.formIntersection(request.responderKeys)
    if !request.authentication.contains(.bonding) {
      response.initiatorKeys = []
      response.responderKeys = []
    }
    agree(PairingAgreement(request: request, response: response), &actions)
  }

  /// A Pairing Response came.
  mutating func respond(_ request: PairingFeatures, _ response: PairingFeatures, _ actions: inout [Action]) {
    agree(PairingAgreement(request: request, response: response), &actions)
  }

  private mutating func agree(_ agreement: PairingAgreement, _ actions: inout [Action]) {
    if let reason = agreement.refusal(setting.parameters) { return fail(reason, &actions) }
    var needs: [EntropyRequest.Purpose] = agreement.isSecure ? [.p256PrivateKey, .pairingNonce] : [.pairingRandom]
    let ownKeys = setting.role == .initiator ? agreement.initiatorKeys : agreement.responderKeys
    if ownKeys.contains(.encryption) { needs.append(.longTermKey) }
    if ownKeys.contains(.identity), identityResolvingKey == nil { needs.append(.identityResolvingKey) }
    state = .drawing(agreement, Chance(needs: needs))
    actions.append(.startTimer)
    actions.append(.draw(needs[0], count: needs[0].octetCount))
  }

  /// Chance came; when all is there the method begins.
  mutating func provide(_ octets: [UInt8], _ actions: inout [Action]) {
    guard case .drawing(let agreement, var chance) = state else { return }
    let purpose = chance.needs[chance.octets.count]
    let isUsable = purpose != .p256PrivateKey || (try? P256PrivateKey(scalar: octets)) != nil
    if isUsable { chance.octets.append(octets) }
    state = .drawing(agreement, chance)
    guard chance.octets.count == chance.needs.count else {
      let next = chance.needs[chance.octets.count]
      return actions.append(.draw(next, count: next.octetCount))
    }
    begin(agreement, chance, &actions)
  }

  private mutating func begin(_ agreement: PairingAgreement, _ chance: Chance, _ actions: inout [Action]) {
    if let octets = chance[.identityResolvingKey] {
      let key = Key128(littleEndian: octets)
      identityResolvingKey = key
      actions.append(.identityDrawn(key))
    }
    let session = Session(
      agreement: agreement,
      ownLongTermKey: chance[.longTermKey].map { LongTermKey(drawn: $0, keySize: agreement.keySize) },
      ownIdentityResolvingKey: identityResolvingKey)
    if let octets = chance[.pairingRandom] {
      let random = UInt128(littleEndianOctets: octets)
      state = .legacyConfirm(session, random: random)
      if setting.role == .initiator {
        send(.pairingConfirm(legacyConfirmValue(agreement, random)), &actions)
      }
    } else if let scalar = chance[.p256PrivateKey], let privateKey = try? P256PrivateKey(scalar: scalar),
      let nonce = chance[.pairingNonce]
    {
      let keys = OwnKeys(privateKey: privateKey, nonce: UInt128(littleEndianOctets: nonce))
      state = .publicKey(session, keys)
      if setting.role == .initiator { send(.pairingPublicKey(privateKey.publicKey.littleEndian), &actions) }
    }
    if setting.role == .responder { send(.pairingResponse(agreement.response), &actions) }
  }
}

extension PairingMachine.Chance {
  /// The octets drawn for a purpose.
  fileprivate subscript(_ purpose: EntropyRequest.Purpose) -> [UInt8]? {
    needs.firstIndex(of: purpose).map { octets[$0] }
  }
}

extension EntropyRequest.Purpose {
  /// Octets that pairing draws for this purpose.
  fileprivate var octetCount: Int {
    switch self {
    case .p256PrivateKey: 32
    // A key of 16 octets, its EDIV of 2 and its Rand of 8.
    case .longTermKey: 26
    default: 16
    }
  }
}

extension LongTermKey {
  /// Makes a key to be distributed from 26 octets of chance.
  fileprivate init(drawn octets: [UInt8], keySize: UInt8) {
    let random = octets[18...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self.init(
      key: Key128(littleEndian: Array(octets.prefix(16))).masked(toSize: Int(keySize)).littleEndian,
      encryptedDiversifier: UInt16(octets[16]) | UInt16(octets[17]) << 8,
      // Zero for both would name a key of Secure Connections.
      randomNumber: random == 0 ? 1 : random, keySize: keySize)
  }
}
