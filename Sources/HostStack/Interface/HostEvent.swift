import Bytes
import HCI

/// What the host stack reports to the application.
package enum HostEvent: Hashable, Sendable {
  /// The controller is set up.
  case started(ControllerInformation)
  /// The controller could not be set up or stopped working; only ``HostRequest/start(_:)`` helps.
  case failed(HostFailure)
  /// An advertisement or scan response was heard.
  case advertisingReport(AdvertisingReport)
  /// Advertising failed: the data are too long (0x12), or the controller refused it. Nothing is advertised then.
  case advertisingFailed(ErrorCode)
  /// Scanning could not be started; nothing is scanned for now.
  case scanningFailed(ErrorCode)
  /// A connection was made, in either role.
  case connected(ConnectionInformation)
  /// Connecting ended without a connection: cancelled (0x02) or failed.
  case connectionFailed(ErrorCode)
  /// A connection ended.
  case disconnected(ConnectionHandle, ErrorCode)
  /// The parameters in force changed; all three of one value, interval in units of 1.25 ms.
  case parametersUpdated(ConnectionHandle, ConnectionParameters)
  /// The central granted a request for other parameters. Only parameters that change are told afterwards.
  case parameterUpdateGranted(ConnectionHandle)
  /// An update of the parameters was refused (0x3B by the central's answer, 0x1A by a central that does not know the
  /// request), not answered within 30 s (0x1F), or failed.
  case parameterUpdateFailed(ConnectionHandle, ErrorCode)
  /// The peripheral would like other parameters; comes under ``ParameterUpdatePolicy/ask`` only.
  case parameterUpdateRequested(ConnectionHandle, ConnectionParameters, identifier: UInt8)
  /// The longest link-layer payloads changed, in octets.
  case dataLengthChanged(ConnectionHandle, transmit: UInt16, receive: UInt16)
  /// The PHY changed.
  case phyChanged(ConnectionHandle, transmit: PHY, receive: PHY)
  /// The received signal strength in dBm; `nil` when the controller does not know it.
  case signalStrength(ConnectionHandle, Int8?)
  /// The version of the other controller; `nil` when it could not be asked (Vol 6, Part B, 5.1.5).
  case remoteVersion(ConnectionHandle, RemoteVersion?)
  /// ATT_MTU changed, in octets.
  case maximumTransmissionUnitChanged(ConnectionHandle, UInt16)
  /// A procedure of the GATT client ended.
  case clientCompleted(ConnectionHandle, ClientToken, Result<ClientResult, ClientFailure>)
  /// The peer sent a notification.
  case notificationReceived(ConnectionHandle, AttributeHandle, ArraySlice<UInt8>)
  /// The peer sent an indication; the stack has confirmed it.
  case indicationReceived(ConnectionHandle, AttributeHandle, [UInt8])
  /// The last fragment of a notification was reported as sent by the controller.
  case notificationTransmitted(ConnectionHandle, NotificationTicket)
  /// A notification or indication was not sent.
  case notificationRefused(ConnectionHandle, NotificationTicket, NotificationRefusal)
  /// The peer confirmed an indication.
  case indicationConfirmed(ConnectionHandle, NotificationTicket)
  /// The peer wrote a value that the stack stores; the write has been answered.
  case attributeWritten(ConnectionHandle, AttributeHandle, [UInt8])
  /// The peer reads a value that the application serves.
  case readRequested(ConnectionHandle, AccessToken, AttributeHandle, offset: UInt16)
  /// The peer writes a value that the application decides about.
  case writeRequested(ConnectionHandle, AccessToken, AttributeHandle, [UInt8])
  /// A client characteristic configuration took a value; the handle is the characteristic value's.
  case subscriptionChanged(ConnectionHandle, AttributeHandle, Subscription, SubscriptionCause)
  /// The peripheral asked for security. Where there is a bond the stack encrypts by itself; without one the application
  /// decides by ``HostRequest/secure(_:)``.
  case securityRequested(ConnectionHandle)
  /// The peer wants to pair; whether it is bonded already, and whether it will keep the keys. Comes under
  /// ``PairingPolicy/ask`` only.
  case pairingRequested(ConnectionHandle, bonded: Bool, keepsKeys: Bool)
  /// The peer wants to pair and has these features; comes under ``PairingPolicy/negotiate`` only.
  case pairingFeaturesRequested(ConnectionHandle, PairingFeatures)
  /// The link is encrypted with the key that pairing has just made, and keys are being distributed. `keySize` is in
  /// octets. Comes under ``PairingPolicy/negotiate`` only.
  case encryptedByPairing(ConnectionHandle, keySize: UInt8)
  /// The central starts encryption with the key of this name; comes under ``KeyPolicy/ask`` only.
  case longTermKeyRequested(ConnectionHandle, encryptedDiversifier: UInt16, randomNumber: UInt64)
  /// A client tells the largest PDU it takes and waits for the answer; comes under ``ExchangePolicy/ask`` only.
  case maximumTransmissionUnitRequested(ConnectionHandle, UInt16)
  /// A client reads or writes a subscription while nobody knows what they are; comes once a connection, under
  /// ``SubscriptionPolicy/ask`` only.
  case subscriptionsRequested(ConnectionHandle)
  /// Pairing failed for this reason, found by this side or reported by the peer.
  case pairingFailed(ConnectionHandle, PairingFailureReason, byPeer: Bool)
  /// Pairing made a bond; to be stored by the application.
  indirect case bondCreated(ConnectionHandle, Bond)
  /// A bond's stored values, such as its subscriptions, changed; to be stored by the application.
  indirect case bondUpdated(Bond)
  /// The link became encrypted, or its key was refreshed, and pairing, if it was running, is complete; `identity` names
  /// the bond whose key it is, `nil` where none was kept. The key's size is in octets.
  case secured(ConnectionHandle, identity: BluetoothAddress?, keySize: UInt8)
  /// Encryption with a bond's key could not be started; 0x06 says, at either end, that the peripheral does not have the
  /// key. The link stays as it was.
  case securityFailed(ConnectionHandle, ErrorCode)
  /// The peer broke a rule of the specification; the stack has answered as the rule says.
  case protocolViolation(ConnectionHandle?, ProtocolViolation)
}

