import Bytes
import Text

/// A controller that this machine has, and what stands in the way of using it, seen without opening it.
package struct AdapterSight: Hashable, Sendable {
  /// By which way it is reached.
  package enum Way: String, Hashable, Sendable {
    /// An adapter of the kernel, through its user channel.
    case kernel
    /// A dongle, through libusb.
    case usb
    /// A serial line at whose other end a controller may be: only opening it tells.
    case serial
  }

  /// By which way it is reached.
  package let way: Way
  /// What `--controller` takes for it.
  package let specification: TransportSpecification
  /// What it is, in plain text.
  package let title: String
  /// What stays the same while it is the same one, in plain text: an address, or numbers and serial number.
  package let identity: String
  /// Whether this user may take it.
  package var isPermitted = true
  /// Its number among the kernel's adapters; `nil` where the kernel makes none of it.
  package var kernelIndex: UInt16?
  /// What the kernel does with it; `nil` where the kernel makes no adapter of it.
  package var state: KernelAdapter.State?
  /// The driver that has it, such as `btusb`, in plain text; `nil` for none.
  package var driver: String?
  /// Whether its radio is switched off (rfkill).
  package var isRadioOff = false
  /// Whether another program has taken it, as we would.
  package var isHeld = false
  /// Peers of the connections that the kernel keeps over it.
  package var peers: [BluetoothAddress] = []
  /// Whether it works better, or only, through the kernel, whose driver loads its firmware.
  package var isBetterThroughKernel = false
  /// What its owner should know about controllers of its kind, one sentence each.
  package var notes: [String] = []

  /// A controller in whose way nothing stands.
  package init(_ way: Way, _ specification: TransportSpecification, title: String, identity: String) {
    self.way = way
    self.specification = specification
    self.title = title
    self.identity = identity
  }

  /// Why this user may not take it, and what would help; `nil` where that is allowed.
  package var permissionTrouble: AdapterTrouble? {
    if isPermitted { return nil }
    return switch way {
    case .kernel: UserChannel.notPermitted
    case .usb: USBTrouble.notPermitted
    case .serial: SerialStream.notPermitted
    }
  }

  /// That its radio is off, and how to switch it on; `nil` while it is on.
  package var radioTrouble: AdapterTrouble? { isRadioOff ? UserChannel.radioOff : nil }

  /// Who has it, so that it cannot be taken; `nil` for nobody.
  package var ownerTrouble: AdapterTrouble? {
    if !peers.isEmpty { return .hasLinks(peers.map(\.description)) }
    guard isHeld else { return nil }
    return way == .usb
      ? USBTrouble.claimed : .busy("another program holds it through its user channel", advice: "stop it")
  }

  /// The first thing that stands in the way; `nil` for nothing that can be seen from here.
  package var trouble: AdapterTrouble? { permissionTrouble ?? radioTrouble ?? ownerTrouble }
}

extension AdapterSight: CustomStringConvertible {
  /// Specification and title, as messages list it.
  package var description: String { "\(PlainText.escaped(specification.description)) (\(title))" }
}
