import Bytes

/// Which own address a controller puts into its packets (Core Specification Vol 4, Part E, 7.8.5).
public enum OwnAddressType: UInt8, Hashable, Sendable {
  /// The public address.
  case `public` = 0
  /// The random address set by LE_Set_Random_Address.
  case random = 1
  /// A resolvable one made by the controller, else the public address.
  case resolvableOrPublic = 2
  /// A resolvable one made by the controller, else the random address.
  case resolvableOrRandom = 3
}

/// Channels of advertising (Core Specification Vol 4, Part E, 7.8.5).
public struct AdvertisingChannels: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 2,402 MHz.
  public static let channel37 = AdvertisingChannels(rawValue: 1)
  /// 2,426 MHz.
  public static let channel38 = AdvertisingChannels(rawValue: 2)
  /// 2,480 MHz.
  public static let channel39 = AdvertisingChannels(rawValue: 4)
  /// All three.
  public static let all: AdvertisingChannels = [.channel37, .channel38, .channel39]
}

/// Parameters of LE_Set_Advertising_Parameters (Core Specification Vol 4, Part E, 7.8.5).
public struct LEAdvertisingParameters: HCIParameters {
  /// What kind of advertising.
  public enum Kind: UInt8, Hashable, Sendable {
    /// ADV_IND: anyone may connect or ask for more.
    case connectableUndirected = 0
    /// ADV_DIRECT_IND at the highest rate: only the peer may connect.
    case connectableDirectedHighDuty = 1
    /// ADV_SCAN_IND: anyone may ask for more.
    case scannableUndirected = 2
    /// ADV_NONCONN_IND: only to be heard.
    case nonConnectable = 3
    /// ADV_DIRECT_IND at the interval given: only the peer may connect.
    case connectableDirectedLowDuty = 4
  }

  /// Shortest interval in units of 0.625 ms, 0x0020 to 0x4000.
  public var minimumIntervalUnits: UInt16
  /// Longest interval in units of 0.625 ms.
  public var maximumIntervalUnits: UInt16
  /// What kind of advertising.
  public var kind: Kind
  /// The address to advertise with.
  public var ownAddressType: OwnAddressType
  /// Whom directed advertising is for.
  public var peerAddress: BluetoothAddress
  /// The channels to use.
  public var channels: AdvertisingChannels
  /// Who may scan and connect: bit 0 limits scanning, bit 1 connecting to the filter accept list.
  public var filterPolicy: UInt8

  public init(
    intervalUnits: UInt16, kind: Kind = .connectableUndirected, ownAddressType: OwnAddressType = .random,
    peerAddress: BluetoothAddress = BluetoothAddress(0, .public), channels: AdvertisingChannels = .all,
    filterPolicy: UInt8 = 0
  ) {
    minimumIntervalUnits = intervalUnits
    maximumIntervalUnits = intervalUnits
    self.kind = kind
    self.ownAddressType = ownAddressType
    self.peerAddress = peerAddress
    self.channels = channels
    self.filterPolicy = filterPolicy
  }

  /// Reads the fields in the order of 7.8.5; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    minimumIntervalUnits = try reader.readUInt16("minimum advertising interval")
    maximumIntervalUnits = try reader.readUInt16("maximum advertising interval")
    kind = try reader.readValue("advertising type", Kind.self)
    ownAddressType = try reader.readValue("own address type", OwnAddressType.self)
    peerAddress = try reader.readTypedAddress()
    channels = AdvertisingChannels(rawValue: try reader.readUInt8("advertising channel map"))
    filterPolicy = try reader.readUInt8("advertising filter policy")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(minimumIntervalUnits)
    writer.write(maximumIntervalUnits)
    writer.write(kind.rawValue)
    writer.write(ownAddressType.rawValue)
    writer.writeTyped(peerAddress)
    writer.write(channels.rawValue)
    writer.write(filterPolicy)
  }
}

/// Octets of advertising or of a scan response, as their commands carry them: a length and 31 octets, of which the
/// unused ones are 0 (Core Specification Vol 4, Part E, 7.8.7).
public struct LEAdvertisingPayload: HCIParameters {
  /// The octets in use, at most 31.
  public var octets: [UInt8]

  /// Most octets of legacy advertising.
  public static let limit = 31

  /// Takes the first 31 of `octets`.
  public init(_ octets: [UInt8]) { self.octets = Array(octets.prefix(Self.limit)) }

  /// Reads the fields in the order of 7.8.7; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let place = reader.offset
    let length = Int(try reader.readUInt8("advertising data length"))
    guard length <= Self.limit else {
      throw DecodingFailure(.tooLong(length: length, limit: Self.limit), field: "advertising data", offset: place)
    }
    octets = Array(try reader.readBytes(Self.limit, "advertising data").prefix(length))
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeCounted(octets)
    writer.write([UInt8](repeating: 0, count: Self.limit - octets.count))
  }
}
