import CCrypto

/// AES-CMAC, the message authentication code of Secure Connections (RFC 4493; Core Specification Vol 3, Part H,
/// 2.2.5).
package enum CMAC {
  /// The code of `message` under `key`, as a number. `message` is in the order of RFC 4493: the octet that the Core
  /// Specification prints first comes first.
  package static func authenticate(_ message: [UInt8], key: Key128) -> UInt128 {
    let context = must(EVP_MAC_CTX_new(Algorithms.cmac), "EVP_MAC_CTX_new")
    defer { EVP_MAC_CTX_free(context) }
    withUnsafeBytes(of: key.value.bigEndian) { octets in
      must(ccrypto_cmac_init(context, octets.bindMemory(to: UInt8.self).baseAddress), "EVP_MAC_init")
    }
    must(EVP_MAC_update(context, message, message.count), "EVP_MAC_update")
    var code: UInt128 = 0
    withUnsafeMutableBytes(of: &code) { output in
      var count = 0
      let first = output.bindMemory(to: UInt8.self).baseAddress
      must(EVP_MAC_final(context, first, &count, output.count), "EVP_MAC_final")
    }
    return UInt128(bigEndian: code)
  }
}
