/// A controller error code (Core Specification Vol 1, Part F).
///
/// An open set: a controller may answer any octet.
public struct ErrorCode: Error, Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// No error.
  public static let success = ErrorCode(0x00)
  /// The opcode is not known.
  public static let unknownCommand = ErrorCode(0x01)
  /// No connection has that handle.
  public static let unknownConnectionIdentifier = ErrorCode(0x02)
  /// The controller failed in some way that it cannot name.
  public static let hardwareFailure = ErrorCode(0x03)
  /// Pairing or authentication failed, or a MIC did.
  public static let authenticationFailure = ErrorCode(0x05)
  /// The long-term key asked for is not there.
  public static let pinOrKeyMissing = ErrorCode(0x06)
  /// No room for one more.
  public static let memoryCapacityExceeded = ErrorCode(0x07)
  /// Nothing was heard for the supervision time-out.
  public static let connectionTimeout = ErrorCode(0x08)
  /// No further connection can be made.
  public static let connectionLimitExceeded = ErrorCode(0x09)
  /// A connection to that device exists.
  public static let connectionAlreadyExists = ErrorCode(0x0B)
  /// Not allowed in this state.
  public static let commandDisallowed = ErrorCode(0x0C)
  /// The feature or a parameter's value is not supported.
  public static let unsupportedFeatureOrParameterValue = ErrorCode(0x11)
  /// A parameter is outside its range.
  public static let invalidHCICommandParameters = ErrorCode(0x12)
  /// The user or application at the other end ended the connection.
  public static let remoteUserTerminatedConnection = ErrorCode(0x13)
  /// The other end is short of resources.
  public static let remoteDeviceTerminatedDueToLowResources = ErrorCode(0x14)
  /// The other end is being switched off.
  public static let remoteDeviceTerminatedDueToPowerOff = ErrorCode(0x15)
  /// This host ended the connection.
  public static let connectionTerminatedByLocalHost = ErrorCode(0x16)
  /// The other end does not have the feature.
  public static let unsupportedRemoteFeature = ErrorCode(0x1A)
  /// No reason was given.
  public static let unspecifiedError = ErrorCode(0x1F)
  /// A link-layer procedure was not answered within 40 s.
  public static let linkLayerResponseTimeout = ErrorCode(0x22)
  /// Two procedures collided.
  public static let linkLayerProcedureCollision = ErrorCode(0x23)
  /// The instant of a change had passed when it was heard.
  public static let instantPassed = ErrorCode(0x28)
  /// A change of encryption is under way.
  public static let differentTransactionCollision = ErrorCode(0x2A)
  /// The connection parameters asked for were refused.
  public static let unacceptableConnectionParameters = ErrorCode(0x3B)
  /// An advertising time-out.
  public static let advertisingTimeout = ErrorCode(0x3C)
  /// A message integrity check failed on an encrypted link.
  public static let connectionTerminatedDueToMICFailure = ErrorCode(0x3D)
  /// The first packets of a connection were never heard.
  public static let connectionFailedToBeEstablished = ErrorCode(0x3E)

  /// Whether a host may give this code as the reason for ending a link (Vol 4, Part E, 7.1.6).
  public var isHostDisconnectionReason: Bool {
    switch rawValue {
    case 0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B: true
    default: false
    }
  }
}
