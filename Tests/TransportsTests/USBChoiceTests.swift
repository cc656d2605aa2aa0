import Testing

@testable import Transports

extension USBDescription {
  /// A device with one interface of that class and those endpoints.
  static func pretended(
    at place: String = "1-1", _ vendor: UInt16 = 0x0A12, _ product: UInt16 = 0x0001, release: UInt16 = 0x8891,
    serialNumber: String? = nil, device: USBClass = .bluetooth, interfaces: [USBInterface]? = nil
  ) -> USBDescription {
    USBDescription(
      place: place, vendor: vendor, product: product, release: release, serialNumber: serialNumber, classCode: device,
      configuration: 1, interfaces: interfaces ?? [.controller(0), .voice(1)])
  }
}

extension USBInterface {
  static func controller(_ number: UInt8, setting: UInt8 = 0, _ classCode: USBClass = .bluetooth) -> USBInterface {
    USBInterface(
      number: number, setting: setting, classCode: classCode,
      endpoints: [
        USBEndpoint(address: 0x81, kind: .interrupt, maximumPacket: 16),
        USBEndpoint(address: 0x02, kind: .bulk, maximumPacket: 64),
        USBEndpoint(address: 0x86, kind: .bulk, maximumPacket: 64),
      ])
  }

  static func voice(_ number: UInt8) -> USBInterface {
    USBInterface(
      number: number, setting: 0, classCode: .bluetooth,
      endpoints: [
        USBEndpoint(address: 0x03, kind: .isochronous, maximumPacket: 0),
        USBEndpoint(address: 0x83, kind: .isochronous, maximumPacket: 0),
      ])
  }
}

@Suite struct USBChoices {
  private static let perInterface = USBClass(code: 0xEF, subclass: 2, protocolCode: 1)
  private static let vendorSpecific = USBClass(code: 0xFF, subclass: 1, protocolCode: 1)
  private static let camera = USBClass(code: 6, subclass: 1, protocolCode: 1)
  private static let keyboard = USBDescription.pretended(
    at: "1-9", 0x046D, 0xC31C, device: USBClass(code: 0, subclass: 0, protocolCode: 0), interfaces: [])

  @Test func endpointsComeFromTheDescriptors() throws {
    let interface = try #require(BluetoothInterface(of: .pretended(), isNamed: false))
    #expect(interface.number == 0)
    #expect(interface.events.address == 0x81)
    #expect(interface.incoming.address == 0x86)
    #expect(interface.outgoing.address == 0x02)
  }

  @Test func aControllerMayBeOneInterfaceOfManyAndAnyNumber() throws {
    let device = USBDescription.pretended(
      device: Self.perInterface,
      interfaces: [.voice(0), .controller(2, setting: 1), .controller(3), .controller(4)])
    #expect(BluetoothInterface(of: device, isNamed: false)?.number == 3)
  }

  @Test func aClassOfTheMakersIsTakenWhenAskedForByNumbersOnly() {
    let device = USBDescription.pretended(
      0x0A5C, 0x21E8, device: Self.vendorSpecific, interfaces: [.controller(0, Self.vendorSpecific)])
    #expect(BluetoothInterface(of: device, isNamed: false) == nil)
    #expect(BluetoothInterface(of: device, isNamed: true)?.number == 0)
    // A camera has the same endpoints, and is none the more a controller.
    let camera = USBDescription.pretended(device: Self.camera, interfaces: [.controller(0, Self.camera)])
    #expect(BluetoothInterface(of: camera, isNamed: true) == nil)
  }

  private func choose(_ text: String, _ devices: [USBDescription]) throws -> Int {
    let transport = try #require(try TransportSpecification(parsing: text).transport as? USBTransport)
    return try USBChoice.make(transport.selector, among: devices).position
  }

  static let two = [
    keyboard, .pretended(at: "1-1.4", serialNumber: "A"), .pretended(at: "1-2", serialNumber: "B"),
    .pretended(at: "2-1", 0x2FE3, 0x000B),
  ]

