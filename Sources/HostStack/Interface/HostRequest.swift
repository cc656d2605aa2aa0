import Bytes
import HCI

/// What the application asks of the host stack.
package enum HostRequest: Hashable, Sendable {
  /// Reset and set up the controller; answered by ``HostEvent/started(_:)`` or ``HostEvent/failed(_:)``.
  indirect case start(HostConfiguration)
  /// Replace all bonds known, as after power-up.
  case setBonds([Bond])
  /// Advertise like this until a connection is made or this is changed; `nil` stops. What cannot be advertised ends in
  /// ``HostEvent/advertisingFailed(_:)``, and what is advertised already stays.
  case setAdvertising(Advertisement?)
  /// Scan like this; `nil` stops.
  case setScanning(ScanParameters?)
  /// Connect to this address as central; ends in ``HostEvent/connected(_:)`` or ``HostEvent/connectionFailed(_:)``.
  case connect(BluetoothAddress, ConnectionParameters)
  /// Give up connecting.
  case cancelConnect
  /// End a connection for this reason; a reason that HCI does not let a host give (Vol 4, Part E, 7.1.6) becomes 0x13.
  case disconnect(ConnectionHandle, ErrorCode)
  /// Change a connection's parameters: as central at once, as peripheral by asking the central over L2CAP.
  case updateParameters(ConnectionHandle, ConnectionParameters)
  /// Answer ``HostEvent/parameterUpdateRequested(_:_:identifier:)``.
  case answerParameterUpdate(ConnectionHandle, identifier: UInt8, accepted: Bool)
  /// Ask for longer link-layer packets; `octets` 27 to 251.
  case setDataLength(ConnectionHandle, octets: UInt16)
  /// Ask for another PHY, each way the same.
  case setPHY(ConnectionHandle, PHY)
  /// Ask for the received signal strength.
  case readSignalStrength(ConnectionHandle)
  /// Ask for the version of the other controller; ends in ``HostEvent/remoteVersion(_:_:)``.
  case readRemoteVersion(ConnectionHandle)
  /// Secure the link: encrypt it with the bond's key, or pair without a bond. A peripheral asks the central to do so.
  /// Ends in ``HostEvent/secured(_:identity:keySize:)``, at once on a link that is encrypted already, or in one of the
  /// failures; a request while the link is being secured adds nothing.
  case secure(ConnectionHandle)
  /// Answer ``HostEvent/pairingRequested(_:bonded:keepsKeys:)``; only asked for under ``PairingPolicy/ask``.
  case answerPairing(ConnectionHandle, accepted: Bool)
  /// Answer ``HostEvent/pairingFeaturesRequested(_:_:)``; only asked for under ``PairingPolicy/negotiate``.
  case answerPairingFeatures(ConnectionHandle, Result<PairingAnswer, PairingFailureReason>)
  /// Answer ``HostEvent/longTermKeyRequested(_:encryptedDiversifier:randomNumber:)``; `nil` says that there is no such
  /// key. Only asked for under ``KeyPolicy/ask``.
  case answerLongTermKey(ConnectionHandle, LongTermKey?)
  /// Answer ``HostEvent/maximumTransmissionUnitRequested(_:_:)`` with the largest PDU this side takes, at least 23
  /// octets; only asked for under ``ExchangePolicy/ask``.
  case answerMaximumTransmissionUnit(ConnectionHandle, UInt16)
  /// Give a client its subscriptions; those not named become none. Answers ``HostEvent/subscriptionsRequested(_:)``
  /// under ``SubscriptionPolicy/ask``.
  case setSubscriptions(ConnectionHandle, [StoredSubscription])
  /// Forget the bond with this identity, or all bonds for `nil`; links stay as they are.
  case removeBonds(BluetoothAddress?)
  /// Run a procedure of the GATT client; ends in one ``HostEvent/clientCompleted(_:_:_:)`` with the same token.
  /// Procedures of one connection run one after the other in the order they were asked for.
  case client(ConnectionHandle, ClientToken, ClientProcedure)
  /// Send a notification of a value, which is what the stack stores and is read from then on, sent or not. Answered at once
  /// by ``HostEvent/notificationRefused(_:_:_:)``, or by ``HostEvent/notificationTransmitted(_:_:)`` when the controller
  /// reports its last fragment as sent.
  case notify(ConnectionHandle, NotificationTicket, AttributeHandle, ArraySlice<UInt8>)
  /// Send an indication; ends in ``HostEvent/indicationConfirmed(_:_:)`` or ``HostEvent/notificationRefused(_:_:_:)``.
  case indicate(ConnectionHandle, NotificationTicket, AttributeHandle, [UInt8])
  /// Change a value that the stack stores.
  case setValue(AttributeHandle, ArraySlice<UInt8>)
  /// Answer ``HostEvent/readRequested(_:_:_:offset:)`` with the whole value; the stack sends the part from the offset
  /// on that fits.
  case answerRead(ConnectionHandle, AccessToken, Result<[UInt8], ATTErrorCode>)
  /// Answer ``HostEvent/writeRequested(_:_:_:_:)``; `nil` accepts.
  case answerWrite(ConnectionHandle, AccessToken, ATTErrorCode?)
}

