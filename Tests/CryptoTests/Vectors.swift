import Bytes
import Foundation

/// The sample data of the Core Specification and RFC 4493, most significant octet first.
struct Vectors: Decodable {
  struct C1: Decodable { var k, r, pres, preq, ia, ra, out: String; var iat, rat: UInt8 }
  struct S1: Decodable { var k, r1, r2, out: String }
  struct F4: Decodable { var u, v, x, z, out: String }
  struct F5: Decodable { var w, n1, n2, a1, a2, macKey, ltk: String }
  struct F6: Decodable { var w, n1, n2, r, ioCap, a1, a2, out: String }
  struct G2: Decodable { var u, v, x, y, out: String }
  struct AH: Decodable { var irk, prand, out: String }
  struct P256: Decodable { var privateA, publicAx, publicAy, privateB, publicBx, dhKey: String }
  struct AESCMAC: Decodable { var key: String; var cases: [[String]] }
  struct Sealed: Decodable { var counter: UInt64; var direction: UInt8; var plain, cipherAndMic: String }
  struct LinkLayer: Decodable {
    var ltk, skdCentral, skdPeripheral, ivCentral, ivPeripheral, sessionKey: String
    var startEncRspCentralToPeripheral, startEncRspPeripheralToCentral, dataCentralToPeripheral: Sealed
  }

  var c1: C1
  var s1: S1
  var f4: F4
  var f5: F5
  var f6: F6
  var g2: G2
  var ah: AH
  var p256: P256
  var aesCmac: AESCMAC
  var linkLayer: LinkLayer

  static let all: Vectors = {
    guard
      let file = Bundle.module.url(
        forResource: "bluetooth-crypto-vectors", withExtension: "json", subdirectory: "Vectors"),
      let data = try? Data(contentsOf: file), let vectors = try? JSONDecoder().decode(Vectors.self, from: data)
    else { fatalError("the vectors are not in the test bundle") }
    return vectors
  }()
}

/// The octets that hexadecimal text of a test spells.
func octets(_ text: String) -> [UInt8] {
  guard let bytes = Hexadecimal.bytes(text) else { fatalError("not hexadecimal: \(text)") }
  return bytes
}

/// The number that hexadecimal text of a test spells.
func number(_ text: String) -> UInt128 { octets(text).reduce(0) { $0 << 8 | UInt128($1) } }

/// The address in the 56 bits that f5 and f6 print: its type, then its octets.
func typedAddress(_ text: String) -> BluetoothAddress {
  BluetoothAddress(UInt64(truncatingIfNeeded: number(text)), number(text) >> 48 == 0 ? .public : .random)
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
