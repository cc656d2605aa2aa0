import CCrypto

/// AES-128 under one key: the security function `e` of the Core Specification (Vol 3, Part H, 2.2.1).
///
/// The key schedule is made once; encrypting a block allocates nothing.
package struct AES128: ~Copyable {
  private let context: OpaquePointer

  /// Expands `key`.
  package init(key: Key128) {
    context = must(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
    withUnsafeBytes(of: key.value.bigEndian) { octets in
      let first = octets.bindMemory(to: UInt8.self).baseAddress
      must(EVP_EncryptInit_ex2(context, Algorithms.aes128ECB, first, nil, nil), "EVP_EncryptInit_ex2")
    }
    must(EVP_CIPHER_CTX_set_padding(context, 0), "EVP_CIPHER_CTX_set_padding")
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Encrypts one block. Plain text and cipher text are numbers; the cipher itself works on their octets, most
  /// significant first.
  package borrowing func encrypt(_ block: UInt128) -> UInt128 {
    var output: UInt128 = 0
    withUnsafeBytes(of: block.bigEndian) { input in
      withUnsafeMutableBytes(of: &output) { output in
        var count: Int32 = 0
        let status = EVP_EncryptUpdate(
          context, output.bindMemory(to: UInt8.self).baseAddress, &count,
          input.bindMemory(to: UInt8.self).baseAddress, 16)
        must(status, "EVP_EncryptUpdate")
      }
    }
    return UInt128(bigEndian: output)
  }

  /// Encrypts one block under `key`, which is used only once.
  package static func encrypt(_ block: UInt128, key: Key128) -> UInt128 {
    AES128(key: key).encrypt(block)
  }
}

/// Algorithms fetched from libcrypto once; they are immutable, reference-counted there and safe to use from any thread.
enum Algorithms {
  nonisolated(unsafe) static let aes128ECB = must(EVP_CIPHER_fetch(nil, "AES-128-ECB", nil), "AES-128-ECB")
  nonisolated(unsafe) static let aes128CCM = must(EVP_CIPHER_fetch(nil, "AES-128-CCM", nil), "AES-128-CCM")
  nonisolated(unsafe) static let cmac = must(EVP_MAC_fetch(nil, "CMAC", nil), "CMAC")
  nonisolated(unsafe) static let sha256 = must(EVP_MD_fetch(nil, "SHA2-256", nil), "SHA2-256")
}
