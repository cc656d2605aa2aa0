import Bytes
import Packets
import Testing

@Suite struct AdvertisingDataStructures {
  /// The recorder's advertisement: flags, its service, its name.
  private let octets = Hexadecimal.bytes("020106 11067b8068af8fbd8287204822b8011045a0 0709446963746f66")!

  @Test func areReadAndWrittenBack() throws {
    let data = try AdvertisingData(decoding: octets)
    #expect(data.flags == [.generalDiscoverable, .lowEnergyOnly])
    #expect(data.serviceUUIDs == [BluetoothUUID("a0451001-b822-4820-8782-bd8faf68807b")!])
    #expect(data.localName == "Dictof")
    #expect(data.encoded == octets)
    #expect(AdvertisingData(lenient: octets) == data)
  }

  @Test func severalShortServicesAreListedInOrder() {
    let data = AdvertisingData([AdvertisingStructure(.completeServices16, [0x0F, 0x18, 0x05, 0x18, 0x99])])
    #expect(data.serviceUUIDs == [BluetoothUUID(0x180F), BluetoothUUID(0x1805)])
  }

  @Test func paddingEndsTheList() throws {
    #expect(try AdvertisingData(decoding: [2, 1, 6, 0, 0, 9]).structures.count == 1)
    #expect(try AdvertisingData(decoding: []).structures.isEmpty)
  }

  @Test func aBrokenEndIsATypedFailureOrPassedOver() {
    for count in 1..<octets.count where ![3, 21].contains(count) {
      let cut = Array(octets.prefix(count))
      #expect(throws: DecodingFailure.self) { try AdvertisingData(decoding: cut) }
      #expect(AdvertisingData(lenient: cut).structures.count == (count < 3 ? 0 : count < 21 ? 1 : 2))
    }
  }

  @Test func randomOctetsNeverTrap() {
    var random = RandomOctets(seed: 3)
    for _ in 0..<20_000 {
      let octets = random.bytes(Int(random.next() % 32)).map { $0 % 12 }
      let lenient = AdvertisingData(lenient: octets)
      _ = lenient.serviceUUIDs
      if let strict = try? AdvertisingData(decoding: octets) { #expect(strict == lenient) }
    }
  }
}
