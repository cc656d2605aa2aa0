import Bytes
import CBluetooth
import Glibc

/// The calls of the system about its Bluetooth adapters; tests put their own in place.
protocol HCISystem {
  /// A new HCI socket, non-blocking.
  func socket() throws(SystemCallFailure) -> Int32
  /// The indices of all adapters.
  func indices(_ socket: Int32) throws(SystemCallFailure) -> [UInt16]
  /// One adapter.
  func adapter(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) -> KernelAdapter
  /// Peers of the connections that the kernel keeps over an adapter.
  func peers(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) -> [BluetoothAddress]
  /// The indices of the adapters that the kernel's host knows: all but those that a program has through a user channel,
  /// or that are raw.
  func managedIndices() throws(SystemCallFailure) -> [UInt16]
  /// Takes the adapter away from the kernel's host, which cuts its connections.
  func takeDown(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure)
  /// Gives the adapter to the kernel's host.
  func bringUp(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure)
  /// Makes the socket the adapter's only host.
  func bindUserChannel(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure)
  /// Gives a socket back.
  func close(_ socket: Int32)
}

/// The calls of Linux, as BlueZ's headers describe them.
struct LinuxHCISystem: HCISystem {
  func socket() throws(SystemCallFailure) -> Int32 {
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(AF_BLUETOOTH, kind, BTPROTO_HCI)
    guard socket >= 0 else { throw .last("socket") }
    return socket
  }

  func indices(_ socket: Int32) throws(SystemCallFailure) -> [UInt16] {
    var indices = [UInt16](repeating: 0, count: Int(HCI_MAX_DEV))
    let count = cbluetooth_adapters(socket, &indices, UInt16(indices.count))
    guard count >= 0 else { throw .last("HCIGETDEVLIST") }
    return Array(indices.prefix(Int(count)))
  }

  func adapter(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) -> KernelAdapter {
    var info = hci_dev_info()
    info.dev_id = index
    guard ioctl(socket, cbluetooth_device_info, &info) == 0 else { throw .last("HCIGETDEVINFO") }
    return KernelAdapter(index: index, address: Self.address(info.bdaddr), flags: info.flags)
  }

  func peers(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) -> [BluetoothAddress] {
    var connections = [hci_conn_info](repeating: hci_conn_info(), count: 32)
    let count = cbluetooth_connections(socket, index, &connections, UInt16(connections.count))
    guard count >= 0 else { throw .last("HCIGETCONNLIST") }
    return connections.prefix(Int(count)).map { Self.address($0.bdaddr) }
  }

  func takeDown(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) {
    guard ioctl(socket, cbluetooth_device_down, Int32(index)) == 0 else { throw .last("HCIDEVDOWN") }
  }

  func bringUp(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) {
    guard ioctl(socket, cbluetooth_device_up, Int32(index)) == 0 else { throw .last("HCIDEVUP") }
  }

  func bindUserChannel(_ socket: Int32, _ index: UInt16) throws(SystemCallFailure) {
    var address = Self.userChannel(of: index)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
      }
    }
    guard status == 0 else { throw .last("bind") }
  }

  func close(_ socket: Int32) { _ = Glibc.close(socket) }

  /// The address of an adapter's user channel.
  static func userChannel(of index: UInt16) -> sockaddr_hci {
    sockaddr_hci(hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: index, hci_channel: UInt16(HCI_CHANNEL_USER))
  }

  /// The kernel does not say of which type an address is; it is printed without.
  static func address(_ raw: bdaddr_t) -> BluetoothAddress {
    withUnsafeBytes(of: raw) { BluetoothAddress(littleEndian: Array($0), .public) }
  }
}
