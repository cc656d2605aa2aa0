import Bytes

/// An event from controller to host (Core Specification Vol 4, Part E, 5.4.4 and 7.7).
public enum Event: Hashable, Sendable {
  /// A connection ended; with a status other than success the attempt to end it failed (7.7.5).
  case disconnectionComplete(ErrorCode, ConnectionHandle, reason: ErrorCode)
  /// Encryption was switched on or off, or could not be (7.7.8).
  case encryptionChange(ErrorCode, ConnectionHandle, isEncrypted: Bool)
  /// The same, with the octets of the key: of controllers from version 5.3 on, where the host asks for it (7.7.8).
  case encryptionChangeV2(ErrorCode, ConnectionHandle, isEncrypted: Bool, keySize: UInt8)
  /// The key of an encrypted connection was changed, or could not be (7.7.39).
  case encryptionKeyRefreshComplete(ErrorCode, ConnectionHandle)
  /// The version of the other end's controller is known, or could not be found out (7.7.12).
  case readRemoteVersionInformationComplete(ErrorCode, ConnectionHandle, RemoteVersion)
  /// A command was carried out; `credits` commands may now be sent (7.7.14).
  case commandComplete(Opcode, credits: UInt8, ReturnParameters)
  /// A command was taken or refused; `credits` commands may now be sent (7.7.15).
  case commandStatus(Opcode, credits: UInt8, ErrorCode)
  /// The controller's hardware failed; the code is its maker's (7.7.16).
  case hardwareError(UInt8)
  /// ACL packets were sent and their buffers are free again (7.7.19).
  case numberOfCompletedPackets([CompletedPackets])
  /// The host sent more than the controller had room for; the number is the type of link (7.7.26).
  case dataBufferOverflow(UInt8)
  /// A connection was made, or could not be (7.7.65.1).
  case leConnectionComplete(LEConnectionComplete)
  /// Advertising was heard (7.7.65.2).
  case leAdvertisingReport([LEAdvertisingReport])
  /// The parameters of a connection changed, or could not be (7.7.65.3).
  case leConnectionUpdateComplete(ErrorCode, ConnectionHandle, LELinkParameters)
  /// The features of the other end are known, or could not be found out (7.7.65.4).
  case leReadRemoteFeaturesComplete(ErrorCode, ConnectionHandle, LEFeatures)
  /// The controller of a peripheral needs the key that these numbers name (7.7.65.5).
  case leLongTermKeyRequest(ConnectionHandle, randomNumber: UInt64, encryptedDiversifier: UInt16)
  /// The other end asks for other connection parameters (7.7.65.6).
  case leRemoteConnectionParameterRequest(ConnectionHandle, LEParameterRequest)
  /// The longest packets of a connection changed (7.7.65.7).
  case leDataLengthChange(ConnectionHandle, LEDataLengths)
  /// A connection was made, told with resolvable addresses (7.7.65.10).
  case leEnhancedConnectionComplete(LEEnhancedConnectionComplete)
  /// The PHYs of a connection changed, or could not be (7.7.65.12).
  case lePHYUpdateComplete(ErrorCode, ConnectionHandle, transmit: PhysicalLayer, receive: PhysicalLayer)
  /// Advertising was heard, told in the extended form (7.7.65.13).
  case leExtendedAdvertisingReport([LEExtendedAdvertisingReport])
  /// An LE Meta subevent that this house does not use: its code and parameters.
  case leUnknown(LESubeventCode, [UInt8])
  /// An event that this house does not use: its code and parameters.
  case unknown(EventCode, [UInt8])

  /// Octets before the parameters.
  public static let headerLength = 2

  /// The event as it goes through a pipe.
  public var packet: HCIPacket { HCIPacket(.event, encoded) }

  /// ``numberOfCompletedPackets(_:)`` for one connection as it goes through a pipe: made at once, because one comes with
  /// every packet of a transfer.
  public static func packet(completing count: UInt16, of handle: ConnectionHandle) -> HCIPacket {
    let number = handle.rawValue
    return HCIPacket(
      .event,
      [
        EventCode.numberOfCompletedPackets.rawValue, 5, 1,
        UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
        UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8),
      ])
  }
}

/// How many packets of one connection were sent (Core Specification Vol 4, Part E, 7.7.19).
public struct CompletedPackets: Hashable, Sendable {
  /// The connection.
  public var handle: ConnectionHandle
  /// How many of its packets were sent since the last such event.
  public var count: UInt16

  public init(_ handle: ConnectionHandle, _ count: UInt16) {
    self.handle = handle
    self.count = count
  }
}
