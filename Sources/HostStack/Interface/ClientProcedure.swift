import Bytes
import HCI

/// A procedure of the GATT client (Core Specification Vol 3, Part G, 4).
public enum ClientProcedure: Hashable, Sendable {
  /// Exchange the MTU; once a connection (4.3.1).
  case exchangeMaximumTransmissionUnit
  /// Find every primary service, its characteristics and their descriptors (4.4 to 4.7).
  case discoverAll
  /// Find one service by its type, its characteristics and their descriptors.
  case discoverService(BluetoothUUID)
  /// Read a value, by as many requests as its length needs (4.8.1, 4.8.3).
  case read(AttributeHandle)
  /// Read the values of one type in a range of handles (4.8.2).
  case readByType(BluetoothUUID, AttributeHandle, AttributeHandle)
  /// Write a value and wait for the response; long values by prepared writes (4.9.3, 4.9.4).
  case write(AttributeHandle, [UInt8])
  /// Write a value without a response (4.9.1); completes when it was handed to the controller.
  case writeWithoutResponse(AttributeHandle, [UInt8])
  /// Write a client configuration; the handle is the descriptor's (4.10, 4.11).
  case subscribe(AttributeHandle, Subscription)
  /// Send this one request and take its one response, whatever is in it, for an application that walks through a
  /// procedure by itself. Anything but a request, and the exchange of the MTU, is refused as not allowed.
  case exchange(ATTPDU)
}

/// What a client procedure found.
public enum ClientResult: Hashable, Sendable {
  /// The MTU in force, in octets.
  case maximumTransmissionUnit(UInt16)
  /// The services found.
  case services([DiscoveredService])
  /// A value that was read.
  case value([UInt8])
  /// Handles and values found by type.
  case values([AttributeValue])
  /// The write is done.
  case written
  /// The response to a request that was sent as it was given.
  case response(ATTPDU)
}

/// Why a client procedure ended without a result.
public enum ClientFailure: Error, Hashable, Sendable {
  /// The server answered with an error.
  case refused(ATTErrorCode, AttributeHandle)
  /// No answer within 30 s; the bearer is dead for this connection (Vol 3, Part F, 3.3.3).
  case timeout
  /// The connection ended first.
  case disconnected
  /// The answer broke a rule.
  case malformedResponse(ProtocolViolation)
  /// The procedure cannot be run here, such as a second MTU exchange.
  case notAllowed
}
