import Bytes

/// Payload octets and air time of the longest packet to send (Core Specification Vol 4, Part E, 7.8.33 to 7.8.35).
public struct LEDataLength: HCIParameters {
  /// Octets of payload, 27 to 251.
  public var octets: UInt16
  /// Microseconds on the air, 328 to 17,040.
  public var microseconds: UInt16

  public init(octets: UInt16, microseconds: UInt16) {
    self.octets = octets
    self.microseconds = microseconds
  }

  /// Octets of payload that a packet with data may have at most (Vol 6, Part B, 4.5.10).
  public static let octetRange: ClosedRange<UInt16> = 27...251
  /// Microseconds that such a packet may take.
  public static let microsecondRange: ClosedRange<UInt16> = 328...17_040
  /// What every controller sends and receives, on a link whose ends have not agreed on more.
  public static let shortest = LEDataLength(
    octets: octetRange.lowerBound, microseconds: microsecondRange.lowerBound)

  /// Whether both values are in the range that the specification gives them.
  public var isValid: Bool { Self.octetRange.contains(octets) && Self.microsecondRange.contains(microseconds) }

  /// Reads the fields in the order of 7.8.33 to 7.8.35; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    octets = try reader.readUInt16("octets")
    microseconds = try reader.readUInt16("time")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(octets)
    writer.write(microseconds)
  }
}

extension PHYPreference: HCIParameters {
  /// Reads the fields in the order of 7.8.48; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let absent = try reader.readUInt8("all PHYs")
    let transmit = PhysicalLayers(rawValue: try reader.readUInt8("TX PHYs"))
    let receive = PhysicalLayers(rawValue: try reader.readUInt8("RX PHYs"))
    self.init(transmit: absent & 1 == 0 ? transmit : nil, receive: absent & 2 == 0 ? receive : nil)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(UInt8((transmit == nil ? 1 : 0) | (receive == nil ? 2 : 0)))
    writer.write(transmit?.rawValue ?? 0)
    writer.write(receive?.rawValue ?? 0)
  }
}
