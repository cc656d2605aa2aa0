import Bytes
import HCI
import Timeline

/// Takes a dongle on USB.
enum USBOpening {
  /// A pipe over the device that is meant, and what its owner should know about it.
  static func open(_ selector: TransportSpecification.USBSelector, _ options: OpeningOptions, on loop: EventLoop)
    throws(AdapterTrouble) -> (pipe: USBPipe, notes: [String])
  {
    let bus = try USBBus()
    let choice = try USBChoice.make(selector, among: bus.descriptions)
    let description = bus.descriptions[choice.position]
    if !options.takesAdaptersInUse {
      let peers = peers(of: description, choice.interface)
      guard peers.isEmpty else { throw .hasLinks(peers.map(\.description)) }
    }
    let link = try LibUSBLink(bus, choice, on: loop)
    let pipe = USBPipe(link, on: loop, name: "\(description)")
    return (pipe, ControllerChip.notes(about: description))
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
