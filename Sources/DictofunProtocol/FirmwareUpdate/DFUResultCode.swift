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
  /// The fourth octet says why.
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
