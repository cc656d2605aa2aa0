import Bytes

/// The functions of pairing (Core Specification Vol 3, Part H, 2.2.2 to 2.2.11).
///
/// Order of octets, the classic mistake here: the Core Specification prints every value most significant octet
/// first, while the Security Manager sends it least significant octet first. Values of 128 bits and less are
/// therefore numbers (`Key128`, `UInt128`, `UInt32`), and addresses are `BluetoothAddress`; neither has an order.
/// What remains as octets is said at each function: coordinates and the Diffie-Hellman key stand most significant
/// octet first, pieces of pairing packets stand as they were sent.
package enum PairingToolbox {
  /// Confirm value of legacy pairing (2.2.3).
  ///
  /// - Parameters:
  ///   - key: the temporary key; zero for Just Works.
  ///   - random: `Mrand` for the initiator's value, `Srand` for the responder's.
  ///   - request: the seven octets of the Pairing Request, as sent: its code first.
  ///   - response: the seven octets of the Pairing Response, as sent: its code first.
  ///   - initiator: the initiator's address in this connection.
  ///   - responder: the responder's address in this connection.
  package static func c1(
    key: Key128, random: UInt128, request: [UInt8], response: [UInt8], initiator: BluetoothAddress,
    responder: BluetoothAddress
  ) -> UInt128 {
    precondition(request.count == 7 && response.count == 7, "a Pairing Request or Response has seven octets")
    let types = UInt128(responder.kind.rawValue) << 8 | UInt128(initiator.kind.rawValue)
    let p1 = number(response) << 72 | number(request) << 16 | types
    let p2 = UInt128(initiator.value) << 48 | UInt128(responder.value)
    let cipher = AES128(key: key)
    return cipher.encrypt(cipher.encrypt(random ^ p1) ^ p2)
  }

  /// Short-term key of legacy pairing (2.2.4): `r1` is the responder's random value, `r2` the initiator's.
  package static func s1(key: Key128, r1: UInt128, r2: UInt128) -> Key128 {
    let lower = UInt128(UInt64.max)
    return Key128(AES128.encrypt((r1 & lower) << 64 | (r2 & lower), key: key))
  }

  /// Confirm value of Secure Connections (2.2.6): `u` and `v` are X coordinates, 32 octets each, most significant
  /// first; `x` is the nonce; `z` is 0 for Just Works and Numeric Comparison.
  package static func f4(u: [UInt8], v: [UInt8], x: UInt128, z: UInt8) -> UInt128 {
    precondition(u.count == 32 && v.count == 32, "a coordinate has 32 octets")
    return CMAC.authenticate(u + v + [z], key: Key128(x))
  }

  /// `MacKey` and long-term key of Secure Connections (2.2.7): `w` is the Diffie-Hellman key, 32 octets, most
  /// significant first; `n1` and `a1` are the initiator's nonce and address, `n2` and `a2` the responder's.
  package static func f5(
    w: [UInt8], n1: UInt128, n2: UInt128, a1: BluetoothAddress, a2: BluetoothAddress
  ) -> (macKey: Key128, longTermKey: Key128) {
    precondition(w.count == 32, "a Diffie-Hellman key has 32 octets")
    let t = Key128(CMAC.authenticate(w, key: Key128(0x6C88_8391_AAF5_A538_6037_0BDB_5A60_83BE)))
    // "btle", as the specification wants it.
    let keyID: [UInt8] = [0x62, 0x74, 0x6C, 0x65]
    func part(_ counter: UInt8) -> Key128 {
      let nonces = n1.bigEndianOctets + n2.bigEndianOctets
      return Key128(CMAC.authenticate([counter] + keyID + nonces + typed(a1) + typed(a2) + [0x01, 0x00], key: t))
    }
    return (part(0), part(1))
  }

  /// Check value of Secure Connections (2.2.8): `w` is the `MacKey`; `n1` and `a1` belong to the device that makes the
  /// value, `n2` and `a2` to its peer.
  ///
  /// `capabilities` are the maker's three octets as sent in its Pairing Request or Response: input and output
  /// capability, out-of-band flag, authentication requirements.
  package static func f6(
    w: Key128, n1: UInt128, n2: UInt128, r: UInt128, capabilities: [UInt8], a1: BluetoothAddress,
    a2: BluetoothAddress
  ) -> UInt128 {
    precondition(capabilities.count == 3, "the capabilities are three octets")
    let values = n1.bigEndianOctets + n2.bigEndianOctets + r.bigEndianOctets
    return CMAC.authenticate(values + capabilities.reversed() + typed(a1) + typed(a2), key: w)
  }

  /// Numeric comparison value (2.2.9); people are shown its remainder by 1,000,000. `u` and `v` are X coordinates, 32
  /// octets each, most significant first; `x` and `y` are the nonces of initiator and responder.
  package static func g2(u: [UInt8], v: [UInt8], x: UInt128, y: UInt128) -> UInt32 {
    precondition(u.count == 32 && v.count == 32, "a coordinate has 32 octets")
    return UInt32(truncatingIfNeeded: CMAC.authenticate(u + v + y.bigEndianOctets, key: Key128(x)))
  }

  /// Hash of a resolvable private address (2.2.2): 24 bits from the identity-resolving key and the 24 bits of `prand`.
  package static func ah(key: Key128, prand: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: AES128.encrypt(UInt128(prand & 0xFF_FFFF), key: key)) & 0xFF_FFFF
  }

  /// Link key conversion (2.2.10): `keyID` is four characters, the first in the most significant octet.
  package static func h6(key: Key128, keyID: UInt32) -> Key128 {
    Key128(CMAC.authenticate(withUnsafeBytes(of: keyID.bigEndian) { Array($0) }, key: key))
  }

  /// Link key conversion with a salt (2.2.11).
  package static func h7(salt: Key128, key: Key128) -> Key128 {
    Key128(CMAC.authenticate(key.bigEndian, key: salt))
  }

  /// Whether `address` is a resolvable private address made with `key` (Vol 6, Part B, 1.3.2.3).
  package static func resolves(_ address: BluetoothAddress, with key: Key128) -> Bool {
    guard address.isResolvablePrivate else { return false }
    let prand = UInt32(truncatingIfNeeded: address.value >> 24)
    return ah(key: key, prand: prand) == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
  }

  /// The resolvable private address that `key` makes from the lower 22 bits of `random` (Vol 6, Part B, 1.3.2.2).
  package static func resolvablePrivateAddress(random: UInt32, key: Key128) -> BluetoothAddress {
    let prand = random & 0x3F_FFFF | 0x40_0000
    return BluetoothAddress(UInt64(prand) << 24 | UInt64(ah(key: key, prand: prand)), .random)
  }

  /// A packet's octets as a number: the one sent first is the least significant.
  private static func number(_ sent: [UInt8]) -> UInt128 {
    sent.reversed().reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// The 56 bits of an address with its type, most significant octet first.
  private static func typed(_ address: BluetoothAddress) -> [UInt8] {
    [address.kind.rawValue] + address.bigEndian
  }
}