/// What a controller reported about itself when it was set up.
package struct ControllerInformation: Hashable, Sendable {
  /// The public device address; all zeros where there is none.
  package var publicAddress: BluetoothAddress
  /// Longest ACL data from host to controller, in octets.
  package var aclDataLength: UInt16
  /// How many ACL packets the controller holds for all connections.
  package var aclPacketCount: UInt16
  /// Octets of the LE feature mask (Vol 6, Part B, 4.6), least significant bit first.
  package var leFeatures: UInt64
  /// HCI version as in Assigned Numbers, 2.1.
  package var hciVersion: UInt8
  /// Company that made the controller (Assigned Numbers, 7).
  package var companyIdentifier: UInt16

  package init(
    publicAddress: BluetoothAddress, aclDataLength: UInt16, aclPacketCount: UInt16, leFeatures: UInt64,
    hciVersion: UInt8 = 0, companyIdentifier: UInt16 = 0xFFFF
  ) {
    self.publicAddress = publicAddress
    self.aclDataLength = aclDataLength
    self.aclPacketCount = aclPacketCount
    self.leFeatures = leFeatures
    self.hciVersion = hciVersion
    self.companyIdentifier = companyIdentifier
  }
}

/// Why the host stack cannot work with its controller.
public enum HostFailure: Error, Hashable, Sendable {
  /// A command of the set-up was refused.
  case commandRefused(opcode: UInt16, ErrorCode)
  /// A command was not answered in time, even after a reset.
  case commandTimeout(opcode: UInt16)
  /// The controller reported a hardware failure.
  case hardwareError(UInt8)
  /// The controller was lost.
  case controllerLost
  /// The controller lost an event: its consequence was seen without it, or it did not come in time.
  case eventLost(AwaitedEvent)
  /// The controller reported a connection by the handle of another that it had not reported the end of, so it told of one
  /// connection twice or lost a Disconnection Complete.
  case handleInUse(ConnectionHandle)
}

/// An event that a controller owes its host (Core Specification Vol 4, Part E, 7.7).
public enum AwaitedEvent: String, Hashable, Sendable {
  /// A connection was made, or the attempt ended (7.7.65.1).
  case connectionComplete = "LE Connection Complete"
  /// A connection ended (7.7.5).
  case disconnectionComplete = "Disconnection Complete"
  /// A connection is encrypted (7.7.8).
  case encryptionChange = "Encryption Change"
}

