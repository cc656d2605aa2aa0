import Bytes
import Packets

/// What the features of both sides lead to (Core Specification Vol 3, Part H, 2.3.5.1 and 3.6.1).
///
/// This house shows no numbers and takes none, so the method is always Just Works: legacy, or numeric comparison
/// without a person under Secure Connections.
struct PairingAgreement: Hashable, Sendable {
  /// The initiator's features.
  var request: PairingFeatures
  /// The responder's features.
  var response: PairingFeatures

  /// Whether both offer LE Secure Connections.
  var isSecure: Bool {
    request.authentication.contains(.secureConnections) && response.authentication.contains(.secureConnections)
  }
  /// Whether both want to keep the keys.
  var bonds: Bool { request.authentication.contains(.bonding) && response.authentication.contains(.bonding) }
  /// The shorter of both longest keys, in octets.
  var keySize: UInt8 { min(request.maximumKeySize, response.maximumKeySize) }
  /// Keys the initiator distributes.
  var initiatorKeys: KeyDistribution { distributed(response.initiatorKeys) }
  /// Keys the responder distributes.
  var responderKeys: KeyDistribution { distributed(response.responderKeys) }

  /// Under Secure Connections both sides have made the long-term key already.
  private func distributed(_ keys: KeyDistribution) -> KeyDistribution {
    isSecure ? keys.subtracting([.encryption, .link]) : keys.subtracting(.link)
  }

  /// The request's seven octets as sent, for `c1`.
  var requestOctets: [UInt8] { SMPCommand.pairingRequest(request).encoded }
  /// The response's seven octets as sent, for `c1`.
  var responseOctets: [UInt8] { SMPCommand.pairingResponse(response).encoded }

  /// Why this side cannot continue with these features, or `nil`.
  func refusal(_ parameters: SecurityParameters) -> PairingFailureReason? {
    for size in [request.maximumKeySize, response.maximumKeySize] where !(7...16).contains(size) {
      return .invalidParameters
    }
    guard response.initiatorKeys.isSubset(of: request.initiatorKeys),
      response.responderKeys.isSubset(of: request.responderKeys)
    else { return .invalidParameters }
    if parameters.secureConnectionsOnly, !isSecure { return .authenticationRequirements }
    if keySize < parameters.minimumKeySize { return .encryptionKeySize }
    // One side's data is enough to choose the method under Secure Connections, both are needed in legacy pairing;
    // this side has none.
    if isSecure, request.hasOutOfBandData || response.hasOutOfBandData { return .outOfBandNotAvailable }
    return nil
  }
}

/// What pairing made.
struct PairingResult: Sendable {
  /// Whether the keys are to be kept.
  var bonds: Bool
  /// Whether LE Secure Connections made them.
  var isSecure: Bool
  /// Octets of the key in use.
  var keySize: UInt8
  /// The key this side distributed, or the one both made.
  var localKey: LongTermKey?
  /// The key the peer distributed, or the one both made.
  var peerKey: LongTermKey?
  /// The peer's identity resolving key, least significant octet first.
  var peerIdentityResolvingKey: [UInt8]?
  /// The peer's identity address.
  var peerIdentity: BluetoothAddress?
}
