/// An ATT error code (Core Specification Vol 3, Part F, 3.4.1.1); an open set, 0x80 to 0x9F being the application's.
public struct ATTErrorCode: Error, Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// The handle is not valid on this server.
  public static let invalidHandle = ATTErrorCode(0x01)
  /// The value cannot be read.
  public static let readNotPermitted = ATTErrorCode(0x02)
  /// The value cannot be written.
  public static let writeNotPermitted = ATTErrorCode(0x03)
  /// The PDU was not valid.
  public static let invalidPDU = ATTErrorCode(0x04)
  /// No key exists that could secure the link.
  public static let insufficientAuthentication = ATTErrorCode(0x05)
  /// The server does not support the request.
  public static let requestNotSupported = ATTErrorCode(0x06)
  /// The offset is beyond the end of the value.
  public static let invalidOffset = ATTErrorCode(0x07)
  /// The client may not do this.
  public static let insufficientAuthorization = ATTErrorCode(0x08)
  /// Too many prepared writes are waiting.
  public static let prepareQueueFull = ATTErrorCode(0x09)
  /// Nothing was found in that range of handles.
  public static let attributeNotFound = ATTErrorCode(0x0A)
  /// The value cannot be read or written by parts.
  public static let attributeNotLong = ATTErrorCode(0x0B)
  /// The key is shorter than required.
  public static let encryptionKeySizeTooShort = ATTErrorCode(0x0C)
  /// The value's length does not fit.
  public static let invalidAttributeValueLength = ATTErrorCode(0x0D)
  /// An error that has no better name.
  public static let unlikelyError = ATTErrorCode(0x0E)
  /// A key exists, but the link is not encrypted.
  public static let insufficientEncryption = ATTErrorCode(0x0F)
  /// The type is not a grouping attribute.
  public static let unsupportedGroupType = ATTErrorCode(0x10)
  /// The server is short of resources.
  public static let insufficientResources = ATTErrorCode(0x11)
  /// The database is not the one the client knew; it must discover again (Part G, 2.5.2.1).
  public static let databaseOutOfSync = ATTErrorCode(0x12)
  /// The value is not allowed here.
  public static let valueNotAllowed = ATTErrorCode(0x13)
  /// A procedure is already in progress (Supplement, Part B, 1.2).
  public static let procedureAlreadyInProgress = ATTErrorCode(0xFE)
  /// The client configuration is not set as this needs (Supplement, Part B, 1.2).
  public static let improperlyConfigured = ATTErrorCode(0xFD)
}
