import CCrypto

/// SHA-256 of a message that is whole in memory (FIPS 180-4).
package enum SHA256 {
  /// Octets of a digest.
  package static let digestLength = 32

  /// The digest of `message`, 32 octets.
  package static func digest(_ message: [UInt8]) -> [UInt8] {
    let hasher = SHA256Hasher()
    hasher.update(message)
    return hasher.finish()
  }
}

/// SHA-256 of a message that comes in pieces.
///
/// One context serves for its whole life: an update allocates nothing, so it may stand on a path that is taken for
/// every packet. It is a reference; whoever shares it shares the message.
package final class SHA256Hasher {
  private let context: OpaquePointer

  /// Begins an empty message.
  package init() {
    context = must(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    reset()
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Forgets the message so far and begins an empty one.
  package func reset() {
    must(EVP_DigestInit_ex2(context, Algorithms.sha256, nil), "EVP_DigestInit_ex2")
  }

  /// Appends bytes to the message.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    must(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "EVP_DigestUpdate")
  }

  /// Appends bytes to the message.
  package func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Appends bytes to the message.
  package func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The digest of the message so far, 32 octets; the message may continue.
  package func snapshot() -> [UInt8] {
    let copy = must(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
    defer { EVP_MD_CTX_free(copy) }
    must(EVP_MD_CTX_copy_ex(copy, context), "EVP_MD_CTX_copy_ex")
    return Self.finish(copy)
  }

  /// The digest of the message, 32 octets; the hasher then starts an empty message.
  package func finish() -> [UInt8] {
    defer { reset() }
    return Self.finish(context)
  }

  private static func finish(_ context: OpaquePointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: SHA256.digestLength) { buffer, count in
      must(EVP_DigestFinal_ex(context, buffer.baseAddress, nil), "EVP_DigestFinal_ex")
      count = SHA256.digestLength
    }
  }
}
