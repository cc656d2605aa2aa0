import Bytes

/// One report of LE_Advertising_Report (Core Specification Vol 4, Part E, 7.7.65.2).
public struct LEAdvertisingReport: HCIParameters {
  /// What was heard.
  public enum Kind: UInt8, Hashable, Sendable {
    /// ADV_IND.
    case connectableUndirected = 0
    /// ADV_DIRECT_IND.
    case connectableDirected = 1
    /// ADV_SCAN_IND.
    case scannableUndirected = 2
    /// ADV_NONCONN_IND.
    case nonConnectable = 3
    /// SCAN_RSP.
    case scanResponse = 4
  }

  /// What was heard.
  public var kind: Kind
  /// Who sent it.
  public var address: BluetoothAddress
  /// Its data, at most 31 octets over the air.
  public var data: [UInt8]
  /// Received signal strength in dBm; 127 when it is not known.
  public var signalStrength: Int8

  /// The value of ``signalStrength`` that means "not known".
  public static let unknownSignalStrength: Int8 = 127

  public init(_ kind: Kind, _ address: BluetoothAddress, _ data: [UInt8], signalStrength: Int8) {
    self.kind = kind
    self.address = address
    self.data = data
    self.signalStrength = signalStrength
  }

  /// Reads the fields in the order of 7.7.65.2; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    kind = try reader.readValue("advertising event type", Kind.self)
    address = try reader.readTypedAddress()
    data = try reader.readCounted("advertising data")
    signalStrength = try reader.readInt8("RSSI")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(kind.rawValue)
    writer.writeTyped(address)
    writer.writeCounted(data)
    writer.write(signalStrength)
  }
}

/// One report of LE_Extended_Advertising_Report (Core Specification Vol 4, Part E, 7.7.65.13); some controllers report
/// legacy advertising this way too.
public struct LEExtendedAdvertisingReport: HCIParameters {
  /// What was heard.
  public struct Kind: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The sender can be connected to.
    public static let connectable = Kind(rawValue: 1 << 0)
    /// The sender answers scan requests.
    public static let scannable = Kind(rawValue: 1 << 1)
    /// It is meant for one device.
    public static let directed = Kind(rawValue: 1 << 2)
    /// It answers a scan request.
    public static let scanResponse = Kind(rawValue: 1 << 3)
    /// It came in a legacy PDU.
    public static let legacy = Kind(rawValue: 1 << 4)
    /// More reports of the same data follow.
    public static let incomplete = Kind(rawValue: 1 << 5)
    /// The rest of the data was lost.
    public static let truncated = Kind(rawValue: 1 << 6)
  }

  /// What was heard.
  public var kind: Kind
  /// Who sent it; `nil` for an advertiser that sends no address.
  public var address: BluetoothAddress?
  /// The PHY of the primary channel, as its octet.
  public var primaryPHY: UInt8 = 1
  /// The PHY of the secondary channel, as its octet; 0 for none.
  public var secondaryPHY: UInt8 = 0
  /// The advertising set, 0 to 15; 0xFF when there is none.
  public var setIdentifier: UInt8 = 0xFF
  /// Transmit power in dBm; 127 when it is not known.
  public var transmitPower: Int8 = 127
  /// Received signal strength in dBm; 127 when it is not known.
  public var signalStrength: Int8
  /// Interval of periodic advertising in units of 1.25 ms; 0 for none.
  public var periodicIntervalUnits: UInt16 = 0
  /// Whom it is meant for, when it is directed.
  public var directAddress = BluetoothAddress(0, .public)
  /// Its data.
  public var data: [UInt8]

  private static let anonymousType: UInt8 = 0xFF

  public init(_ kind: Kind, _ address: BluetoothAddress?, _ data: [UInt8], signalStrength: Int8) {
    self.kind = kind
    self.address = address
    self.data = data
    self.signalStrength = signalStrength
  }

  /// Reads the fields in the order of 7.7.65.13; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    kind = Kind(rawValue: try reader.readUInt16("advertising event type"))
    let type = try reader.readUInt8("address type")
    let sender = try reader.readAddress(type & 1 == 0 ? .public : .random, "address")
    address = type == Self.anonymousType ? nil : sender
    primaryPHY = try reader.readUInt8("primary PHY")
    secondaryPHY = try reader.readUInt8("secondary PHY")
    setIdentifier = try reader.readUInt8("advertising SID")
    transmitPower = try reader.readInt8("TX power")
    signalStrength = try reader.readInt8("RSSI")
    periodicIntervalUnits = try reader.readUInt16("periodic advertising interval")
    let directType = try reader.readUInt8("direct address type")
    directAddress = try reader.readAddress(directType & 1 == 0 ? .public : .random, "direct address")
    data = try reader.readCounted("advertising data")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(kind.rawValue)
    writer.write(address?.kind.rawValue ?? Self.anonymousType)
    writer.write(address ?? BluetoothAddress(0, .public))
    writer.write(primaryPHY)
    writer.write(secondaryPHY)
    writer.write(setIdentifier)
    writer.write(transmitPower)
    writer.write(signalStrength)
    writer.write(periodicIntervalUnits)
    writer.writeTyped(directAddress)
    writer.writeCounted(data)
  }
}
