import HostStack
import Processor

/// Bits of the first octet of `ble_gap_sec_params_t`.
enum SecurityBit {
  static let bonding: UInt8 = 0x01
  static let protection: UInt8 = 0x02
  static let secureConnections: UInt8 = 0x04
  static let keypress: UInt8 = 0x08
  /// Where the three bits for input and output begin.
  static let capabilityShift = 4
  static let outOfBand: UInt8 = 0x80
}

/// The last octet of `ble_gap_enc_info_t`.
enum KeyBit {
  static let secureConnections: UInt8 = 0x01
  static let protection: UInt8 = 0x02
  /// Where the size of the key begins.
  static let sizeShift = 2
}

/// How pairing ended (`BLE_GAP_SEC_STATUS_…`).
enum SecurityStatus {
  static let timeout: UInt8 = 0x01
  /// Added to the reasons of the Security Manager (Core Specification Vol 3, Part H, 3.5.5).
  static let failure: UInt8 = 0x80
  static let failures: ClosedRange<UInt8> = 0x81...0x8F
}

/// Security, 0x7E to 0x87 (`ble_gap.h`; Core Specification Vol 3, Part H).
extension SoftDeviceHost {
  /// 0x7E `sd_ble_gap_authenticate`: connection, parameters. A peripheral asks the central by a Security Request.
  mutating func authenticate(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    if call.r1 != 0 { _ = try structure(call.r1, 5, call, processor) }
    guard !link.isDisconnecting else { throw .invalidState }
    guard link.pairing == nil else { throw .busy }
    ask(.secure(link.handle))
  }

  /// 0x7F `sd_ble_gap_sec_params_reply`: connection, status, parameters, where the keys go.
  mutating func replySecurityParameters(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    guard let pairing = link.pairing, pairing.answer == nil else { throw .invalidState }
    let status = UInt8(truncatingIfNeeded: call.r1)
    guard status == 0 else {
      guard SecurityStatus.failures.contains(status) else { throw .invalidParameter }
      return ask(
        .answerPairingFeatures(link.handle, .failure(PairingFailureReason(rawValue: status & ~SecurityStatus.failure))))
    }
    let parameters = try structure(call.r2, 5, call, processor)
    let answer = try pairingAnswer(parameters, pairing.request, call)
    if call.r3 != 0 {
      let stores = try structure(call.r3, 32, call, processor)
      state.link?.pairing?.keyStores = (0..<PendingPairing.keyStoreCount).map { stores.u32($0 * 4) }
    }
    state.link?.pairing?.answer = answer.features
    ask(.answerPairingFeatures(link.handle, .success(answer)))
  }

  private mutating func pairingAnswer(
    _ parameters: GuestStructure, _ request: PairingFeatures, _ call: SupervisorCall
  ) throws(ErrorNumber) -> PairingAnswer {
    let flags = parameters.u8(0)
    guard let capability = InputOutputCapability(rawValue: flags >> SecurityBit.capabilityShift & 0x07) else {
      throw .invalidParameter
    }
    let (shortest, longest) = (parameters.u8(1), parameters.u8(2))
    guard GAPNumber.keySizes.contains(longest), shortest <= longest else { throw .invalidParameter }
    var authentication: AuthenticationRequirements = flags & SecurityBit.bonding != 0 ? .bonding : []
    if flags & SecurityBit.protection != 0 {
      authentication.insert(.manInTheMiddle)
      if capability != .noInputNoOutput, request.inputOutput != .noInputNoOutput {
        note(.notModelled(call: call.number, "passkeys; pairing goes on without"))
      }
    }
    if flags & SecurityBit.secureConnections != 0, request.authentication.contains(.secureConnections) {
      note(.notModelled(call: call.number, "LE Secure Connections; legacy pairing instead"))
    }
    if flags & SecurityBit.outOfBand != 0 { note(.notModelled(call: call.number, "out-of-band data; none are used")) }
    // The keys for encryption and for the identity; a link without a bond distributes none.
    let keys: KeyDistribution = flags & SecurityBit.bonding != 0 ? [.encryption, .identity] : []
    let features = PairingFeatures(
      inputOutput: capability, authentication: authentication, maximumKeySize: longest,
      initiatorKeys: KeyDistribution(rawValue: parameters.u8(4)).intersection(keys),
      responderKeys: KeyDistribution(rawValue: parameters.u8(3)).intersection(keys))
    return PairingAnswer(features: features, minimumKeySize: max(GAPNumber.keySizes.lowerBound, shortest))
  }

  /// 0x86 `sd_ble_gap_sec_info_reply`: connection, encryption key, identity key, signing key; null for no key.
  mutating func replySecurityInformation(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    guard link.isKeyRequested else { throw .invalidState }
    var key: LongTermKey?
    if call.r1 != 0 {
      let information = try structure(call.r1, 17, call, processor)
      let flags = information.u8(16)
      let size = flags >> KeyBit.sizeShift
      guard GAPNumber.keySizes.contains(size) else { throw .invalidParameter }
      key = LongTermKey(key: information.part(0, 16), encryptedDiversifier: 0, randomNumber: 0, keySize: size)
      // Level 3 for a key that was made with protection, level 4 where it is of Secure Connections too.
      state.link?.keyLevel =
        flags & KeyBit.protection == 0 ? AccessMode.encryptedLevel : flags & KeyBit.secureConnections == 0 ? 3 : 4
    }
    state.link?.isKeyRequested = false
    ask(.answerLongTermKey(link.handle, key))
  }

  /// 0x87 `sd_ble_gap_conn_sec_get`: connection, level and size of the key.
  mutating func tellSecurity(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    try write([link.securityOctet, link.keySize], to: call.r1, call, &processor)
  }

  /// 0x80 to 0x85: passkeys, LE Secure Connections and what only a central does.
  mutating func refuseSecurity(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    _ = try link(call)
    note(.notModelled(call: call.number, "answered 6"))
    throw .notSupported
  }
}

extension PeerLink {
  /// Mode 1 and the level above it (`ble_gap_conn_sec_mode_t`).
  var securityOctet: UInt8 { AccessMode(mode: 1, level: securityLevel).octet }
}
