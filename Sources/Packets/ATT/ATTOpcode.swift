/// First octet of an ATT PDU (Core Specification Vol 3, Part F, 3.3.1 and 3.4.8); an open set.
public struct ATTOpcode: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// A request cannot be carried out (3.4.1.1).
  public static let errorResponse = ATTOpcode(0x01)
  /// The client tells the largest PDU it takes (3.4.2.1).
  public static let exchangeMTURequest = ATTOpcode(0x02)
  /// The server tells the largest PDU it takes (3.4.2.2).
  public static let exchangeMTUResponse = ATTOpcode(0x03)
  /// Asks for handles and types in a range (3.4.3.1).
  public static let findInformationRequest = ATTOpcode(0x04)
  /// Handles and types (3.4.3.2).
  public static let findInformationResponse = ATTOpcode(0x05)
  /// Asks for attributes of one type and value (3.4.3.3).
  public static let findByTypeValueRequest = ATTOpcode(0x06)
  /// Handles and group ends (3.4.3.4).
  public static let findByTypeValueResponse = ATTOpcode(0x07)
  /// Asks for the values of one type in a range (3.4.4.1).
  public static let readByTypeRequest = ATTOpcode(0x08)
  /// Handles and values of equal length (3.4.4.2).
  public static let readByTypeResponse = ATTOpcode(0x09)
  /// Asks for a value (3.4.4.3).
  public static let readRequest = ATTOpcode(0x0A)
  /// A value, or its beginning (3.4.4.4).
  public static let readResponse = ATTOpcode(0x0B)
  /// Asks for a value from an offset on (3.4.4.5).
  public static let readBlobRequest = ATTOpcode(0x0C)
  /// A part of a value (3.4.4.6).
  public static let readBlobResponse = ATTOpcode(0x0D)
  /// Asks for several values of known length (3.4.4.7).
  public static let readMultipleRequest = ATTOpcode(0x0E)
  /// Several values without separators (3.4.4.8).
  public static let readMultipleResponse = ATTOpcode(0x0F)
  /// Asks for the grouping attributes of one type in a range (3.4.4.9).
  public static let readByGroupTypeRequest = ATTOpcode(0x10)
  /// Groups and values of equal length (3.4.4.10).
  public static let readByGroupTypeResponse = ATTOpcode(0x11)
  /// Asks to write a value (3.4.5.1).
  public static let writeRequest = ATTOpcode(0x12)
  /// A value was written (3.4.5.2).
  public static let writeResponse = ATTOpcode(0x13)
  /// Puts a part of a value into the server's queue (3.4.6.1).
  public static let prepareWriteRequest = ATTOpcode(0x16)
  /// Repeats the queued value (3.4.6.2).
  public static let prepareWriteResponse = ATTOpcode(0x17)
  /// Asks to write or drop the queued values (3.4.6.3).
  public static let executeWriteRequest = ATTOpcode(0x18)
  /// The queue was written or dropped (3.4.6.4).
  public static let executeWriteResponse = ATTOpcode(0x19)
  /// The server tells a value (3.4.7.1).
  public static let handleValueNotification = ATTOpcode(0x1B)
  /// The server tells a value and waits for the confirmation (3.4.7.2).
  public static let handleValueIndication = ATTOpcode(0x1D)
  /// The client has received an indication (3.4.7.3).
  public static let handleValueConfirmation = ATTOpcode(0x1E)
  /// Asks for several values of any length (3.4.4.11).
  public static let readMultipleVariableRequest = ATTOpcode(0x20)
  /// Several values with their lengths (3.4.4.12).
  public static let readMultipleVariableResponse = ATTOpcode(0x21)
  /// The server tells several values (3.4.7.4).
  public static let multipleHandleValueNotification = ATTOpcode(0x23)
  /// Writes a value without an answer (3.4.5.3).
  public static let writeCommand = ATTOpcode(0x52)
  /// Writes a signed value without an answer (3.4.5.4).
  public static let signedWriteCommand = ATTOpcode(0xD2)

  /// Whether the command flag is set: never answered, not even with an error (3.3.1).
  public var isCommand: Bool { rawValue & 0x40 != 0 }

  /// The role of a PDU with this opcode, where the opcode is known (3.3.1).
  public enum Role: Hashable, Sendable {
    /// A client asks; the server answers.
    case request
    /// A server answers.
    case response
    /// A client sends it; it is not answered.
    case command
    /// A server sends it; it is not answered.
    case notification
    /// A server tells; the client confirms.
    case indication
    /// A client confirms.
    case confirmation
  }

  /// The role of a known opcode; an unknown one is a request, or a command by its flag.
  public var role: Role {
    switch rawValue {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
    case 0x1B, 0x23: .notification
    case 0x1D: .indication
    case 0x1E: .confirmation
    default: isCommand ? .command : .request
    }
  }
}
