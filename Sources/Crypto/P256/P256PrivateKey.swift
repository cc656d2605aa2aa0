import CCrypto

/// A private key on P-256; it never shows its scalar.
///
/// libcrypto makes no keys here: the scalar is a draw of the simulated run, or comes from `OperatingSystemEntropy`.
public struct P256PrivateKey: Sendable {
  /// 32 octets, most significant first.
  let scalar: [UInt8]
  /// The point that belongs to the scalar.
  public let publicKey: P256PublicKey

  /// Takes a scalar of 32 octets, most significant first, and computes its public key.
  ///
  /// Throws `scalarOutOfRange` when it is zero or not below the order of the curve: one draw in about 2³² is, and
  /// must be drawn again. Traps when there are not 32 octets.
  public init(scalar: [UInt8]) throws(CryptoFailure) {
    precondition(scalar.count == 32, "a scalar has 32 octets")
    let number = P256.Number(scalar)
    guard number.isScalar else { throw .scalarOutOfRange }
    self.scalar = scalar
    let point = P256.Point()
    point.setToGenerator(times: number)
    publicKey = P256PublicKey(point)
  }

  /// The Diffie-Hellman key with a peer: the X coordinate of the shared point, 32 octets, most significant first
  /// (Core Specification Vol 3, Part H, 2.3.5.6.1).
  public func sharedSecret(with peer: P256PublicKey) -> [UInt8] {
    let peerPoint = P256.Point()
    precondition(peerPoint.set(x: P256.Number(peer.x), y: P256.Number(peer.y)), "a public key lies on the curve")
    let shared = P256.Point()
    shared.set(peerPoint, times: P256.Number(scalar))
    return shared.coordinates.x
  }
}

extension P256PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says that there is a key, never which.
  public var description: String { "private key (covered)" }
  /// Says that there is a key, never which.
  public var debugDescription: String { description }
  /// Returns a mirror without children, so that a dump does not show the scalar.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
