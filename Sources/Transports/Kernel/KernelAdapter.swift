import Bytes
import System

/// A Bluetooth adapter as the kernel knows it (`struct hci_dev_info` of BlueZ's `hci.h`).
package struct KernelAdapter: Hashable, Sendable {
  /// The number in its name: 0 for `hci0`.
  package var index: UInt16
  /// Its public address; all zeros until the kernel has asked for it.
  package var address: BluetoothAddress
  /// What the kernel does with it.
  package var state: State

  /// What the kernel does with an adapter.
  package enum State: Hashable, Sendable {
    /// Nothing: it may be taken.
    case down
    /// It is being brought into use.
    case starting
    /// The kernel's own host drives it.
    case up
  }

  /// An adapter of those values.
  package init(index: UInt16, address: BluetoothAddress, state: State) {
    self.index = index
    self.address = address
    self.state = state
  }

  /// Reads the kernel's flags: bit 0 is HCI_UP, bit 1 HCI_INIT.
  init(index: UInt16, address: BluetoothAddress, flags: UInt32) {
    self.init(index: index, address: address, state: flags & 1 != 0 ? .up : flags & 2 != 0 ? .starting : .down)
  }

  /// The name that the kernel gives it.
  package var name: String { "hci\(index)" }
}

extension KernelAdapter: CustomStringConvertible {
  /// Name, address and state, as messages list it.
  package var description: String { "\(name) (\(address), \(state))" }
}

/// An adapter of the kernel, and who uses it.
struct KernelAdapterView: Hashable, Sendable {
  let adapter: KernelAdapter
  let peers: [BluetoothAddress]
  /// Whether a program has it through its user channel.
  let isHeld: Bool
}

/// The adapters of this machine's kernel, and who is connected over them.
package enum KernelAdapters {
  /// Addresses of the peers to which the kernel keeps connections over an adapter, in the kernel's order.
  package static func peers(of index: UInt16) throws(AdapterTrouble) -> [BluetoothAddress] {
    try peers(of: index, LinuxHCISystem())
  }

  static func list(_ system: any HCISystem) throws(AdapterTrouble) -> [KernelAdapter] {
    try ask(system, nil) { socket throws(SystemCallFailure) in
      var adapters: [KernelAdapter] = []
      // One that is unplugged between the two questions is left out.
      for index in try system.indices(socket).sorted() {
        if let adapter = try? system.adapter(socket, index) { adapters.append(adapter) }
      }
      return adapters
    }
  }

  static func peers(of index: UInt16, _ system: any HCISystem) throws(AdapterTrouble) -> [BluetoothAddress] {
    try ask(system, index) { socket throws(SystemCallFailure) in try system.peers(socket, index) }
  }

  /// All adapters with what else can be asked about them without privileges.
  static func survey(_ system: any HCISystem) throws(AdapterTrouble) -> [KernelAdapterView] {
    let adapters = try list(system)
    let managed = try? system.managedIndices()
    return adapters.map { adapter in
      KernelAdapterView(
        adapter: adapter, peers: (try? peers(of: adapter.index, system)) ?? [],
        isHeld: adapter.state == .up && managed.map { !$0.contains(adapter.index) } == true)
    }
  }

  private static func ask<Answer>(
    _ system: any HCISystem, _ index: UInt16?, _ question: (FileDescriptor) throws(SystemCallFailure) -> Answer
  ) throws(AdapterTrouble) -> Answer {
    do throws(SystemCallFailure) {
      let socket = try system.socket()
      defer { system.close(socket) }
      return try question(socket)
    } catch { throw UserChannel.trouble(error, index, []) }
  }
}