  @Test func indicesCountAdaptersOnly() throws {
    #expect(try choose("usb:0", Self.two) == 1)
    #expect(try choose("usb:2", Self.two) == 3)
    #expect(try choose("usb:2fe3:000b", Self.two) == 3)
    #expect(try choose("usb:0a12:0001/B", Self.two) == 2)
  }

  static let refused: [(String, [USBDescription], AdapterTrouble)] = [
    ("usb:0", [], .absent("no Bluetooth adapter is on USB", present: [])),
    ("usb:0", [keyboard], .absent("no Bluetooth adapter is on USB", present: [])),
    (
      "usb:1", [.pretended()],
      .absent("no adapter has this number", present: ["usb:0 (0a12:0001, at 1-1)"])
    ),
    (
      "usb:0a12:0002", [.pretended()], .absent("no such device is on USB", present: ["usb:0 (0a12:0001, at 1-1)"])
    ),
    (
      "usb:0a12:0001", two,
      .severalMatch([
        "usb:0 (0a12:0001, serial number A, at 1-1.4)", "usb:1 (0a12:0001, serial number B, at 1-2)",
      ])
    ),
    (
      "usb:0a12:0001/C", [.pretended(serialNumber: "A\u{1B}[2J")],
      .absent("no such device is on USB", present: ["usb:0 (0a12:0001, serial number A\\u{1B}[2J, at 1-1)"])
    ),
    ("usb:046d:c31c", [keyboard], .unsuitable("this device is not a Bluetooth controller", advice: "name one that is")),
  ]

  @Test(arguments: refused) func sayWhyNoneIsTaken(
    _ text: String, _ devices: [USBDescription], _ trouble: AdapterTrouble
  ) {
    #expect(throws: trouble) { try choose(text, devices) }
  }

  @Test func devicesAreOrderedByBusAndPortsAsNumbers() {
    let places = ["1-10", "1-2", "1-2.1", "2-1", "1-1.4"]
    let sorted = places.sorted {
      USBDescription.pretended(at: $0).order.lexicographicallyPrecedes(USBDescription.pretended(at: $1).order)
    }
    #expect(sorted == ["1-1.4", "1-2", "1-2.1", "1-10", "2-1"])
  }
}

@Suite struct ControllerChips {
  private func note(_ vendor: UInt16, _ product: UInt16, release: UInt16 = 0x0100) -> String? {
    ControllerChip.notes(about: .pretended(vendor, product, release: release)).first
  }

  @Test func thatNeedFirmwareSendTheirOwnerToTheKernel() throws {
    for (vendor, product) in [(0x8087, 0x0029), (0x0BDA, 0x8771), (0x2357, 0x0604), (0x0E8D, 0x0608)] {
      let sentence = try #require(self.note(UInt16(vendor), UInt16(product)))
      #expect(sentence.contains("firmware"))
      #expect(sentence.contains("hci-socket:"))
    }
  }

  @Test func thatAreImitatedAreCalledThatByTheirVersion() throws {
    #expect(try #require(note(0x0A12, 0x0001, release: 0x2520)).contains("this is one of the imitations"))
    #expect(try #require(note(0x0A12, 0x0001, release: 0x8891)).contains("this is perhaps one of the imitations"))
  }

  @Test func thatMisbehaveAreSaidTo() throws {
    #expect(try #require(note(0x33FA, 0x0012)).contains("extra octets after events"))
  }

  @Test func ofNoneOfThemNothingIsSaid() {
    #expect(note(0x2FE3, 0x000B) == nil)
    #expect(note(0x0A12, 0x0002) == nil)
  }

  @Test func theMostSpecialEntryComesFirst() {
    for (position, chip) in ControllerChip.table.enumerated() {
      let hidden = ControllerChip.table[..<position].contains {
        $0.vendor == chip.vendor && ($0.product == nil || $0.product == chip.product)
      }
      #expect(!hidden, "\(chip.name) is never found")
    }
  }
}
