import CCrypto

/// Signatures with P-256 and SHA-256 (FIPS 186-4, 6), in the raw form of 64 octets: `r`, then `s`, each most
/// significant octet first.
package enum ECDSA {
  /// Octets of a signature.
  package static let signatureLength = 64

  /// Whether `signature` is one of `message` under `publicKey`; false also when it has not 64 octets.
  package static func isValid(_ signature: [UInt8], for message: [UInt8], publicKey: P256PublicKey) -> Bool {
    guard signature.count == signatureLength, let encoded = sequence(of: signature) else { return false }
    return EvaluationKey(publicKey, scalar: nil).isValid(encoded, for: message)
  }

  /// A signature of `message`. Its one-time number is libcrypto's own, so two signatures of one message differ.
  package static func sign(_ message: [UInt8], with key: P256PrivateKey) -> [UInt8] {
    let sequence = EvaluationKey(key.publicKey, scalar: key.scalar).sign(message)
    return must(signature(ofSequence: sequence), "a signature that it made")
  }

  /// A signature as an ASN.1 sequence of `r` and `s` (RFC 3279, 2.2.3), the form of openssl and of signed envelopes; `nil`
  /// where `r` or `s` cannot be one. Traps unless the signature has 64 octets.
  package static func sequence(of signature: [UInt8]) -> [UInt8]? {
    precondition(signature.count == signatureLength, "a signature has 64 octets")
    let structure = must(ECDSA_SIG_new(), "ECDSA_SIG_new")
    defer { ECDSA_SIG_free(structure) }
    let r = BN_bin2bn(Array(signature[..<32]), 32, nil)
    let s = BN_bin2bn(Array(signature[32...]), 32, nil)
    must(ECDSA_SIG_set0(structure, r, s), "ECDSA_SIG_set0")
    let length = Int(i2d_ECDSA_SIG(structure, nil))
    guard length > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var cursor = buffer.baseAddress
      count = Int(i2d_ECDSA_SIG(structure, &cursor))
    }
  }

  /// Reads what ``sequence(of:)`` writes; `nil` for anything else, also for a sequence that another one spells shorter.
  package static func signature(ofSequence encoded: [UInt8]) -> [UInt8]? {
    let signature: [UInt8]? = encoded.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let structure = d2i_ECDSA_SIG(nil, &cursor, buffer.count) else {
        ERR_clear_error()
        return nil
      }
      defer { ECDSA_SIG_free(structure) }
      let (r, s) = (ECDSA_SIG_get0_r(structure), ECDSA_SIG_get0_s(structure))
      guard [r, s].allSatisfy({ BN_is_negative($0) == 0 && BN_num_bits($0) <= 256 }) else { return nil }
      return P256.Number.octets(r) + P256.Number.octets(s)
    }
    guard let signature, sequence(of: signature) == encoded else { return nil }
    return signature
  }
}

/// A key in the form that libcrypto's signature functions take.
private struct EvaluationKey: ~Copyable {
  private let pointer: OpaquePointer

  init(_ publicKey: P256PublicKey, scalar: [UInt8]?) {
    // SEC 1, 2.3.3: an uncompressed point begins with 4.
    let point = [0x04] + publicKey.x + publicKey.y
    let number = scalar.map { must(BN_bin2bn($0, Int32($0.count), nil), "BN_bin2bn") }
    defer { BN_clear_free(number) }
    pointer = must(ccrypto_p256_key(point, number), "a key on P-256")
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Whether an encoded signature is one of `message`.
  borrowing func isValid(_ encoded: [UInt8], for message: [UInt8]) -> Bool {
    let context = must(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    defer {
      EVP_MD_CTX_free(context)
      // A refused signature leaves its reasons in the thread's error queue.
      ERR_clear_error()
    }
    must(EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, pointer, nil), "EVP_DigestVerifyInit_ex")
    return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
  }

  /// An encoded signature of `message`.
  borrowing func sign(_ message: [UInt8]) -> [UInt8] {
    let context = must(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    defer { EVP_MD_CTX_free(context) }
    must(EVP_DigestSignInit_ex(context, nil, "SHA2-256", nil, nil, pointer, nil), "EVP_DigestSignInit_ex")
    // The longest encoding is 72 octets: a sequence of two integers of 33 octets.
    return [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
      count = buffer.count
      must(EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count), "EVP_DigestSign")
    }
  }
}
