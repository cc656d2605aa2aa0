/// The third octet of a control point's response (nRF5 SDK 17.1.0, `nrf_dfu_result_t`).
public enum DFUResultCode: UInt8, CaseIterable, Sendable {
  /// The request was carried out.
  case success = 0x01
  /// The request is unknown, or left out of this build.
  case opCodeNotSupported = 0x02
  /// A size is zero or does not end on a page, or a packet goes beyond its object.
  case invalidParameter = 0x03
  /// An object or an image is larger than there is room for.
  case insufficientResources = 0x04
  /// An object's type is unknown, its content cannot be decoded, or a signature is wrong.
  case invalidObject = 0x05
  /// The request does not fit what came before.
  case operationNotPermitted = 0x08
  /// A signature is too short, or settings could not be stored.
  case operationFailed = 0x0A
  /// The fourth octet tells.
  case extendedError = 0x0B
}

/// The fourth octet of a response whose third says `extendedError` (nRF5 SDK 17.1.0, `nrf_dfu_ext_error_code_t`).
public enum DFUExtendedError: UInt8, CaseIterable, Sendable {
  /// A field that the type needs is missing, or the type is not supported.
  case initCommandInvalid = 0x04
  /// The version is below the installed one.
  case firmwareVersion = 0x05
  /// The image is for other hardware.
  case hardwareVersion = 0x06
  /// The image needs another SoftDevice.
  case softDeviceVersion = 0x07
  /// The packet is not signed.
  case signatureMissing = 0x08
  /// The hash is not SHA-256.
  case wrongHashType = 0x09
  /// The signature is not ECDSA on P-256.
  case wrongSignatureType = 0x0B
  /// The image that arrived has another digest than the packet states.
  case verificationFailed = 0x0C
}

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

/// The first octet of a control point's request (nRF5 SDK 17.1.0, `nrf_dfu_op_t`).
public enum DFUOpCode: UInt8, CaseIterable, Sendable {
  /// Which version of the protocol is spoken; left out of reduced builds.
  case protocolVersion = 0x00
  /// Begins an object.
  case createObject = 0x01
  /// After how many packets a receipt is notified.
  case setPacketReceiptNotification = 0x02
  /// Offset and checksum of the current object.
  case getChecksum = 0x03
  /// Takes the object that was transferred.
  case executeObject = 0x04
  /// Makes an object the current one and tells its state.
  case selectObject = 0x06
  /// The transfer size of a serial link; left out of reduced builds.
  case getMTU = 0x07
  /// Content of an object on serial links; over the air it comes through the packet characteristic.
  case writeObject = 0x08
  /// Asks for an answer; left out of reduced builds.
  case ping = 0x09
  /// Which hardware it is; left out of reduced builds.
  case hardwareVersion = 0x0A
  /// Which firmware is installed; left out of reduced builds.
  case firmwareVersion = 0x0B
  /// Gives the update up.
  case abort = 0x0C

  /// The first octet of every response.
  public static let response: UInt8 = 0x60
}
