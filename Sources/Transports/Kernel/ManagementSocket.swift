import CBluetooth
import Glibc

/// Questions to the kernel's host through its management interface (doc/mgmt-api.txt of BlueZ), which needs no privileges
/// for them.
enum ManagementSocket {
  /// What is asked; the raw values are the interface's opcodes.
  enum Question: UInt16 {
    /// The adapters that are ready for use.
    case indexList = 0x0003
    /// The adapters that lack something, such as an address.
    case unconfiguredIndexList = 0x0036
  }

  private static let headerLength = 6
  private static let commandComplete: UInt16 = 0x0001
  /// Milliseconds that the kernel, which answers at once, may take; and other events that may come before.
  private static let patience: Int32 = 200
  private static let otherEvents = 32

  /// The indices that a list holds.
  static func indices(_ question: Question) throws(SystemCallFailure) -> [UInt16] {
    let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(AF_BLUETOOTH, kind, BTPROTO_HCI)
    guard socket >= 0 else { throw .last("socket") }
    defer { _ = Glibc.close(socket) }
    var address = sockaddr_hci(
      hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: UInt16(HCI_DEV_NONE), hci_channel: UInt16(HCI_CHANNEL_CONTROL))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
      }
    }
    guard status == 0 else { throw .last("bind") }
    let request = littleEndian(question.rawValue) + littleEndian(UInt16(HCI_DEV_NONE)) + littleEndian(0)
    guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw .last("send") }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    for _ in 0..<otherEvents where poll(&ready, 1, patience) > 0 {
      let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if let indices = indices(in: Array(buffer.prefix(max(0, count))), answering: question) { return indices }
    }
    throw SystemCallFailure("recv", ETIMEDOUT)
  }

  /// The indices in an event; `nil` for one that is not the answer.
  static func indices(in event: [UInt8], answering question: Question) -> [UInt16]? {
    func number(_ position: Int) -> UInt16 { UInt16(event[position]) | UInt16(event[position + 1]) << 8 }
    // Behind the header: the command's opcode, its status, how many indices, the indices.
    let list = headerLength + 5
    guard event.count >= list, number(0) == commandComplete, number(headerLength) == question.rawValue,
      event[headerLength + 2] == 0
    else { return nil }
    let count = min(Int(number(headerLength + 3)), (event.count - list) / 2)
    return (0..<count).map { number(list + 2 * $0) }
  }

  private static func littleEndian(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

extension LinuxHCISystem {
  func managedIndices() throws(SystemCallFailure) -> [UInt16] {
    try ManagementSocket.indices(.indexList) + ManagementSocket.indices(.unconfiguredIndexList)
  }
}
