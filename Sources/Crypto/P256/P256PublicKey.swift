import CCrypto

/// A public key on P-256: a point that is known to lie on the curve.
public struct P256PublicKey: Hashable, Sendable {
  /// Octets of one coordinate.
  public static let coordinateLength = 32

  /// The X coordinate: 32 octets, most significant first, as the pairing functions take it.
  public let x: [UInt8]
  /// The Y coordinate: 32 octets, most significant first.
  public let y: [UInt8]

  /// Takes two coordinates of 32 octets each, most significant first, and checks that they are those of a point on
  /// the curve other than the one at infinity (Core Specification Vol 3, Part H, 2.3.5.6.1).
  ///
  /// Throws `pointNotOnCurve` otherwise, also when a coordinate has not 32 octets.
  public init(x: [UInt8], y: [UInt8]) throws(CryptoFailure) {
    guard x.count == Self.coordinateLength, y.count == Self.coordinateLength else { throw .pointNotOnCurve }
    // Affine coordinates cannot express the point at infinity. libcrypto would take a coordinate modulo the field's
    // prime, so that one point had several spellings.
    let numberX = P256.Number(x)
    let numberY = P256.Number(y)
    guard numberX.isCoordinate, numberY.isCoordinate, P256.Point().set(x: numberX, y: numberY) else {
      throw .pointNotOnCurve
    }
    self.x = x
    self.y = y
  }

  /// Takes 64 octets as the Pairing Public Key packet has them: X, then Y, each least significant octet first
  /// (Vol 3, Part H, 3.5.6). Throws as `init(x:y:)` does.
  public init(littleEndian octets: [UInt8]) throws(CryptoFailure) {
    guard octets.count == 2 * Self.coordinateLength else { throw .pointNotOnCurve }
    try self.init(
      x: octets.prefix(Self.coordinateLength).reversed(), y: octets.suffix(Self.coordinateLength).reversed())
  }

  /// Takes a point that libcrypto computed.
  init(_ point: borrowing P256.Point) {
    (x, y) = point.coordinates
  }

  /// 64 octets as the Pairing Public Key packet has them: X, then Y, each least significant octet first.
  public var littleEndian: [UInt8] { x.reversed() + y.reversed() }
}
