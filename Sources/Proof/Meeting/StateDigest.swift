import Bytes
import Crypto

/// What stands for a state in a certificate: half of the SHA-256 digest of its outline.
package struct StateDigest: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// The digest of a state.
  package init(_ meeting: Meeting) {
    let octets = SHA256.digest(Array(meeting.outline.utf8))
    high = octets[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = octets[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Thirty-two hexadecimal digits.
  package var description: String { Hexadecimal.digits(high).lowercased() + Hexadecimal.digits(low).lowercased() }
}
