import CCrypto

/// The encryption of one LE link: the session key and initialization vector of an encryption start, and AES-CCM over
/// the payloads of its data channel PDUs (Core Specification Vol 6, Part B, 5.1.3.1 and Part E, 2).
///
/// The packet counters are the caller's: one for each direction, beginning at 0, counting every encrypted PDU once
/// however often it is retransmitted.
package struct LinkEncryption: Hashable, Sendable {
  /// The sender of a PDU; one bit of the nonce.
  package enum Direction: UInt8, Hashable, Sendable {
    /// The peripheral sent it.
    case peripheralToCentral = 0
    /// The central sent it.
    case centralToPeripheral = 1
  }

  /// Octets of the message integrity check that follows an encrypted payload.
  package static let messageIntegrityCheckLength = 4
  /// First packet counter that a link may not use any more.
  package static let packetCounterLimit: UInt64 = 1 << 39
  private static let payloadLimit = 251
  /// Leaves out NESN, SN and MD, which a retransmission may change.
  private static let headerMask: UInt8 = 0b1110_0011

  /// The session key `SK`.
  package let sessionKey: Key128
  /// The initialization vector `IV` as a number: the central's half in the lower 32 bits.
  package let initializationVector: UInt64

  /// Takes a session key and an initialization vector as they are.
  package init(sessionKey: Key128, initializationVector: UInt64) {
    self.sessionKey = sessionKey
    self.initializationVector = initializationVector
  }

  /// Derives the session key from the long-term key and both sides' diversifiers and vectors. All are numbers: the
  /// fields of LL_ENC_REQ and LL_ENC_RSP read least significant octet first.
  package init(
    longTermKey: Key128, centralDiversifier: UInt64, peripheralDiversifier: UInt64, centralVector: UInt32,
    peripheralVector: UInt32
  ) {
    let diversifier = UInt128(peripheralDiversifier) << 64 | UInt128(centralDiversifier)
    sessionKey = Key128(AES128.encrypt(diversifier, key: longTermKey))
    initializationVector = UInt64(peripheralVector) << 32 | UInt64(centralVector)
  }

  /// The encrypted payload followed by its message integrity check.
  ///
  /// `payload` has 1 to 251 octets in the order they are sent (a PDU of length 0 is never encrypted); `header` is
  /// the first octet of the PDU; `counter` is below 2³⁹. Traps outside these ranges.
  package func seal(_ payload: [UInt8], header: UInt8, counter: UInt64, direction: Direction) -> [UInt8] {
    precondition((1...Self.payloadLimit).contains(payload.count), "a sealed payload has 1 to 251 octets")
    let context = prepared(header: header, counter: counter, direction: direction, payload.count, seal: true, nil)
    defer { EVP_CIPHER_CTX_free(context) }
    let total = payload.count + Self.messageIntegrityCheckLength
    return [UInt8](unsafeUninitializedCapacity: total) { output, count in
      var written: Int32 = 0
      must(
        EVP_EncryptUpdate(context, output.baseAddress, &written, payload, Int32(payload.count)), "EVP_EncryptUpdate")
      let check = output.baseAddress?.advanced(by: payload.count)
      let length = Int32(Self.messageIntegrityCheckLength)
      must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, length, check), "EVP_CTRL_AEAD_GET_TAG")
      count = total
    }
  }

  /// The payload of a PDU whose integrity check matches.
  ///
  /// `sealed` is what came after the header, in the order received; the other parameters are as for `seal`. Throws
  /// `messageIntegrity` when anything does not match, also when `sealed` is too short or too long to have been sealed.
  package func open(
    _ sealed: [UInt8], header: UInt8, counter: UInt64, direction: Direction
  ) throws(CryptoFailure) -> [UInt8] {
    let length = sealed.count - Self.messageIntegrityCheckLength
    guard (1...Self.payloadLimit).contains(length) else { throw .messageIntegrity }
    let check = Array(sealed[length...])
    let context = prepared(header: header, counter: counter, direction: direction, length, seal: false, check)
    defer { EVP_CIPHER_CTX_free(context) }
    var payload = [UInt8](repeating: 0, count: length)
    var written: Int32 = 0
    guard EVP_DecryptUpdate(context, &payload, &written, sealed, Int32(length)) == 1 else { throw .messageIntegrity }
    return payload
  }

  /// The nonce: 39 bits of counter, the direction, then the vector, each least significant octet first
  /// (Vol 6, Part E, 2.1).
  private func nonce(_ counter: UInt64, _ direction: Direction) -> [UInt8] {
    precondition(counter < Self.packetCounterLimit, "the packet counter has 39 bits")
    let head = counter | UInt64(direction.rawValue) << 39
    return (0..<5).map { UInt8(truncatingIfNeeded: head >> ($0 * 8)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: initializationVector >> ($0 * 8)) }
  }

  /// A context to which key, nonce, length and the masked header octet have been given.
  private func prepared(
    header: UInt8, counter: UInt64, direction: Direction, _ length: Int, seal: Bool, _ check: [UInt8]?
  ) -> OpaquePointer {
    let context = must(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
    let sealing: Int32 = seal ? 1 : 0
    must(EVP_CipherInit_ex2(context, Algorithms.aes128CCM, nil, nil, sealing, nil), "EVP_CipherInit_ex2")
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 13, nil), "EVP_CTRL_AEAD_SET_IVLEN")
    // Its length is set in either direction; its content only when there is one to compare with.
    var expected = check ?? []
    let checkLength = Int32(Self.messageIntegrityCheckLength)
    expected.withUnsafeMutableBytes { octets in
      let value = check == nil ? nil : octets.baseAddress
      must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, checkLength, value), "EVP_CTRL_AEAD_SET_TAG")
    }
    let key = sessionKey.bigEndian
    must(EVP_CipherInit_ex2(context, nil, key, nonce(counter, direction), sealing, nil), "EVP_CipherInit_ex2")
    var written: Int32 = 0
    must(EVP_CipherUpdate(context, nil, &written, nil, Int32(length)), "the length of a CCM message")
    must(EVP_CipherUpdate(context, nil, &written, [header & Self.headerMask], 1), "the additional data of CCM")
    return context
  }
}
