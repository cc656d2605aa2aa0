import Crypto
import Testing

/// AES, CMAC, SHA-256, keys and the encryption of a link.
struct CipherTests {
  @Test func blockOfTheStandard() {
    // FIPS 197, C.1.
    let key = Key128(number("000102030405060708090a0b0c0d0e0f"))
    let cipher = AES128(key: key)
    for _ in 0..<2 {
      let result = cipher.encrypt(number("00112233445566778899aabbccddeeff"))
      #expect(result == number("69c4e0d86a7b0430d8cdb78070b4c55a"))
    }
  }

  @Test(arguments: Vectors.all.aesCmac.cases)
  func messageAuthenticationCode(_ sample: [String]) {
    let key = Key128(number(Vectors.all.aesCmac.key))
    #expect(CMAC.authenticate(octets(sample[0]), key: key) == number(sample[1]))
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digest(_ message: String, _ expected: String) {
    #expect(SHA256.digest(Array(message.utf8)) == octets(expected))
  }

  @Test func digestInPiecesIsTheDigestOfTheWhole() {
    var generator = SeededGenerator(seed: 1)
    let hasher = SHA256Hasher()
    for _ in 0..<50 {
      let message = generator.bytes(Int.random(in: 0...300, using: &generator))
      let first = Int.random(in: 0...message.count, using: &generator)
      let second = Int.random(in: first...message.count, using: &generator)
      hasher.update(Array(message[..<first]))
      #expect(hasher.snapshot() == SHA256.digest(Array(message[..<first])))
      message.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[first..<second])) }
      hasher.update(Array(message[second...]).span)
      #expect(hasher.finish() == SHA256.digest(message))
    }
  }

  @Test func keysDoNotShowTheirOctets() throws {
    let key = Key128(number("2b7e151628aed2a6abf7158809cf4f3c"))
    let scalar = try P256PrivateKey(scalar: octets(Vectors.all.p256.privateA))
    for value in [key, scalar] as [Any] {
      var text = "\(value) \(String(reflecting: value)) \(String(describing: Optional(value)))"
      dump(value, to: &text)
      #expect(text.contains("covered"))
      #expect(!text.lowercased().contains(/[0-9a-f]{6}|\d{3}/))
    }
  }

  @Test func keysEnterAndLeaveInEitherOrder() {
    let key = Key128(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
    #expect(key.bigEndian == Array(1...16))
    #expect(key.littleEndian == Array(1...16).reversed())
    #expect(Key128(bigEndian: key.bigEndian) == key)
    #expect(Key128(littleEndian: key.littleEndian) == key)
    #expect(key.masked(toSize: 16) == key)
    #expect(key.masked(toSize: 7) == Key128(0x0A_0B0C_0D0E_0F10))
  }

  @Test func operatingSystemEntropyDiffersFromCallToCall() throws {
    let first = try OperatingSystemEntropy.bytes(32)
    #expect(first.count == 32)
    #expect(try OperatingSystemEntropy.bytes(32) != first)
    #expect(try OperatingSystemEntropy.bytes(0).isEmpty)
  }
}

/// The encryption of a link against the specification's sample data, and its properties.
struct LinkEncryptionTests {
  private static let sample = Vectors.all.linkLayer
  private static let link = LinkEncryption(
    longTermKey: Key128(number(sample.ltk)), centralDiversifier: UInt64(number(sample.skdCentral)),
    peripheralDiversifier: UInt64(number(sample.skdPeripheral)), centralVector: UInt32(number(sample.ivCentral)),
    peripheralVector: UInt32(number(sample.ivPeripheral)))

  @Test func sessionKey() {
    #expect(Self.link.sessionKey == Key128(number(Self.sample.sessionKey)))
  }

  /// The headers of the sample: LLID 11 for the control PDUs, LLID 10 (start of a message) for the data.
  @Test(
    arguments: [
      (sample.startEncRspCentralToPeripheral, 0x03), (sample.startEncRspPeripheralToCentral, 0x03),
      (sample.dataCentralToPeripheral, 0x02),
    ] as [(Vectors.Sealed, UInt8)])
  func packetsOfTheSample(_ packet: Vectors.Sealed, _ header: UInt8) throws {
    let direction = try #require(LinkEncryption.Direction(rawValue: packet.direction))
    let plain = octets(packet.plain)
    let sealed = octets(packet.cipherAndMic)
    // NESN, SN and MD are outside the check: any of them may be set.
    for flags in [0, 0b0001_1100] as [UInt8] {
      let head = header | flags
      #expect(Self.link.seal(plain, header: head, counter: packet.counter, direction: direction) == sealed)
      #expect(try Self.link.open(sealed, header: head, counter: packet.counter, direction: direction) == plain)
    }
  }

  @Test func whatWasSealedOpensAndNothingElseDoes() throws {
    var generator = SeededGenerator(seed: 2)
    for length in [1, 2, 15, 16, 17, 27, 251] {
      let key = Key128(UInt128(littleEndianOctets: generator.bytes(16)))
      let link = LinkEncryption(sessionKey: key, initializationVector: generator.next())
      let counter = generator.next() % LinkEncryption.packetCounterLimit
      let payload = generator.bytes(length)
      let sealed = link.seal(payload, header: 0x02, counter: counter, direction: .centralToPeripheral)
      #expect(sealed.count == length + LinkEncryption.messageIntegrityCheckLength)
      #expect(try link.open(sealed, header: 0x02, counter: counter, direction: .centralToPeripheral) == payload)

      func refused(_ sealed: [UInt8], _ counter: UInt64, _ way: LinkEncryption.Direction, header: UInt8 = 0x02) {
        #expect(throws: CryptoFailure.messageIntegrity) {
          try link.open(sealed, header: header, counter: counter, direction: way)
        }
      }
      for bit in 0..<(sealed.count * 8) {
        var flipped = sealed
        flipped[bit / 8] ^= 1 << (bit % 8)
        refused(flipped, counter, .centralToPeripheral)
      }
      refused(sealed, counter, .centralToPeripheral, header: 0x01)
      refused(sealed, counter ^ 1, .centralToPeripheral)
      refused(sealed, counter, .peripheralToCentral)
    }
  }

  @Test(arguments: [0, 1, 4, 256])
  func lengthsThatCannotHaveBeenSealedAreRefused(_ length: Int) {
    #expect(throws: CryptoFailure.messageIntegrity) {
      try Self.link.open(
        [UInt8](repeating: 0, count: length), header: 0x02, counter: 0, direction: .centralToPeripheral)
    }
  }
}
