import Bytes
import CBluetooth
import Glibc
import System

/// The system calls about Bluetooth adapters; tests replace them.
protocol HCISystem {
  /// A new HCI socket, non-blocking.
  func socket() throws(SystemCallFailure) -> FileDescriptor
  /// The indices of all adapters.
  func indices(_ socket: FileDescriptor) throws(SystemCallFailure) -> [UInt16]
  /// One adapter.
  func adapter(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> KernelAdapter
  /// Peers of the connections that the kernel keeps over an adapter.
  func peers(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> [BluetoothAddress]
  /// The indices of the adapters that the kernel's host knows: all but those that a program has through a user channel,
  /// or that are raw.
  func managedIndices() throws(SystemCallFailure) -> [UInt16]
  /// Takes the adapter away from the kernel's host, which cuts its connections.
  func takeDown(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure)
  /// Gives the adapter to the kernel's host.
  func bringUp(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure)
  /// Makes the socket the adapter's only host.
  func bindUserChannel(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure)
  /// Gives a socket back.
  func close(_ socket: FileDescriptor)
}

/// The calls of Linux, as BlueZ's headers describe them.
struct LinuxHCISystem: HCISystem {
  func socket() throws(SystemCallFailure) -> FileDescriptor { try Self.socket() }

  /// A new HCI socket, non-blocking.
  static func socket() throws(SystemCallFailure) -> FileDescriptor {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = try SystemCall.checked("socket") { Glibc.socket(AF_BLUETOOTH, kind, BTPROTO_HCI) }
    return FileDescriptor(adopting: number, isSocket: true)
  }

  func indices(_ socket: FileDescriptor) throws(SystemCallFailure) -> [UInt16] {
    var indices = [UInt16](repeating: 0, count: Int(HCI_MAX_DEV))
    let count = try SystemCall.checked("HCIGETDEVLIST") {
      cbluetooth_adapters(socket.number, &indices, UInt16(indices.count))
    }
    return Array(indices.prefix(Int(count)))
  }

  func adapter(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> KernelAdapter {
    var info = hci_dev_info()
    info.dev_id = index
    try socket.control("HCIGETDEVINFO", cbluetooth_device_info, &info)
    return KernelAdapter(index: index, address: Self.address(info.bdaddr), flags: info.flags)
  }

  /// The most connections of an adapter that the kernel is asked for.
  private static let connectionLimit = 32

  func peers(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> [BluetoothAddress] {
    var connections = [hci_conn_info](repeating: hci_conn_info(), count: Self.connectionLimit)
    let count = try SystemCall.checked("HCIGETCONNLIST") {
      cbluetooth_connections(socket.number, index, &connections, UInt16(connections.count))
    }
    return connections.prefix(Int(count)).map { Self.address($0.bdaddr) }
  }

  func takeDown(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) {
    try socket.control("HCIDEVDOWN", cbluetooth_device_down, number: Int32(index))
  }

  func bringUp(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) {
    try socket.control("HCIDEVUP", cbluetooth_device_up, number: Int32(index))
  }

  func bindUserChannel(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) {
    try Self.bind(socket, to: index, channel: UInt16(HCI_CHANNEL_USER))
  }

  func close(_ socket: FileDescriptor) { socket.close() }

  /// Binds a socket to a channel of an adapter, or of the kernel's host where the index is HCI_DEV_NONE.
  static func bind(_ socket: FileDescriptor, to index: UInt16, channel: UInt16) throws(SystemCallFailure) {
    var address = Self.address(of: index, channel: channel)
    try SystemCall.checked("bind") {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
        }
      }
    }
  }

  /// The address of a channel of an adapter.
  static func address(of index: UInt16, channel: UInt16) -> sockaddr_hci {
    sockaddr_hci(hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: index, hci_channel: channel)
  }

  /// The kernel does not tell the type of an address, which is therefore printed without it.
  static func address(_ raw: bdaddr_t) -> BluetoothAddress {
    withUnsafeBytes(of: raw) { BluetoothAddress(littleEndian: Array($0), .public) }
  }
}
