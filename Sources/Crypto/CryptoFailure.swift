/// The reason why a cryptographic operation on values from outside failed.
///
/// Trouble that no input can cause (an algorithm missing from libcrypto, no memory) traps instead.
public enum CryptoFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A public key's coordinates are not those of a point on P-256
  /// (Core Specification Vol 3, Part H, 2.3.5.6.1).
  case pointNotOnCurve
  /// A private scalar is zero, or not below the order of P-256.
  case scalarOutOfRange
  /// The message integrity check of a packet did not match its content, its key or its counter
  /// (Core Specification Vol 6, Part B, 5.1.3.1).
  case messageIntegrity
  /// The operating system gave no random bytes.
  case entropyUnavailable

  public var description: String {
    switch self {
    case .pointNotOnCurve: "the public key is not a point on P-256"
    case .scalarOutOfRange: "the private scalar is zero or not below the order of P-256"
    case .messageIntegrity: "the message integrity check does not match"
    case .entropyUnavailable: "the operating system gave no random bytes"
    }
  }
}

/// Traps unless libcrypto reported success for a call that only our own mistake, or a broken libcrypto, can fail.
@inline(__always)
func must(_ status: Int32, _ operation: StaticString) {
  precondition(status == 1, "libcrypto refused \(operation)")
}

/// Unwraps an object that libcrypto fails to make only without memory or without the algorithm.
@inline(__always)
func must<Object>(_ object: Object?, _ operation: StaticString) -> Object {
  guard let object else { preconditionFailure("libcrypto refused \(operation)") }
  return object
}
