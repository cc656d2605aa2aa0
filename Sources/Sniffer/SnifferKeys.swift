import Bytes
import Crypto

/// Long-term keys that whoever judges a sniffer's capture knows.
package struct SnifferKeys: Sendable {
  let keys: [Key128]

  /// No keys: only what pairings give away can be decrypted.
  package init() { keys = [] }

  /// Takes keys of 32 hexadecimal digits each; `nil` where a text is not one. Programs show keys in either order of octets,
  /// so both are tried.
  package init?(_ texts: [String]) {
    var keys: [Key128] = []
    for text in texts {
      guard let octets = Hexadecimal.bytes(text), octets.count == 16 else { return nil }
      keys += [Key128(bigEndian: octets), Key128(littleEndian: octets)]
    }
    self.keys = keys
  }
}
