import Bytes

/// Which end of a connection a device is (Core Specification Vol 4, Part E, 7.7.65.1).
public enum LinkRole: UInt8, Hashable, Sendable {
  /// It made the connection and sets its time.
  case central = 0
  /// It was advertising and follows.
  case peripheral = 1
}

/// Parameters of a connection in use (Core Specification Vol 4, Part E, 7.7.65.1 and 7.7.65.3).
public struct LELinkParameters: HCIParameters {
  /// Connection interval in units of 1.25 ms.
  public var intervalUnits: UInt16
  /// Connection events that the peripheral may skip.
  public var latency: UInt16
  /// Supervision time-out in units of 10 ms.
  public var supervisionTimeoutUnits: UInt16

  public init(intervalUnits: UInt16, latency: UInt16, supervisionTimeoutUnits: UInt16) {
    self.intervalUnits = intervalUnits
    self.latency = latency
    self.supervisionTimeoutUnits = supervisionTimeoutUnits
  }

  /// Reads the fields in the order of 7.7.65.1 and 7.7.65.3; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    intervalUnits = try reader.readUInt16("connection interval")
    latency = try reader.readUInt16("connection latency")
    supervisionTimeoutUnits = try reader.readUInt16("supervision timeout")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(intervalUnits)
    writer.write(latency)
    writer.write(supervisionTimeoutUnits)
  }
}

/// Parameters of LE_Connection_Complete (Core Specification Vol 4, Part E, 7.7.65.1).
public struct LEConnectionComplete: HCIParameters {
  /// Success, or why there is no connection; then the other fields mean nothing.
  public var status: ErrorCode
  /// The new connection.
  public var handle: ConnectionHandle
  /// Which end this controller is.
  public var role: LinkRole
  /// The other end.
  public var peerAddress: BluetoothAddress
  /// The connection's parameters.
  public var link: LELinkParameters
  /// How exact the central's clock is: 0 for 500 ppm to 7 for 20 ppm; 0 on the central's own side.
  public var centralClockAccuracy: UInt8

  public init(
    status: ErrorCode = .success, handle: ConnectionHandle, role: LinkRole, peerAddress: BluetoothAddress,
    link: LELinkParameters, centralClockAccuracy: UInt8 = 0
  ) {
    self.status = status
    self.handle = handle
    self.role = role
    self.peerAddress = peerAddress
    self.link = link
    self.centralClockAccuracy = centralClockAccuracy
  }

  /// A report that no connection was made.
  public static func failure(_ status: ErrorCode, role: LinkRole = .central) -> LEConnectionComplete {
    LEConnectionComplete(
      status: status, handle: ConnectionHandle(0), role: role, peerAddress: BluetoothAddress(0, .public),
      link: LELinkParameters(intervalUnits: 0, latency: 0, supervisionTimeoutUnits: 0))
  }

  /// Reads the fields in the order of 7.7.65.1; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    status = try reader.readErrorCode()
    handle = try reader.readHandle()
    role = try reader.readValue("role", LinkRole.self)
    peerAddress = try reader.readTypedAddress()
    link = try LELinkParameters(decoding: &reader)
    centralClockAccuracy = try reader.readUInt8("central clock accuracy")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(status)
    writer.write(handle)
    writer.write(role.rawValue)
    writer.writeTyped(peerAddress)
    link.encode(into: &writer)
    writer.write(centralClockAccuracy)
  }
}

/// Parameters of LE_Enhanced_Connection_Complete (Core Specification Vol 4, Part E, 7.7.65.10).
public struct LEEnhancedConnectionComplete: HCIParameters {
  /// What the plain event tells too.
  public var connection: LEConnectionComplete
  /// The resolvable address with which this controller connected; 0 for none.
  public var localResolvableAddress: BluetoothAddress
  /// The resolvable address with which the other end connected; 0 for none.
  public var peerResolvableAddress: BluetoothAddress

