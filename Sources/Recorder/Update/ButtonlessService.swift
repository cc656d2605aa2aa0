/// The application's way into the bootloader, for devices without bonds (nRF5 SDK 17.1.0, `ble_dfu_unbonded.c`).
struct ButtonlessService: Hashable, Sendable {
  private enum OpCode {
    static let enterBootloader: UInt8 = 0x01
    static let setName: UInt8 = 0x02
    static let response: UInt8 = 0x20
  }

  private enum Result {
    static let success: UInt8 = 0x01
    static let notSupported: UInt8 = 0x02
    static let failed: UInt8 = 0x04
    static let nameInvalid: UInt8 = 0x05
  }

  /// Octets that a name may have.
  private static let nameLengths = 1...20

  /// Whether the chip resets when the next indication is confirmed, on this link or a later one.
  private(set) var isWaitingForReset = false

  /// Takes a request; what is indicated, or `nil` where the link ends instead. `name` is the place for a name in the
  /// settings, which can be written once.
  mutating func answer(
    _ request: [UInt8], name: inout [UInt8]?, fault: BootloaderFaults.NameFault?
  ) -> [UInt8]? {
    let opCode = request.first ?? 0
    switch opCode {
    case OpCode.enterBootloader:
      isWaitingForReset = true
      return [OpCode.response, opCode, Result.success]
    case OpCode.setName:
      switch fault {
      case .disconnects?: return nil
      case .result(let code)?: return [OpCode.response, opCode, code]
      case nil: return [OpCode.response, opCode, store(request, &name)]
      }
    default: return [OpCode.response, opCode, Result.notSupported]
    }
  }

  private func store(_ request: [UInt8], _ name: inout [UInt8]?) -> UInt8 {
    guard request.count > 1, Self.nameLengths.contains(Int(request[1])) else { return Result.nameInvalid }
    guard name == nil else { return Result.failed }
    name = Array(request.dropFirst(2).prefix(Int(request[1])))
    return Result.success
  }
}