/// Everything that a host is set up with.
package struct HostConfiguration: Hashable, Sendable {
  /// The address used on the air; a random one is given to the controller.
  package var ownAddress: BluetoothAddress
  /// Largest ATT_MTU accepted or asked for, 23 to 517 octets.
  package var maximumTransmissionUnit: UInt16 = 247
  /// The answer to a client's ATT_MTU is rounded down until a value's length is a multiple of this many octets;
  /// 1 rounds nothing. Nordic's bootloader answers 23 and what leaves room for whole words.
  package var valueLengthStep: UInt16 = 1
  /// How this device pairs.
  package var security = SecurityParameters()
  /// What a central does with a peripheral's wish for other connection parameters.
  package var parameterUpdatePolicy = ParameterUpdatePolicy.accept
  /// What is done with a peer's wish to pair.
  package var pairingPolicy = PairingPolicy.accept
  /// The address by which peers are to know this device, where it is not the one used on the air; public, or random and
  /// static.
  package var identityAddress: BluetoothAddress?
  /// This device's identity resolving key, sixteen octets, least significant first; `nil` draws one when pairing first
  /// distributes it.
  package var identityResolvingKey: [UInt8]?
  /// Who keeps the keys of bonds.
  package var keyPolicy = KeyPolicy.bonds
  /// Who answers a client's exchange of the MTU.
  package var exchangePolicy = ExchangePolicy.answer
  /// What a client's subscriptions are when it connects.
  package var subscriptionPolicy = SubscriptionPolicy.bonds
  /// Suggest 251-octet link-layer packets to the controller for every new connection, where it can.
  package var suggestsMaximumDataLength = true
  /// The attributes served.
  package var database: GATTDatabase

  package init(ownAddress: BluetoothAddress, database: GATTDatabase) {
    self.ownAddress = ownAddress
    self.database = database
  }
}

