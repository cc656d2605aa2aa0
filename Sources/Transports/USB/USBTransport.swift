import Bytes
import HCI
import Timeline

/// Which USB device is meant.
package enum USBSelector: Hashable, Sendable {
  /// The Bluetooth dongle of that number, counted from 0 in the order of the bus.
  case index(UInt8)
  /// The device with these vendor and product numbers, and with that serial number when several have them.
  case product(vendor: UInt16, product: UInt16, serialNumber: String?)
}

/// `usb:0`, `usb:VVVV:PPPP`, `usb:VVVV:PPPP/SERIAL`: a dongle on USB, taken from the kernel.
struct USBTransport: Transport {
  static let schemes = ["usb"]
  static let examples = ["0", "0a12:0001", "0a12:0001/SERIAL"]

  let selector: USBSelector

  init(_ selector: USBSelector) { self.selector = selector }

  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure) {
    if let index = UInt8(decimal: rest) {
      self.init(.index(index))
      return
    }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    let serialNumber = parts.count == 2 ? String(parts[1]) : nil
    guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.count == Self.digits }), serialNumber != "",
      let vendor = UInt16(hexadecimal: numbers[0]), let product = UInt16(hexadecimal: numbers[1])
    else { throw Self.incomplete(scheme) }
    self.init(.product(vendor: vendor, product: product, serialNumber: serialNumber))
  }

  /// Hexadecimal digits of a vendor's or product's number.
  private static let digits = 4

  var rest: String {
    switch selector {
    case .index(let index): "\(index)"
    case .product(let vendor, let product, let serialNumber):
      "\(Self.padded(vendor)):\(Self.padded(product))" + (serialNumber.map { "/\($0)" } ?? "")
    }
  }

  private static func padded(_ number: UInt16) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    try ImmediateAttempt(request) { () throws(AdapterTrouble) in try open(request) }
  }

  private func open(_ request: OpeningRequest) throws(AdapterTrouble) -> any PacketPipe {
    let bus = try USBBus()
    let choice = try USBChoice.make(selector, among: bus.descriptions)
    let description = bus.descriptions[choice.position]
    if !request.options.takesAdaptersInUse {
      let peers = Self.peers(of: description, choice.interface)
      guard peers.isEmpty else { throw .hasLinks(peers.map(\.description)) }
    }
    let link = try LibUSBLink(bus, choice, on: request.loop)
    request.identify(
      USBNumbers(vendor: description.vendor, product: description.product, release: description.release))
    for note in ControllerChip.notes(about: description) { request.note(note) }
    return USBPipe(link, on: request.loop, name: "\(description)")
  }

  /// Peers of the connections that the kernel's host keeps over the device, when a driver made an adapter of it.
  private static func peers(of device: USBDescription, _ interface: BluetoothInterface) -> [BluetoothAddress] {
    let folder = "\(SystemTree.usbDevices)/\(device.place):\(device.configuration).\(interface.number)/bluetooth"
    return SystemTree.machine.names(folder).flatMap { name -> [BluetoothAddress] in
      guard name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3)) else { return [] }
      // Where the kernel cannot be asked, it has no connections either.
      return (try? KernelAdapters.peers(of: index)) ?? []
    }
  }
}

extension TransportSpecification {
  /// A dongle on USB, taken from the kernel.
  package static func usb(_ selector: USBSelector) -> Self { Self(USBTransport(selector)) }
}
