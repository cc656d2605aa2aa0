import Bytes
import Crypto
import Packets

/// Listens to one connection's pairing, and finds its keys where a listener can (Core Specification Vol 3, Part H, 2.3.5.5).
///
/// In LE legacy pairing with Just Works the temporary key is 0, so the short-term key follows from two numbers that are sent
/// in clear. What is distributed under it is read with it. LE Secure Connections agrees on a secret that is never sent.
/// Passkeys are not tried, because a recorder has neither display nor keyboard. Nor is the specification's debug key pair
/// (2.3.5.6.1), with which anybody could find the secret: every pairing with public keys counts as secure.
struct PairingListener {
  /// What a listener learnt.
  enum Discovery {
    /// The key that encrypts the link until the end of the pairing.
    case shortTermKey(Key128)
    /// A key for later links, and the numbers that name it.
    case longTermKey(Key128, encryptedDiversifier: UInt16, randomNumber: UInt64)
    /// The pairing keeps its keys from listeners.
    case isSecure
  }

  /// Octets of a Pairing Request or Response with its code.
  private static let featuresLength = 7

  private let initiator: BluetoothAddress
  private let responder: BluetoothAddress
  private var request: [UInt8] = []
  private var response: [UInt8] = []
  private var confirmation: UInt128?
  private var initiatorRandom: UInt128?
  /// The long-term key that waits for its name, by who sent it: the responder first.
  private var unnamed: [Key128?] = [nil, nil]

  init(initiator: BluetoothAddress, responder: BluetoothAddress) {
    self.initiator = initiator
    self.responder = responder
  }

  /// Takes the next command of the Security Manager.
  mutating func hear(_ octets: [UInt8], isFromInitiator: Bool) -> Discovery? {
    guard let command = try? SMPCommand(decoding: octets) else { return nil }
    switch command {
    case .pairingRequest:
      request = octets
      (response, confirmation, initiatorRandom) = ([], nil, nil)
    case .pairingResponse: response = octets
    case .pairingPublicKey: return isFromInitiator ? .isSecure : nil
    case .pairingConfirm(let value) where isFromInitiator: confirmation = value
    case .pairingRandom(let value) where isFromInitiator: initiatorRandom = value
    case .pairingRandom(let value): return shortTermKey(responderRandom: value)
    case .encryptionInformation(let key): unnamed[isFromInitiator ? 1 : 0] = Key128(key)
    case .centralIdentification(let encryptedDiversifier, let randomNumber):
      guard let key = unnamed[isFromInitiator ? 1 : 0] else { return nil }
      unnamed[isFromInitiator ? 1 : 0] = nil
      return .longTermKey(key, encryptedDiversifier: encryptedDiversifier, randomNumber: randomNumber)
    default: break
    }
    return nil
  }

  /// The short-term key, if the confirm value shows that the temporary key is 0.
  private func shortTermKey(responderRandom: UInt128) -> Discovery? {
    guard let initiatorRandom, let confirmation, request.count == Self.featuresLength,
      response.count == Self.featuresLength
    else { return nil }
    let temporary = Key128(0)
    let expected = PairingToolbox.c1(
      key: temporary, random: initiatorRandom, request: request, response: response, initiator: initiator,
      responder: responder)
    guard expected == confirmation else { return .isSecure }
    let size = min(request[4], response[4])
    guard (7...16).contains(size) else { return nil }
    let key = PairingToolbox.s1(key: temporary, r1: responderRandom, r2: initiatorRandom)
    return .shortTermKey(key.masked(toSize: Int(size)))
  }
}
