import Bytes
import Crypto
import Testing

/// The functions of pairing against the specification's sample data.
struct PairingToolboxTests {
  private let vectors = Vectors.all

  @Test func confirmValueOfLegacyPairing() {
    let sample = vectors.c1
    let result = PairingToolbox.c1(
      key: Key128(number(sample.k)), random: number(sample.r), request: octets(sample.preq).reversed(),
      response: octets(sample.pres).reversed(),
      initiator: BluetoothAddress(UInt64(number(sample.ia)), sample.iat == 0 ? .public : .random),
      responder: BluetoothAddress(UInt64(number(sample.ra)), sample.rat == 0 ? .public : .random))
    #expect(result == number(sample.out))
  }

  @Test func shortTermKeyOfLegacyPairing() {
    let sample = vectors.s1
    let result = PairingToolbox.s1(key: Key128(number(sample.k)), r1: number(sample.r1), r2: number(sample.r2))
    #expect(result == Key128(number(sample.out)))
  }

  @Test func confirmValueOfSecureConnections() {
    let sample = vectors.f4
    let result = PairingToolbox.f4(
      u: octets(sample.u), v: octets(sample.v), x: number(sample.x), z: octets(sample.z)[0])
    #expect(result == number(sample.out))
  }

  @Test func keysOfSecureConnections() {
    let sample = vectors.f5
    let result = PairingToolbox.f5(
      w: octets(sample.w), n1: number(sample.n1), n2: number(sample.n2), a1: typedAddress(sample.a1),
      a2: typedAddress(sample.a2))
    #expect(result.macKey == Key128(number(sample.macKey)))
    #expect(result.longTermKey == Key128(number(sample.ltk)))
  }

  @Test func checkValueOfSecureConnections() {
    let sample = vectors.f6
    let result = PairingToolbox.f6(
      w: Key128(number(sample.w)), n1: number(sample.n1), n2: number(sample.n2), r: number(sample.r),
      capabilities: octets(sample.ioCap).reversed(), a1: typedAddress(sample.a1), a2: typedAddress(sample.a2))
    #expect(result == number(sample.out))
  }

  @Test func numericComparisonValue() {
    let sample = vectors.g2
    let result = PairingToolbox.g2(
      u: octets(sample.u), v: octets(sample.v), x: number(sample.x), y: number(sample.y))
    #expect(result == UInt32(number(sample.out)))
  }

  @Test func resolvablePrivateAddresses() {
    let sample = vectors.ah
    let key = Key128(number(sample.irk))
    #expect(PairingToolbox.ah(key: key, prand: UInt32(number(sample.prand))) == UInt32(number(sample.out)))

    let address = BluetoothAddress(UInt64(number(sample.prand)) << 24 | UInt64(number(sample.out)), .random)
    #expect(PairingToolbox.resolves(address, with: key))
    #expect(!PairingToolbox.resolves(BluetoothAddress(address.value, .public), with: key))
    #expect(!PairingToolbox.resolves(BluetoothAddress(address.value ^ 1, .random), with: key))
    #expect(!PairingToolbox.resolves(address, with: Key128(key.value ^ 1)))

    let made = PairingToolbox.resolvablePrivateAddress(random: 0xFFFF_FFFF, key: key)
    #expect(made.isResolvablePrivate)
    #expect(PairingToolbox.resolves(made, with: key))
  }

  /// Sample data of the Core Specification Vol 3, Part H, D.9 and D.10, which print these values.
  @Test func linkKeyConversion() {
    let key = Key128(number("ec0234a357c8ad05341010a60a397d9b"))
    #expect(PairingToolbox.h6(key: key, keyID: 0x6C65_6272).value == number("2d9ae102e76dc91ce8d3a9e280b16399"))
    let salt = Key128(number("000000000000000000000000746D7031"))
    #expect(PairingToolbox.h7(salt: salt, key: key).value == number("fb173597c6a3c0ecd2998c2a75a57011"))
  }
}
