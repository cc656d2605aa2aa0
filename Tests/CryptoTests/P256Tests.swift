import Crypto
import Testing

/// Keys, shared secrets and signatures on P-256.
struct P256Tests {
  private static let sample = Vectors.all.p256
  private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
  private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
  /// The square root of the curve's constant `b`: the Y coordinate of a point with X = 0.
  private static let rootOfB = "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"
  private static let zero = String(repeating: "0", count: 64)

  @Test func keysOfTheSample() throws {
    let a = try P256PrivateKey(scalar: octets(Self.sample.privateA))
    let b = try P256PrivateKey(scalar: octets(Self.sample.privateB))
    #expect(a.publicKey.x == octets(Self.sample.publicAx))
    #expect(a.publicKey.y == octets(Self.sample.publicAy))
    #expect(b.publicKey.x == octets(Self.sample.publicBx))
    #expect(a.sharedSecret(with: b.publicKey) == octets(Self.sample.dhKey))
    #expect(b.sharedSecret(with: a.publicKey) == octets(Self.sample.dhKey))
  }

  @Test func publicKeyPacketHasXThenYLeastSignificantFirst() throws {
    let key = try P256PrivateKey(scalar: octets(Self.sample.privateA)).publicKey
    let expected = octets(Self.sample.publicAx).reversed() + octets(Self.sample.publicAy).reversed()
    #expect(key.littleEndian == expected)
    #expect(try P256PublicKey(littleEndian: expected) == key)
  }

  @Test func sharedSecretIsSymmetric() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let a = try P256PrivateKey(scalar: generator.bytes(32))
      let b = try P256PrivateKey(scalar: generator.bytes(32))
      let peer = try P256PublicKey(littleEndian: b.publicKey.littleEndian)
      #expect(a.sharedSecret(with: peer) == b.sharedSecret(with: a.publicKey))
      #expect(a.publicKey != b.publicKey)
    }
  }

  @Test func pointsOffTheCurveAreRefused() throws {
    var generator = SeededGenerator(seed: 4)
    let key = try P256PrivateKey(scalar: octets(Self.sample.privateA)).publicKey
    for _ in 0..<100 {
      var bytes = key.littleEndian
      bytes[Int.random(in: 0..<64, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      // Two flips could meet another point of the curve; one never does for this key and seed.
      #expect(throws: CryptoFailure.pointNotOnCurve) { try P256PublicKey(littleEndian: bytes) }
    }
    #expect(try P256PublicKey(x: octets(Self.zero), y: octets(Self.rootOfB)).x == octets(Self.zero))
  }

  @Test(arguments: [
    (zero, zero), (prime, rootOfB), (zero, prime), (order, order), ("", ""), (zero, String(rootOfB.dropLast(2))),
    (zero + "00", rootOfB), (String(repeating: "f", count: 64), String(repeating: "f", count: 64)),
  ])
  func coordinatesOutsideTheFieldAreRefused(_ x: String, _ y: String) {
    #expect(throws: CryptoFailure.pointNotOnCurve) { try P256PublicKey(x: octets(x), y: octets(y)) }
  }

  @Test(arguments: [
    (zero, false), (order, false), (String(repeating: "f", count: 64), false),
    (String(zero.dropLast()) + "1", true), (String(order.dropLast()) + "0", true),
  ])
  func scalarsAreAboveZeroAndBelowTheOrder(_ scalar: String, _ allowed: Bool) {
    if allowed {
      #expect(throws: Never.self) { try P256PrivateKey(scalar: octets(scalar)) }
    } else {
      #expect(throws: CryptoFailure.scalarOutOfRange) { try P256PrivateKey(scalar: octets(scalar)) }
    }
  }

  /// RFC 6979, A.2.5, message "sample" with SHA-256.
  @Test func signatureOfTheSampleIsValid() throws {
    let key = try P256PublicKey(
      x: octets("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
      y: octets("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))
    let signature = octets(
      "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    #expect(ECDSA.isValid(signature, for: Array("sample".utf8), publicKey: key))
    #expect(!ECDSA.isValid(signature, for: Array("simple".utf8), publicKey: key))
  }

  @Test func onlyTheUntouchedSignatureIsValid() throws {
    var generator = SeededGenerator(seed: 5)
    let key = try P256PrivateKey(scalar: generator.bytes(32))
    let other = try P256PrivateKey(scalar: generator.bytes(32))
    let message = generator.bytes(500)
    let signature = ECDSA.sign(message, with: key)
    #expect(signature.count == ECDSA.signatureLength)
    #expect(ECDSA.isValid(signature, for: message, publicKey: key.publicKey))
    #expect(!ECDSA.isValid(signature, for: message, publicKey: other.publicKey))
    #expect(!ECDSA.isValid(Array(signature.dropLast()), for: message, publicKey: key.publicKey))
    #expect(!ECDSA.isValid([UInt8](repeating: 0, count: 64), for: message, publicKey: key.publicKey))
    for bit in stride(from: 0, to: 512, by: 7) {
      var flipped = signature
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(!ECDSA.isValid(flipped, for: message, publicKey: key.publicKey))
    }
  }
}