extension HostFailure: CustomStringConvertible {
  /// One sentence about the controller.
  public var description: String {
    switch self {
    case .commandRefused(let opcode, let code):
      "it refused the command \(Self.name(opcode)) with error 0x\(Hexadecimal.string([code.rawValue]))"
    case .commandTimeout(let opcode): "it did not answer the command \(Self.name(opcode))"
    case .hardwareError(let code): "it reported a hardware failure with code \(code)"
    case .controllerLost: "the connection to it was lost"
    case .eventLost(let event): "it lost the event \(event.rawValue)"
    case .handleInUse(let handle): "it reported a connection by handle \(handle), which was in use"
    }
  }

  private static func name(_ opcode: UInt16) -> String {
    "0x\(Opcode(rawValue: opcode))" + (opcode == Opcode.reset.rawValue ? " (reset)" : "")
  }
}

/// An advertisement or scan response that was heard.
package struct AdvertisingReport: Hashable, Sendable {
  /// The address it came from.
  package var address: BluetoothAddress
  /// The identity behind a resolvable private address, where a bond resolves it; else the address itself.
  package var identity: BluetoothAddress
  /// Whether this is a scan response.
  package var isScanResponse: Bool
  /// Whether the advertiser can be connected to.
  package var isConnectable: Bool
  /// Advertising structures as they were on the air, at most 31 octets.
  package var data: [UInt8]
  /// Received signal strength in dBm; `nil` where unknown.
  package var signalStrength: Int8?

  package init(
    address: BluetoothAddress, identity: BluetoothAddress, isScanResponse: Bool, isConnectable: Bool, data: [UInt8],
    signalStrength: Int8?
  ) {
    self.address = address
    self.identity = identity
    self.isScanResponse = isScanResponse
    self.isConnectable = isConnectable
    self.data = data
    self.signalStrength = signalStrength
  }
}

/// A new connection.
package struct ConnectionInformation: Hashable, Sendable {
  /// Whether this host is the central.
  package var isCentral: Bool
  /// The connection's number.
  package var handle: ConnectionHandle
  /// The peer's address on this connection.
  package var peer: BluetoothAddress
  /// The identity behind it where a bond resolves it; else the address itself.
  package var identity: BluetoothAddress
  /// Whether a bond with that identity is known.
  package var isBonded: Bool
  /// The parameters in force.
  package var parameters: ConnectionParameters

  package init(
    isCentral: Bool, handle: ConnectionHandle, peer: BluetoothAddress, identity: BluetoothAddress, isBonded: Bool,
    parameters: ConnectionParameters
  ) {
    self.isCentral = isCentral
    self.handle = handle
    self.peer = peer
    self.identity = identity
    self.isBonded = isBonded
    self.parameters = parameters
  }
}

/// What a client characteristic configuration asks for (Vol 3, Part G, 3.3.3.3).
public struct Subscription: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Notifications are wanted.
  public static let notifications = Subscription(rawValue: 1)
  /// Indications are wanted.
  public static let indications = Subscription(rawValue: 2)
}

/// How a subscription got its value.
package enum SubscriptionCause: Hashable, Sendable {
  /// The client wrote it.
  case written
  /// It was restored from the bond when the link was secured.
  case restored
}

/// Why a notification was not sent.
package enum NotificationRefusal: Hashable, Sendable {
  /// The client has not enabled it.
  case notEnabled
  /// The connection is gone.
  case noConnection
  /// Too many are waiting already; the limit is the stack's.
  case queueFull
  /// An indication is waiting for its confirmation.
  case indicationPending
  /// An indication was not confirmed within 30 s; the bearer is dead for this connection (Vol 3, Part F, 3.3.3).
  case confirmationTimeout
}

/// A rule of the specification that a peer broke, and where the rule stands.
public struct ProtocolViolation: Error, Hashable, Sendable {
  /// What the peer did.
  public var description: String
  /// Where the rule stands, such as `Vol 3, Part F, 3.4.2`.
  public var reference: String

  public init(_ description: String, reference: String) {
    self.description = description
    self.reference = reference
  }
}
