/// The code of an HCI event (Core Specification Vol 4, Part E, 7.7). An open set.
public struct EventCode: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// A connection ended (7.7.5).
  public static let disconnectionComplete = EventCode(0x05)
  /// Encryption was switched on or off, or could not be (7.7.8).
  public static let encryptionChange = EventCode(0x08)
  /// The version of the other end's controller is known (7.7.12).
  public static let readRemoteVersionInformationComplete = EventCode(0x0C)
  /// A command was carried out (7.7.14).
  public static let commandComplete = EventCode(0x0E)
  /// A command was taken or refused (7.7.15).
  public static let commandStatus = EventCode(0x0F)
  /// The controller's hardware failed (7.7.16).
  public static let hardwareError = EventCode(0x10)
  /// ACL packets were sent and their buffers are free again (7.7.19).
  public static let numberOfCompletedPackets = EventCode(0x13)
  /// A link key was made for a connection of BR/EDR (7.7.24).
  public static let linkKeyNotification = EventCode(0x18)
  /// The host sent more than the controller had room for (7.7.26).
  public static let dataBufferOverflow = EventCode(0x1A)
  /// The key of an encrypted connection was changed (7.7.39).
  public static let encryptionKeyRefreshComplete = EventCode(0x30)
  /// An event of Bluetooth LE; the first parameter says which (7.7.65).
  public static let leMeta = EventCode(0x3E)
  /// Encryption was switched on or off, or could not be, and how long its key is (7.7.8, version 2).
  public static let encryptionChangeV2 = EventCode(0x59)
}

/// The code of an LE Meta subevent (Core Specification Vol 4, Part E, 7.7.65). An open set.
public struct LESubeventCode: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// A connection was made, or could not be (7.7.65.1).
  public static let connectionComplete = LESubeventCode(0x01)
  /// Advertising was heard (7.7.65.2).
  public static let advertisingReport = LESubeventCode(0x02)
  /// The parameters of a connection changed, or could not be (7.7.65.3).
  public static let connectionUpdateComplete = LESubeventCode(0x03)
  /// The features of the other end are known (7.7.65.4).
  public static let readRemoteFeaturesComplete = LESubeventCode(0x04)
  /// The controller of a peripheral needs a key (7.7.65.5).
  public static let longTermKeyRequest = LESubeventCode(0x05)
  /// The other end asks for other connection parameters (7.7.65.6).
  public static let remoteConnectionParameterRequest = LESubeventCode(0x06)
  /// The longest payload of a connection changed (7.7.65.7).
  public static let dataLengthChange = LESubeventCode(0x07)
  /// The controller generated a Diffie-Hellman key (7.7.65.9).
  public static let generateDHKeyComplete = LESubeventCode(0x09)
  /// A connection was made, told with resolvable addresses (7.7.65.10).
  public static let enhancedConnectionComplete = LESubeventCode(0x0A)
  /// The PHYs of a connection changed, or could not be (7.7.65.12).
  public static let phyUpdateComplete = LESubeventCode(0x0C)
  /// Advertising was heard, told in the extended form (7.7.65.13).
  public static let extendedAdvertisingReport = LESubeventCode(0x0D)
}
