import Bytes

/// One structure of advertising or scan response data: a type and its octets
/// (Core Specification Vol 3, Part C, 11; types from Assigned Numbers, 2.3).
public struct AdvertisingStructure: Hashable, Sendable {
  /// The type of a structure; an open set.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Discoverability and BR/EDR support.
    public static let flags = Kind(0x01)
    /// Some of the device's 16-bit service types.
    public static let incompleteServices16 = Kind(0x02)
    /// All of the device's 16-bit service types.
    public static let completeServices16 = Kind(0x03)
    /// Some of the device's 128-bit service types.
    public static let incompleteServices128 = Kind(0x06)
    /// All of the device's 128-bit service types.
    public static let completeServices128 = Kind(0x07)
    /// The beginning of the device's name.
    public static let shortenedLocalName = Kind(0x08)
    /// The device's whole name.
    public static let completeLocalName = Kind(0x09)
    /// Transmit power in dBm.
    public static let transmitPower = Kind(0x0A)
    /// Octets that belong to a 16-bit service.
    public static let serviceData16 = Kind(0x16)
    /// The appearance of the device.
    public static let appearance = Kind(0x19)
    /// Octets of a company's own.
    public static let manufacturerData = Kind(0xFF)
  }

  /// The type of the structure.
  public var kind: Kind
  /// The octets after the type.
  public var content: [UInt8]

  /// A structure of `kind` with the octets after its type.
  public init(_ kind: Kind, _ content: [UInt8]) {
    self.kind = kind
    self.content = content
  }
}

/// The flags structure's bits (Supplement to the Core Specification, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// To be found for a limited time.
  public static let limitedDiscoverable = AdvertisingFlags(rawValue: 0x01)
  /// To be found at any time.
  public static let generalDiscoverable = AdvertisingFlags(rawValue: 0x02)
  /// The device speaks LE only.
  public static let lowEnergyOnly = AdvertisingFlags(rawValue: 0x04)
}
