import Bytes

/// The values of the buttonless characteristic, by which the application is asked to start the bootloader
/// (nRF5 SDK 17.1.0, `ble_dfu.h`, `ble_dfu_unbonded.c`).
public enum ButtonlessUpdate {
  /// The first octet of a request.
  public enum OpCode: UInt8, CaseIterable, Sendable {
    /// Starts the bootloader.
    case enterBootloader = 0x01
    /// Sets the name that the bootloader advertises: its length in one octet, then the name.
    case setName = 0x02
  }

  /// The third octet of a response.
  public enum ResultCode: UInt8, CaseIterable, Sendable {
    /// The request was carried out.
    case success = 0x01
    /// The request is unknown.
    case notSupported = 0x02
    /// The request could not be carried out; a name can be set only once.
    case operationFailed = 0x04
    /// The name is empty, or longer than ``nameLengths`` allows.
    case invalidName = 0x05
  }

  /// The first octet of every response.
  public static let response: UInt8 = 0x20
  /// Octets of a response: ``response``, the opcode of the request, the result.
  public static let responseLength = 3
  /// Octets that a name may have.
  public static let nameLengths = 1...20
  /// Octets of the longest value, the default ATT_MTU.
  public static let maximumLength = 23

  /// A request that is written, or the response to one that is indicated.
  public static let layout = WireLayout(
    "buttonless DFU", [WireField("request", .choice(OpCode.allCases.map { WireChoice($0, $0.fields) } + [answer]))])

  private static let answer = WireChoice(
    response, "response",
    [
      WireField(
        "answers",
        .choice(
          OpCode.allCases.map {
            WireChoice($0, [WireField("result", .choice(ResultCode.allCases.map { WireChoice($0) }))])
          }
        ))
    ])

  /// The response to the request that begins with `opCode`.
  public static func reply(to opCode: UInt8, _ result: UInt8) -> [UInt8] { [response, opCode, result] }
}

extension ButtonlessUpdate.OpCode {
  /// The fields after the opcode of a request.
  fileprivate var fields: [WireField] {
    switch self {
    case .enterBootloader: []
    case .setName: [WireField("length", .length(octets: 1, countsItself: false)), WireField("name", .rest)]
    }
  }
}