  public init(
    _ connection: LEConnectionComplete, localResolvableAddress: BluetoothAddress = BluetoothAddress(0, .random),
    peerResolvableAddress: BluetoothAddress = BluetoothAddress(0, .random)
  ) {
    self.connection = connection
    self.localResolvableAddress = localResolvableAddress
    self.peerResolvableAddress = peerResolvableAddress
  }

  /// Reads the fields in the order of 7.7.65.10; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let status = try reader.readErrorCode()
    let handle = try reader.readHandle()
    let role = try reader.readValue("role", LinkRole.self)
    let peer = try reader.readTypedAddress()
    localResolvableAddress = try reader.readAddress(.random, "local resolvable private address")
    peerResolvableAddress = try reader.readAddress(.random, "peer resolvable private address")
    let link = try LELinkParameters(decoding: &reader)
    connection = LEConnectionComplete(
      status: status, handle: handle, role: role, peerAddress: peer, link: link,
      centralClockAccuracy: try reader.readUInt8("central clock accuracy"))
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(connection.status)
    writer.write(connection.handle)
    writer.write(connection.role.rawValue)
    writer.writeTyped(connection.peerAddress)
    writer.write(localResolvableAddress)
    writer.write(peerResolvableAddress)
    connection.link.encode(into: &writer)
    writer.write(connection.centralClockAccuracy)
  }
}

/// What the other end asks for in LE_Remote_Connection_Parameter_Request (Core Specification Vol 4, Part E,
/// 7.7.65.6).
public struct LEParameterRequest: HCIParameters {
  /// Shortest connection interval in units of 1.25 ms.
  public var minimumIntervalUnits: UInt16
  /// Longest connection interval in units of 1.25 ms.
  public var maximumIntervalUnits: UInt16
  /// Connection events that the peripheral may skip.
  public var latency: UInt16
  /// Supervision time-out in units of 10 ms.
  public var supervisionTimeoutUnits: UInt16

  public init(
    minimumIntervalUnits: UInt16, maximumIntervalUnits: UInt16, latency: UInt16, supervisionTimeoutUnits: UInt16
  ) {
    self.minimumIntervalUnits = minimumIntervalUnits
    self.maximumIntervalUnits = maximumIntervalUnits
    self.latency = latency
    self.supervisionTimeoutUnits = supervisionTimeoutUnits
  }

  /// Reads the fields in the order of 7.7.65.6; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    minimumIntervalUnits = try reader.readUInt16("minimum connection interval")
    maximumIntervalUnits = try reader.readUInt16("maximum connection interval")
    latency = try reader.readUInt16("connection latency")
    supervisionTimeoutUnits = try reader.readUInt16("supervision timeout")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(minimumIntervalUnits)
    writer.write(maximumIntervalUnits)
    writer.write(latency)
    writer.write(supervisionTimeoutUnits)
  }
}

/// The longest packets of a connection in each direction (Core Specification Vol 4, Part E, 7.7.65.7).
public struct LEDataLengths: HCIParameters {
  /// The longest packet to send.
  public var transmit: LEDataLength
  /// The longest packet to receive.
  public var receive: LEDataLength

  public init(transmit: LEDataLength, receive: LEDataLength) {
    self.transmit = transmit
    self.receive = receive
  }

  /// Reads the fields in the order of 7.7.65.7; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    transmit = try LEDataLength(decoding: &reader)
    receive = try LEDataLength(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    transmit.encode(into: &writer)
    receive.encode(into: &writer)
  }
}

/// The version of a controller (Core Specification Vol 4, Part E, 7.7.12).
public struct RemoteVersion: HCIParameters {
  /// The number of the Core Specification's version: 6 is 4.0, 9 is 5.0.
  public var version: UInt8
  /// The company that made it.
  public var company: UInt16
  /// The company's number for the implementation.
  public var subversion: UInt16

  public init(version: UInt8, company: UInt16, subversion: UInt16) {
    self.version = version
    self.company = company
    self.subversion = subversion
  }

  /// Reads the fields in the order of 7.7.12; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    version = try reader.readUInt8("version")
    company = try reader.readUInt16("company identifier")
    subversion = try reader.readUInt16("subversion")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(version)
    writer.write(company)
    writer.write(subversion)
  }
}