extension HostConfiguration: CustomStringConvertible, CustomReflectable {
  /// Whose configuration it is, never the key in it.
  package var description: String { "configuration of \(ownAddress)" }
  /// Hides all fields, so that a dump shows no key.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a central does with a peripheral's wish for other connection parameters (Vol 3, Part A, 4.20).
public enum ParameterUpdatePolicy: Hashable, Sendable {
  /// Accept and update.
  case accept
  /// Answer that it is refused.
  case reject
  /// Never answer.
  case ignore
  /// Leave it to the application.
  case ask
}

/// What is done with a peer's wish to pair.
package enum PairingPolicy: Hashable, Sendable {
  /// Pair; a peer that is already bonded replaces its bond.
  case accept
  /// Pair, but refuse a peer whose address on the air is that of a bond with "pairing not supported". As with Nordic's Peer
  /// Manager, a private address does not tell.
  case acceptUnlessBonded
  /// Refuse with "pairing not supported".
  case refuse
  /// Leave it to the application.
  case ask
  /// Leave it to the application, which is told the peer's features and answers with its own.
  case negotiate
}

/// Who keeps the long-term keys and what belongs to them (Vol 3, Part H, 2.4.4).
package enum KeyPolicy: Hashable, Sendable {
  /// The stack: it finds the key of a bond by itself.
  case bonds
  /// The application: the stack reports bonds without keeping them, and asks for the key that a central names.
  case ask
}

/// Who answers a client's exchange of the MTU (Vol 3, Part F, 3.4.2).
package enum ExchangePolicy: Hashable, Sendable {
  /// The stack, at once.
  case answer
  /// The application.
  case ask
}

/// What a client's subscriptions are when it connects (Vol 3, Part G, 3.3.3.3).
package enum SubscriptionPolicy: Hashable, Sendable {
  /// None, until a bonded client is recognised by its key.
  case bonds
  /// Unknown: a client that first reads or writes one waits until the application has given them.
  case ask
}

/// How the application pairs, under ``PairingPolicy/negotiate``.
package struct PairingAnswer: Hashable, Sendable {
  /// What goes into the Pairing Response; keys that the peer did not offer are left out of it.
  package var features: PairingFeatures
  /// Shortest key accepted, 7 to 16 octets.
  package var minimumKeySize: UInt8

  package init(features: PairingFeatures, minimumKeySize: UInt8 = 7) {
    self.features = features
    self.minimumKeySize = minimumKeySize
  }
}

/// What is advertised, and how (legacy advertising, Vol 4, Part E, 7.8.5 to 7.8.9).
package struct Advertisement: Hashable, Sendable {
  /// Time between two advertising events in units of 0.625 ms, 0x0020 to 0x4000.
  package var intervalUnits: UInt16
  /// Advertising data, at most 31 octets.
  package var data: [UInt8]
  /// Scan response data, at most 31 octets.
  package var scanResponse: [UInt8]
  /// Whether centrals may connect; else the advertisement is scannable only.
  package var isConnectable = true

  package init(intervalUnits: UInt16, data: [UInt8], scanResponse: [UInt8] = []) {
    self.intervalUnits = intervalUnits
    self.data = data
    self.scanResponse = scanResponse
  }
}

/// How to listen for advertisements (Vol 4, Part E, 7.8.10).
public struct ScanParameters: Hashable, Sendable {
  /// Time between two scan windows in units of 0.625 ms, 0x0004 to 0x4000.
  public var intervalUnits: UInt16 = 96
  /// Length of a scan window in units of 0.625 ms, at most the interval.
  public var windowUnits: UInt16 = 96
  /// Whether to ask for scan responses.
  public var isActive = true
  /// Whether each advertiser is reported once only.
  public var filtersDuplicates = false

  public init() {}
}

/// The parameters of a connection, or a range of them to choose from (Vol 4, Part E, 7.8.12).
public struct ConnectionParameters: Hashable, Sendable {
  /// Shortest connection interval in units of 1.25 ms, 6 to 3,200.
  public var minimumIntervalUnits: UInt16
  /// Longest connection interval in units of 1.25 ms.
  public var maximumIntervalUnits: UInt16
  /// Connection events the peripheral may skip, 0 to 499.
  public var latency: UInt16
  /// Supervision time-out in units of 10 ms, 10 to 3,200, and more than `(1 + latency) * interval * 2`.
  public var supervisionTimeoutUnits: UInt16

  public init(
    minimumIntervalUnits: UInt16, maximumIntervalUnits: UInt16, latency: UInt16 = 0,
    supervisionTimeoutUnits: UInt16 = 400
  ) {
    self.minimumIntervalUnits = minimumIntervalUnits
    self.maximumIntervalUnits = maximumIntervalUnits
    self.latency = latency
    self.supervisionTimeoutUnits = supervisionTimeoutUnits
  }

  /// One interval, not a range.
  public init(intervalUnits: UInt16, latency: UInt16 = 0, supervisionTimeoutUnits: UInt16 = 400) {
    self.init(
      minimumIntervalUnits: intervalUnits, maximumIntervalUnits: intervalUnits, latency: latency,
      supervisionTimeoutUnits: supervisionTimeoutUnits)
  }
}

/// A physical layer of the LE radio (Vol 6, Part A, 1).
public enum PHY: UInt8, Hashable, Sendable {
  /// One megasymbol a second, uncoded.
  case le1M = 1
  /// Two megasymbols a second, uncoded.
  case le2M = 2
  /// One megasymbol a second with error correction.
  case leCoded = 3
}

/// A number by which the caller recognises the completion of a client procedure.
package struct ClientToken: Hashable, Sendable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// A number by which the caller recognises the fate of a notification or indication.
package struct NotificationTicket: Hashable, Sendable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// A number by which the stack recognises the answer to a read or write it passed up.
package struct AccessToken: Hashable, Sendable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
