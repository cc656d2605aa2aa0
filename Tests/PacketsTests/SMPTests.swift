import Bytes
import Packets
import Testing

private let features = PairingFeatures(
  inputOutput: .noInputNoOutput, authentication: .bonding, maximumKeySize: 16, initiatorKeys: [.encryption, .identity],
  responderKeys: [.encryption, .identity])

private let counting = "000102030405060708090a0b0c0d0e0f"
private let number: UInt128 = 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100

/// Commands with their octets (Core Specification Vol 3, Part H, 3.5 and 3.6).
private let examples: [(SMPCommand, String)] = [
  (.pairingRequest(features), "01 03 00 01 10 03 03"),
  (.pairingResponse(features), "02 03 00 01 10 03 03"),
  (.pairingConfirm(number), "03" + counting),
  (.pairingRandom(number), "04" + counting),
  (.pairingFailed(.pairingNotSupported), "0505"),
  (.encryptionInformation(number), "06" + counting),
  (
    .centralIdentification(encryptedDiversifier: 0x1234, randomNumber: 0x0102_0304_0506_0708),
    "07 3412 0807060504030201"
  ),
  (.identityInformation(number), "08" + counting),
  (.identityAddressInformation(BluetoothAddress(0xC0FF_EE01_0203, .random)), "09 01 030201eeffc0"),
  (.signingInformation(number), "0a" + counting),
  (.securityRequest([.bonding, .secureConnections]), "0b 09"),
  (.pairingPublicKey(Array(0..<64)), "0c" + Hexadecimal.string(Array(0..<64))),
  (.pairingDHKeyCheck(number), "0d" + counting),
  (.keypressNotification(2), "0e 02"),
  (.unknown(code: 0x0F, [1]), "0f 01"),
]

@Suite struct SMPCommands {
  @Test(arguments: examples.indices) func standOnTheAirAsTheSpecificationSays(_ index: Int) throws {
    let (command, text) = examples[index]
    let octets = try #require(Hexadecimal.bytes(text))
    #expect(command.encoded == octets)
    #expect(try SMPCommand(decoding: octets) == command)
  }

  /// All commands but the unknown one have one length.
  @Test func ofAnotherLengthAreRefused() throws {
    for (command, text) in examples where command.code != 0x0F {
      let octets = try #require(Hexadecimal.bytes(text))
      for other in [Array(octets.dropLast()), octets + [0]] {
        #expect(throws: DecodingFailure.self) { try SMPCommand(decoding: other) }
      }
    }
  }

  @Test(arguments: ["", "01 05 00 01 10 03 03", "01 03 02 01 10 03 03", "09 02 030201eeffc0"])
  func withReservedValuesAreRefused(_ text: String) throws {
    let octets = try #require(Hexadecimal.bytes(text))
    #expect(throws: DecodingFailure.self) { try SMPCommand(decoding: octets) }
  }

  @Test func madeOfRandomOctetsSurviveDecodingAndEncoding() {
    var random = RandomOctets(seed: 11)
    for _ in 0..<20_000 {
      var octets = random.bytes(Int(random.next() % 70))
      if !octets.isEmpty { octets[0] %= 0x10 }
      guard let command = try? SMPCommand(decoding: octets) else { continue }
      #expect(command.encoded == octets)
    }
  }
}
