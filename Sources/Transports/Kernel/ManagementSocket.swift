import CBluetooth
import System

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
  /// Octets of the longest event that is read.
  private static let longestEvent = 1_024

  /// The indices that a list holds.
  static func indices(_ question: Question) throws(SystemCallFailure) -> [UInt16] {
    let socket = try LinuxHCISystem.socket()
    defer { socket.close() }
    try LinuxHCISystem.bind(socket, to: UInt16(HCI_DEV_NONE), channel: UInt16(HCI_CHANNEL_CONTROL))
    let request = littleEndian(question.rawValue) + littleEndian(UInt16(HCI_DEV_NONE)) + littleEndian(0)
    guard try socket.write(request[...]) == request.count else { throw SystemCallFailure("send", .wouldBlock) }
    for _ in 0..<otherEvents where socket.isReady(for: .readable, within: patience) {
      guard let event = try socket.read(upTo: longestEvent) else { continue }
      if let indices = indices(in: event, answering: question) { return indices }
    }
    throw SystemCallFailure("recv", .timedOut)
  }

  /// The indices in an event; `nil` for one that is not the answer.
  static func indices(in event: [UInt8], answering question: Question) -> [UInt16]? {
    func number(_ position: Int) -> UInt16 { UInt16(event[position]) | UInt16(event[position + 1]) << 8 }
    // After the header: the command's opcode, its status, how many indices, the indices.
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
