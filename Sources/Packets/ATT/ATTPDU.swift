import Bytes

/// A PDU of the Attribute Protocol (Core Specification Vol 3, Part F, 3.4): everything a GATT client and server
/// exchange on one bearer. PDUs that this project does not use are ``unknown(_:_:)`` and keep their octets.
public enum ATTPDU: Hashable, Sendable {
  /// The server cannot carry out the request with this opcode; the handle is the one in error, or 0.
  case errorResponse(request: ATTOpcode, handle: AttributeHandle, ATTErrorCode)
  /// The client's largest PDU, in octets.
  case exchangeMTURequest(UInt16)
  /// The server's largest PDU, in octets.
  case exchangeMTUResponse(UInt16)
  /// The client asks for handles and types.
  case findInformationRequest(HandleRange)
  /// Handles and types, all types of one size.
  case findInformationResponse([AttributeInformation])
  /// The client asks for attributes of a 16-bit type and a value.
  case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
  /// The groups found.
  case findByTypeValueResponse([HandleRange])
  /// The client asks for values of a type.
  case readByTypeRequest(HandleRange, BluetoothUUID)
  /// Handles and values, all values of one length.
  case readByTypeResponse([AttributeValue])
  /// The client asks for a value.
  case readRequest(AttributeHandle)
  /// The value, cut to the MTU.
  case readResponse([UInt8])
  /// The client asks for a value from an offset on.
  case readBlobRequest(AttributeHandle, offset: UInt16)
  /// The part from there, cut to the MTU.
  case readBlobResponse([UInt8])
  /// The client asks for several values.
  case readMultipleRequest([AttributeHandle])
  /// The values one after the other, cut to the MTU.
  case readMultipleResponse([UInt8])
  /// The client asks for groups of a type.
  case readByGroupTypeRequest(HandleRange, BluetoothUUID)
  /// Groups and values, all values of one length.
  case readByGroupTypeResponse([AttributeGroup])
  /// The client asks to write.
  case writeRequest(AttributeHandle, [UInt8])
  /// The value was written.
  case writeResponse
  /// The client writes and wants no answer.
  case writeCommand(AttributeHandle, [UInt8])
  /// The client queues a part of a value.
  case prepareWriteRequest(AttributeHandle, offset: UInt16, [UInt8])
  /// The server repeats the queued value.
  case prepareWriteResponse(AttributeHandle, offset: UInt16, [UInt8])
  /// The client asks to write the queue, or else to drop it.
  case executeWriteRequest(commits: Bool)
  /// The queue is empty again.
  case executeWriteResponse
  /// The server tells a value.
  case notification(AttributeHandle, [UInt8])
  /// The server tells a value and waits.
  case indication(AttributeHandle, [UInt8])
  /// The client received the indication.
  case confirmation
  /// A PDU with an opcode that this project does not use, and the octets after it.
  case unknown(ATTOpcode, [UInt8])

  /// ATT_MTU of every LE bearer before an exchange, and the least there can be (Vol 3, Part F, 3.2.8; Part G, 5.2.1).
  public static let defaultMTU: UInt16 = 23
  /// Longest attribute value, in octets (Vol 3, Part F, 3.2.9).
  public static let maximumValueLength = 512

  /// The first octet.
  public var opcode: ATTOpcode {
    switch self {
    case .errorResponse: .errorResponse
    case .exchangeMTURequest: .exchangeMTURequest
    case .exchangeMTUResponse: .exchangeMTUResponse
    case .findInformationRequest: .findInformationRequest
    case .findInformationResponse: .findInformationResponse
    case .findByTypeValueRequest: .findByTypeValueRequest
    case .findByTypeValueResponse: .findByTypeValueResponse
    case .readByTypeRequest: .readByTypeRequest
    case .readByTypeResponse: .readByTypeResponse
    case .readRequest: .readRequest
    case .readResponse: .readResponse
    case .readBlobRequest: .readBlobRequest
    case .readBlobResponse: .readBlobResponse
    case .readMultipleRequest: .readMultipleRequest
    case .readMultipleResponse: .readMultipleResponse
    case .readByGroupTypeRequest: .readByGroupTypeRequest
    case .readByGroupTypeResponse: .readByGroupTypeResponse
    case .writeRequest: .writeRequest
    case .writeResponse: .writeResponse
    case .writeCommand: .writeCommand
    case .prepareWriteRequest: .prepareWriteRequest
    case .prepareWriteResponse: .prepareWriteResponse
    case .executeWriteRequest: .executeWriteRequest
    case .executeWriteResponse: .executeWriteResponse
    case .notification: .handleValueNotification
    case .indication: .handleValueIndication
    case .confirmation: .handleValueConfirmation
    case .unknown(let opcode, _): opcode
    }
  }
}
