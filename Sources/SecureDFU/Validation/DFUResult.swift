/// How a request ended.
public enum DFUResult: Hashable, Sendable {
  /// The request ended with a code that needs no explanation.
  case code(DFUResultCode)
  /// The request was refused with an extended error.
  case extended(DFUExtendedError)

  /// The request was carried out.
  public static let success = DFUResult.code(.success)

  /// The octets after the request's in a response: the result code and, where it has one, the extended error.
  public var encoded: [UInt8] {
    switch self {
    case .code(let code): [code.rawValue]
    case .extended(let error): [DFUResultCode.extendedError.rawValue, error.rawValue]
    }
  }

  /// The response to a request of the control point.
  public func reply(to opCode: DFUOpCode) -> [UInt8] { [DFUOpCode.response, opCode.rawValue] + encoded }
}
