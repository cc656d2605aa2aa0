import Bytes
import Text

/// The controllers that this machine has: those of the kernel, those on USB, and serial lines of boards that often are
/// controllers. Nothing is opened or changed for it.
package struct AdapterSurvey: Sendable {
  /// The controllers: on USB first, since their names outlive being plugged in again, then the kernel's, then lines.
  package private(set) var sights: [AdapterSight] = []
  /// The ways that cannot be looked along here, and why.
  package private(set) var limits: [AdapterTrouble] = []
  /// Whether a switch of the machine, rather than of one adapter, holds Bluetooth off.
  package let isMachineRadioOff: Bool

  private let devices: [USBDescription]
  private let tree: SystemTree
  private let kernel: [KernelAdapterView]

  /// Looks at this machine.
  package static func ofThisMachine() -> AdapterSurvey {
    AdapterSurvey(
      kernel: { () throws(AdapterTrouble) in try KernelAdapters.survey(LinuxHCISystem()) },
      usb: { () throws(AdapterTrouble) in try USBBus().descriptions }, tree: .machine)
  }

  init(
    kernel: () throws(AdapterTrouble) -> [KernelAdapterView], usb: () throws(AdapterTrouble) -> [USBDescription],
    tree: SystemTree
  ) {
    var limits: [AdapterTrouble] = []
    func asked<Found>(_ question: () throws(AdapterTrouble) -> [Found]) -> [Found] {
      do { return try question() } catch {
        limits.append(error)
        return []
      }
    }
    self.tree = tree
    self.kernel = asked(kernel)
    devices = asked(usb)
    self.limits = limits
    isMachineRadioOff = tree.names(Self.switches).contains { name in
      let folder = "\(Self.switches)/\(name)"
      return tree.line(folder + "/type") == "bluetooth" && tree.line(folder + "/name")?.hasPrefix("hci") != true
        && Self.isOff(folder, tree)
    }
    sights =
      devices.indices.filter { BluetoothInterface(of: devices[$0], isNamed: false) != nil }.enumerated().compactMap {
        sight(of: USBSighting(position: $1, index: $0))
      } + self.kernel.map { sight(of: $0) } + serialLines.map { serialSight($0, .serial(path: $0, speed: $1)) }
  }

  /// The controller that a specification means; `nil` for what is not an adapter of this machine, such as a socket.
  ///
  /// - Throws: ``AdapterTrouble/absent(_:present:)`` and its like, as opening it would.
  package func find(_ specification: TransportSpecification) throws(AdapterTrouble) -> AdapterSight? {
    switch specification.transport {
    case let transport as USBTransport:
      let choice = try USBChoice.make(transport.selector, among: devices)
      return sight(of: USBSighting(position: choice.position, index: nil), called: specification)
    case let transport as UserChannelTransport:
      if let limit = limits.first, kernel.isEmpty { throw limit }
      guard let view = kernel.first(where: { $0.adapter.index == transport.index }) else {
        throw .absent("there is no hci\(transport.index)", present: kernel.map(\.adapter.description))
      }
      return sight(of: view)
    case let transport as SerialTransport:
      guard tree.exists(transport.path) else { throw SerialStream.absent }
      return serialSight(transport.path, specification)
    default: return nil
    }
  }

  /// One way to each controller, without lines at whose end there may be anything: of a dongle that the kernel has made an
  /// adapter of, the better way that nothing stands in.
  package var choices: [AdapterSight] {
    let certain = sights.filter { $0.way != .serial }
    return certain.filter { sight in
      !certain.contains { other in
        other.way != sight.way && other.kernelIndex != nil && other.kernelIndex == sight.kernelIndex
          && Self.isBetter(other, than: sight)
      }
    }
  }

  private static func isBetter(_ sight: AdapterSight, than other: AdapterSight) -> Bool {
    if (sight.trouble == nil) != (other.trouble == nil) { return sight.trouble == nil }
    let throughKernel = sight.way == .kernel
    return throughKernel == (throughKernel ? other : sight).isBetterThroughKernel
  }

  // MARK: The kernel's

  private static let switches = "/sys/class/rfkill"

  private static func isOff(_ folder: String, _ tree: SystemTree) -> Bool {
    tree.line(folder + "/soft") == "1" || tree.line(folder + "/hard") == "1"
  }

  private func sight(of view: KernelAdapterView) -> AdapterSight {
    let adapter = view.adapter
    var sight = AdapterSight(
      .kernel, .hciSocket(adapter.index), title: adapter.description, identity: adapter.address.description)
    sight.isPermitted = mayAdministrateNetworks
    sight.kernelIndex = adapter.index
    sight.state = adapter.state
    sight.driver = driver("/sys/class/bluetooth/\(adapter.name)/device")
    let folder = "/sys/class/bluetooth/\(adapter.name)"
    sight.isRadioOff = tree.names(folder).contains { $0.hasPrefix("rfkill") && Self.isOff("\(folder)/\($0)", tree) }
    sight.isHeld = view.isHeld
    sight.peers = view.peers
    return sight
  }

  /// Whether this program has CAP_NET_ADMIN: bit 12 of the effective capabilities (linux/capability.h).
  private var mayAdministrateNetworks: Bool {
    let line = tree.lines("/proc/self/status").first { $0.hasPrefix("CapEff:") }
    // Where the system does not tell, only trying does.
    guard let digits = line?.dropFirst("CapEff:".count).filter({ !$0.isWhitespace }) else { return true }
    return (UInt64(digits, radix: 16) ?? 0) & 1 << 12 != 0
  }

  private func driver(_ device: String) -> String? { tree.linkedName(device + "/driver").map { PlainText.escaped($0) } }

  // MARK: On USB

  /// A device by its position in the list, and its number among the adapters where it has one.
  private struct USBSighting {
    let position: Int
    let index: Int?
  }

  private func sight(of sighting: USBSighting, called named: TransportSpecification? = nil) -> AdapterSight? {
    let device = devices[sighting.position]
    guard let interface = BluetoothInterface(of: device, isNamed: named != nil),
      let specification = named ?? specification(of: sighting)
    else { return nil }
    let folder = "\(SystemTree.usbDevices)/\(device.place)"
    let function = "\(folder):\(device.configuration).\(interface.number)"
    var sight = AdapterSight(.usb, specification, title: device.description, identity: device.description)
    sight.isPermitted = tree.mayUse(node(folder))
    sight.driver = driver(function)
    // The driver by which the kernel hands interfaces to programs.
    sight.isHeld = sight.driver == "usbfs"
    for name in tree.names(function + "/bluetooth") {
      guard let view = kernel.first(where: { $0.adapter.name == name }) else { continue }
      sight.kernelIndex = view.adapter.index
      sight.state = view.adapter.state
      sight.peers += view.peers
    }
    if case .needsFirmware = ControllerChip.find(vendor: device.vendor, product: device.product)?.trait {
      sight.isBetterThroughKernel = true
    }
    sight.notes = ControllerChip.notes(about: device)
    return sight
  }

  /// By the numbers where no other device has them, with the serial number where that can be typed, else by its place in
  /// the order.
  private func specification(of sighting: USBSighting) -> TransportSpecification? {
    let device = devices[sighting.position]
    let alike = devices.filter { $0.vendor == device.vendor && $0.product == device.product }
    if let number = device.serialNumber, Self.isTypable(number), alike.filter({ $0.serialNumber == number }).count == 1
    {
      return .usb(.product(vendor: device.vendor, product: device.product, serialNumber: number))
    }
    if alike.count == 1 {
      return .usb(.product(vendor: device.vendor, product: device.product, serialNumber: nil))
    }
    return sighting.index.flatMap { UInt8(exactly: $0) }.map { .usb(.index($0)) }
  }

  private static func isTypable(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { octet in
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
          || [0x2D, 0x2E, 0x5F].contains(octet)
      }
  }

  /// The file through which a device is driven.
  private func node(_ folder: String) -> String {
    func number(_ name: String) -> String {
      let digits = (tree.line("\(folder)/\(name)") ?? "").filter(\.isNumber).prefix(3)
      return String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "/dev/bus/usb/\(number("busnum"))/\(number("devnum"))"
  }

  // MARK: Serial lines

  /// Makers of boards and probes that are controllers with the right firmware: SEGGER, Nordic, Zephyr's own numbers.
  private static let boardVendors = ["1366", "1915", "2fe3"]
  private static let byIdentity = "/dev/serial/by-id"

  /// Lines of such boards, by a name that stays where udev has given one.
  private var serialLines: [(path: String, speed: UInt32)] {
    tree.names("/sys/class/tty").compactMap { name in
      let device = "/sys/class/tty/\(name)/device"
      let vendor = tree.line(device + "/../idVendor") ?? tree.line(device + "/../../idVendor")
      guard let vendor, Self.boardVendors.contains(vendor) else { return nil }
      let link = tree.names(Self.byIdentity).first { tree.linkedName("\(Self.byIdentity)/\($0)") == name }
      return (link.map { "\(Self.byIdentity)/\($0)" } ?? "/dev/\(name)", SerialTransport.defaultSpeed)
    }
  }

  private func serialSight(_ path: String, _ specification: TransportSpecification) -> AdapterSight {
    let name = PlainText.escaped(path.split(separator: "/").last.map(String.init) ?? path)
    var sight = AdapterSight(.serial, specification, title: "serial line \(name)", identity: PlainText.escaped(path))
    sight.isPermitted = tree.mayUse(path)
    return sight
  }
}
