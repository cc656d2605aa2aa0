import Bytes
import Text

/// A controller that this machine has, and what stands in the way of using it, seen without opening it.
public struct AdapterSight: Hashable, Sendable {
  /// By which way it is reached.
  public enum Way: String, Hashable, Sendable {
    /// An adapter of the kernel, through its user channel.
    case kernel
    /// A dongle, through libusb.
    case usb
    /// A serial line at whose other end a controller may be: only opening it tells.
    case serial
  }

  /// By which way it is reached.
  public let way: Way
  /// What `--controller` takes for it.
  public let specification: TransportSpecification
  /// What it is, in plain text.
  public let title: String
  /// What stays the same while it is the same one, in plain text: an address, or numbers and serial number.
  public let identity: String
  /// Whether this user may take it.
  public var isPermitted = true
  /// Its number among the kernel's adapters; `nil` where the kernel makes none of it.
  public var kernelIndex: UInt16?
  /// What the kernel does with it; `nil` where the kernel makes no adapter of it.
  public var state: KernelAdapter.State?
  /// The driver that has it, such as `btusb`, in plain text; `nil` for none.
  public var driver: String?
  /// Whether its radio is switched off (rfkill).
  public var isRadioOff = false
  /// Whether another program has taken it, as we would.
  public var isHeld = false
  /// Peers of the connections that the kernel keeps over it.
  public var peers: [BluetoothAddress] = []
  /// Whether it works better, or only, through the kernel, whose driver loads its firmware.
  public var isBetterThroughKernel = false
  /// What its owner should know about controllers of its kind, one sentence each.
  public var notes: [String] = []

  /// A controller in whose way nothing stands.
  public init(_ way: Way, _ specification: TransportSpecification, title: String, identity: String) {
    self.way = way
    self.specification = specification
    self.title = title
    self.identity = identity
  }

  /// Why this user may not take it, and what would help; `nil` where that is allowed.
  public var permissionTrouble: AdapterTrouble? {
    if isPermitted { return nil }
    return switch way {
    case .kernel: UserChannel.notPermitted
    case .usb: USBTrouble.notPermitted
    case .serial: SerialStream.notPermitted
    }
  }

  /// That its radio is off, and how to switch it on; `nil` while it is on.
  public var radioTrouble: AdapterTrouble? { isRadioOff ? UserChannel.radioOff : nil }

  /// Who has it, so that it cannot be taken; `nil` for nobody.
  public var ownerTrouble: AdapterTrouble? {
    if !peers.isEmpty { return .hasLinks(peers.map(\.description)) }
    guard isHeld else { return nil }
    return way == .usb
      ? USBTrouble.claimed : .busy("another program holds it through its user channel", advice: "stop it")
  }

  /// The first thing that stands in the way; `nil` for nothing that can be seen from here.
  public var trouble: AdapterTrouble? { permissionTrouble ?? radioTrouble ?? ownerTrouble }
}

extension AdapterSight: CustomStringConvertible {
  /// Specification and title, as messages list it.
  public var description: String { "\(PlainText.escaped(specification.description)) (\(title))" }
}
