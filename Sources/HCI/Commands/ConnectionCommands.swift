import Bytes

/// Timing that a host wants for a connection (Core Specification Vol 4, Part E, 7.8.12 and 7.8.18).
public struct LEConnectionTiming: HCIParameters {
  /// Shortest connection interval in units of 1.25 ms, 6 to 3,200.
  public var minimumIntervalUnits: UInt16
  /// Longest connection interval in units of 1.25 ms.
  public var maximumIntervalUnits: UInt16
  /// Connection events that the peripheral may skip, 0 to 499.
  public var latency: UInt16
  /// Supervision time-out in units of 10 ms, 10 to 3,200.
  public var supervisionTimeoutUnits: UInt16
  /// Shortest connection event expected, in units of 0.625 ms; a hint.
  public var minimumEventLengthUnits: UInt16
  /// Longest connection event expected, in units of 0.625 ms; a hint.
  public var maximumEventLengthUnits: UInt16

  public init(
    minimumIntervalUnits: UInt16, maximumIntervalUnits: UInt16, latency: UInt16 = 0, supervisionTimeoutUnits: UInt16,
    minimumEventLengthUnits: UInt16 = 0, maximumEventLengthUnits: UInt16 = 0
  ) {
    self.minimumIntervalUnits = minimumIntervalUnits
    self.maximumIntervalUnits = maximumIntervalUnits
    self.latency = latency
    self.supervisionTimeoutUnits = supervisionTimeoutUnits
    self.minimumEventLengthUnits = minimumEventLengthUnits
    self.maximumEventLengthUnits = maximumEventLengthUnits
  }

  /// Whether all values are in range and the time-out is longer than `(1 + latency) * interval * 2` (7.8.12).
  public var isValid: Bool {
    (6...3200).contains(minimumIntervalUnits) && (6...3200).contains(maximumIntervalUnits)
      && minimumIntervalUnits <= maximumIntervalUnits && latency <= 499 && (10...3200).contains(supervisionTimeoutUnits)
      && minimumEventLengthUnits <= maximumEventLengthUnits
      // 10 ms against 2 * 1.25 ms.
      && UInt32(supervisionTimeoutUnits) * 4 > (1 + UInt32(latency)) * UInt32(maximumIntervalUnits)
  }

  /// Reads the fields in the order of 7.8.12 and 7.8.18; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    minimumIntervalUnits = try reader.readUInt16("minimum connection interval")
    maximumIntervalUnits = try reader.readUInt16("maximum connection interval")
    latency = try reader.readUInt16("connection latency")
    supervisionTimeoutUnits = try reader.readUInt16("supervision timeout")
    minimumEventLengthUnits = try reader.readUInt16("minimum connection event length")
    maximumEventLengthUnits = try reader.readUInt16("maximum connection event length")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(minimumIntervalUnits)
    writer.write(maximumIntervalUnits)
    writer.write(latency)
    writer.write(supervisionTimeoutUnits)
    writer.write(minimumEventLengthUnits)
    writer.write(maximumEventLengthUnits)
  }
}

/// Parameters of LE_Create_Connection (Core Specification Vol 4, Part E, 7.8.12).
public struct LECreateConnection: HCIParameters {
  /// From the beginning of one window to the next, in units of 0.625 ms, 0x0004 to 0x4000.
  public var scanIntervalUnits: UInt16
  /// How long to listen in each interval, in units of 0.625 ms, at most the interval.
  public var scanWindowUnits: UInt16
  /// Whether to connect to any device of the filter accept list instead of the peer.
  public var usesFilterAcceptList: Bool
  /// Whom to connect to.
  public var peerAddress: BluetoothAddress
  /// The address to connect with.
  public var ownAddressType: OwnAddressType
  /// Timing of the connection.
  public var timing: LEConnectionTiming

  public init(
    scanIntervalUnits: UInt16 = 0x0060, scanWindowUnits: UInt16 = 0x0060, usesFilterAcceptList: Bool = false,
    peerAddress: BluetoothAddress, ownAddressType: OwnAddressType = .random, timing: LEConnectionTiming
  ) {
    self.scanIntervalUnits = scanIntervalUnits
    self.scanWindowUnits = scanWindowUnits
    self.usesFilterAcceptList = usesFilterAcceptList
    self.peerAddress = peerAddress
    self.ownAddressType = ownAddressType
    self.timing = timing
  }

  /// Reads the fields in the order of 7.8.12; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    scanIntervalUnits = try reader.readUInt16("scan interval")
    scanWindowUnits = try reader.readUInt16("scan window")
    usesFilterAcceptList = try reader.readFlag("initiator filter policy")
    peerAddress = try reader.readTypedAddress()
    ownAddressType = try reader.readValue("own address type", OwnAddressType.self)
    timing = try LEConnectionTiming(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(scanIntervalUnits)
    writer.write(scanWindowUnits)
    writer.write(usesFilterAcceptList)
    writer.writeTyped(peerAddress)
    writer.write(ownAddressType.rawValue)
    timing.encode(into: &writer)
  }
}
