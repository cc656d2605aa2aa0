import Bytes

/// Parameters of LE_Set_Scan_Parameters (Core Specification Vol 4, Part E, 7.8.10).
public struct LEScanParameters: HCIParameters {
  /// Whether to ask scannable advertisers for their scan response.
  public var isActive: Bool
  /// From the beginning of one window to the next, in units of 0.625 ms, 0x0004 to 0x4000.
  public var intervalUnits: UInt16
  /// How long to listen in each interval, in units of 0.625 ms, at most the interval.
  public var windowUnits: UInt16
  /// The address to put into scan requests.
  public var ownAddressType: OwnAddressType
  /// Which advertising to report: bit 0 limits it to the filter accept list.
  public var filterPolicy: UInt8

  public init(
    isActive: Bool, intervalUnits: UInt16, windowUnits: UInt16, ownAddressType: OwnAddressType = .random,
    filterPolicy: UInt8 = 0
  ) {
    self.isActive = isActive
    self.intervalUnits = intervalUnits
    self.windowUnits = windowUnits
    self.ownAddressType = ownAddressType
    self.filterPolicy = filterPolicy
  }

  /// Reads the fields in the order of 7.8.10; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    isActive = try reader.readFlag("scan type")
    intervalUnits = try reader.readUInt16("scan interval")
    windowUnits = try reader.readUInt16("scan window")
    ownAddressType = try reader.readValue("own address type", OwnAddressType.self)
    filterPolicy = try reader.readUInt8("scanning filter policy")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(isActive)
    writer.write(intervalUnits)
    writer.write(windowUnits)
    writer.write(ownAddressType.rawValue)
    writer.write(filterPolicy)
  }
}

/// An entry of the filter accept list (Core Specification Vol 4, Part E, 7.8.16).
public enum LEFilterEntry: HCIParameters {
  /// The device with this address.
  case device(BluetoothAddress)
  /// Advertisers that send no address.
  case anonymous

  private static let anonymousType: UInt8 = 0xFF

  /// Reads the fields in the order of 7.8.16; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let place = reader.offset
    let type = try reader.readUInt8("address type")
    guard type <= 1 || type == Self.anonymousType else {
      throw DecodingFailure(.invalid(value: UInt64(type)), field: "address type", offset: place)
    }
    let address = try reader.readAddress(type == 0 ? .public : .random, "address")
    self = type == Self.anonymousType ? .anonymous : .device(address)
  }

  public func encode(into writer: inout ByteWriter) {
    switch self {
    case .device(let address): writer.writeTyped(address)
    case .anonymous:
      writer.write(Self.anonymousType)
      writer.write(BluetoothAddress(0, .public))
    }
  }
}
