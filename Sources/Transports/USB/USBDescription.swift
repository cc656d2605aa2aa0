import Bytes
import Text

/// Class, subclass and protocol, by which a USB device or interface says what it is.
struct USBClass: Hashable, Sendable {
  let code: UInt8
  let subclass: UInt8
  let protocolCode: UInt8

  /// A Bluetooth controller (Core Specification Vol 4, Part B, 2.2.1).
  static let bluetooth = USBClass(code: 0xE0, subclass: 0x01, protocolCode: 0x01)
  /// What makers give who keep a controller from drivers other than their own.
  static let vendorSpecificCode: UInt8 = 0xFF
}

/// One endpoint of an interface.
struct USBEndpoint: Hashable, Sendable {
  /// How it transfers (USB 2.0, table 9-13).
  enum Kind: UInt8, Hashable, Sendable {
    case control = 0
    case isochronous = 1
    case bulk = 2
    case interrupt = 3
  }

  /// Its number, with bit 7 set when it transfers towards us.
  let address: UInt8
  let kind: Kind
  /// Octets of the longest packet on the wire.
  let maximumPacket: Int

  var isIncoming: Bool { address & 0x80 != 0 }
}

/// One setting of an interface.
struct USBInterface: Hashable, Sendable {
  let number: UInt8
  let setting: UInt8
  let classCode: USBClass
  let endpoints: [USBEndpoint]
}

/// What a USB device says about itself, as far as it can be read without opening it.
struct USBDescription: Hashable, Sendable {
  /// Bus and ports on the way to it, as the kernel writes them: `1-4.2`.
  let place: String
  let vendor: UInt16
  let product: UInt16
  /// The device's version (`bcdDevice`).
  let release: UInt16
  let serialNumber: String?
  let classCode: USBClass
  /// The value of its active configuration.
  let configuration: UInt8
  let interfaces: [USBInterface]

  /// Bus and ports as numbers, by which devices are put in order.
  var order: [Int] { place.split { !$0.isNumber }.compactMap { Int($0) } }
}

/// The part of a USB device that is a Bluetooth controller (Core Specification Vol 4, Part B, 2.1): commands go through
/// the control endpoint, events come on an interrupt endpoint, data goes both ways on bulk endpoints.
struct BluetoothInterface: Hashable, Sendable {
  let number: UInt8
  let events: USBEndpoint
  let incoming: USBEndpoint
  let outgoing: USBEndpoint

  /// The controller of a device. One that was asked for by its numbers may also call its class vendor specific.
  init?(of device: USBDescription, isNamed: Bool) {
    for interface in device.interfaces where interface.setting == 0 {
      let isOffered =
        device.classCode == .bluetooth || interface.classCode == .bluetooth
        || isNamed && interface.classCode.code == USBClass.vendorSpecificCode
      guard isOffered, let found = BluetoothInterface(interface) else { continue }
      self = found
      return
    }
    return nil
  }

  /// The interface with the endpoints that a controller has; the one for voice, of the same class, lacks them.
  private init?(_ interface: USBInterface) {
    func endpoint(_ kind: USBEndpoint.Kind, incoming: Bool) -> USBEndpoint? {
      interface.endpoints.first { $0.kind == kind && $0.isIncoming == incoming && $0.maximumPacket > 0 }
    }
    guard let events = endpoint(.interrupt, incoming: true), let incoming = endpoint(.bulk, incoming: true),
      let outgoing = endpoint(.bulk, incoming: false)
    else { return nil }
    number = interface.number
    self.events = events
    self.incoming = incoming
    self.outgoing = outgoing
  }
}

/// Which of the devices on USB a specification means.
struct USBChoice: Hashable, Sendable {
  /// Position of the device in the list.
  let position: Int
  let interface: BluetoothInterface

  /// The one device that is meant.
  ///
  /// - Throws: ``AdapterTrouble/absent(_:present:)`` when there is none, ``AdapterTrouble/severalMatch(_:)`` when chance
  ///   would choose, ``AdapterTrouble/unsuitable(_:)`` when it is there and no Bluetooth controller.
  static func make(_ selector: USBSelector, among devices: [USBDescription])
    throws(AdapterTrouble) -> USBChoice
  {
    let adapters = devices.indices.filter { BluetoothInterface(of: devices[$0], isNamed: false) != nil }
    let names = adapters.enumerated().map { number, position in "usb:\(number) (\(devices[position]))" }
    switch selector {
    case .index(let index):
      guard Int(index) < adapters.count,
        let interface = BluetoothInterface(of: devices[adapters[Int(index)]], isNamed: false)
      else {
        throw .absent(
          adapters.isEmpty ? "no Bluetooth adapter is on USB" : "no adapter has this number", present: names)
      }
      return USBChoice(position: adapters[Int(index)], interface: interface)
    case .product(let vendor, let product, let serialNumber):
      let matches = devices.indices.filter { position in
        devices[position].vendor == vendor && devices[position].product == product
          && (serialNumber == nil || devices[position].serialNumber == serialNumber)
      }
      guard let only = matches.first else { throw .absent("no such device is on USB", present: names) }
      guard matches.count == 1 else {
        throw .severalMatch(
          matches.map { position in
            adapters.firstIndex(of: position).map { names[$0] } ?? devices[position].description
          })
      }
      guard let interface = BluetoothInterface(of: devices[only], isNamed: true) else {
        throw .unsuitable("this device is not a Bluetooth controller", advice: "name one that is")
      }
      return USBChoice(position: only, interface: interface)
    }
  }
}

extension USBDescription: CustomStringConvertible {
  /// Numbers, serial number and place, as messages list them.
  var description: String {
    Self.digits(vendor) + ":" + Self.digits(product)
      + (serialNumber.map { ", serial number \(PlainText.escaped($0, limit: 64))" } ?? "") + ", at \(place)"
  }

  private static func digits(_ number: UInt16) -> String {
    Hexadecimal.string([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
  }
}
