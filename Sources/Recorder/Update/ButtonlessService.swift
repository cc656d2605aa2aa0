import DictofunProtocol

/// The application's part of the buttonless service, for devices without bonds (nRF5 SDK 17.1.0,
/// `ble_dfu_unbonded.c`).
struct ButtonlessService: Hashable, Sendable {
  /// Whether the chip resets when the next indication is confirmed, on this link or a later one.
  private(set) var isWaitingForReset = false

  /// Takes a request and returns the response to indicate; `nil` where the link ends instead. `name` is the bootloader's
  /// name in the settings, which can be written once.
  mutating func answer(
    _ request: [UInt8], name: inout [UInt8]?, fault: BootloaderFaults.NameFault?
  ) -> [UInt8]? {
    let octet = request.first ?? 0
    let result: UInt8
    switch ButtonlessUpdate.OpCode(rawValue: octet) {
    case .enterBootloader?:
      isWaitingForReset = true
      result = ButtonlessUpdate.ResultCode.success.rawValue
    case .setName?:
      switch fault {
      case .disconnects?: return nil
      case .result(let code)?: result = code
      case nil: result = store(request, &name).rawValue
      }
    case nil: result = ButtonlessUpdate.ResultCode.notSupported.rawValue
    }
    return ButtonlessUpdate.reply(to: octet, result)
  }

  private func store(_ request: [UInt8], _ name: inout [UInt8]?) -> ButtonlessUpdate.ResultCode {
    guard request.count > 1, ButtonlessUpdate.nameLengths.contains(Int(request[1])) else { return .invalidName }
    guard name == nil else { return .operationFailed }
    name = Array(request.dropFirst(2).prefix(Int(request[1])))
    return .success
  }
}
