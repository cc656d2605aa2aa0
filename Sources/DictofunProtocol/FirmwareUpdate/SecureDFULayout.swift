import Bytes

/// The layouts of the values of a bootloader's characteristics (nRF5 SDK 17.1.0, `nrf_dfu_req_handler.h`,
/// `nrf_dfu_ble.c`).
public enum SecureDFULayout {
  /// The control point: a request that is written, or the answer to one that is notified.
  public static let controlPoint = WireLayout(
    "DFU control point", [WireField("request", .choice(requests + [response]))])

  /// The packet characteristic.
  public static let packet = WireLayout("DFU packet", [WireField("data", .rest)])

  private static let requests = DFUOpCode.allCases.map { WireChoice($0, $0.parameters) }

  private static let response = WireChoice(
    DFUOpCode.response, "response",
    [WireField("answers", .choice(DFUOpCode.allCases.map { WireChoice($0, [result(of: $0)]) }))])

  private static func result(of opCode: DFUOpCode) -> WireField {
    let errors = WireField("extended error", .choice(DFUExtendedError.allCases.map { WireChoice($0) }))
    let results = DFUResultCode.allCases.map { code in
      switch code {
      case .success: WireChoice(code, opCode.reply.fields)
      case .extendedError: WireChoice(code, [errors])
      default: WireChoice(code)
      }
    }
    return WireField("result", .choice(results))
  }
}

extension DFUOpCode {
  /// The fields after the opcode of a request.
  fileprivate var parameters: [WireField] {
    let object = WireField("object", .choice(DFUObjectType.allCases.map { WireChoice($0) }))
    return switch self {
    case .createObject: [object, .number("size", octets: 4, unit: "octets")]
    case .selectObject: [object]
    case .setPacketReceiptNotification: [.number("packets", octets: 2)]
    default: []
    }
  }

  /// The fields after the result code of a response that reports success.
  public var reply: WireLayout {
    let state: [WireField] = [.number("offset", octets: 4), .number("checksum", octets: 4)]
    return switch self {
    case .selectObject: WireLayout("selection", [.number("maximum size", octets: 4, unit: "octets")] + state)
    case .getChecksum: WireLayout("checksum", state)
    default: WireLayout("answer", [])
    }
  }
}
