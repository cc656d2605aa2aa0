import Bytes

/// The version of this controller (Core Specification Vol 4, Part E, 7.4.1).
public struct LocalVersion: HCIParameters {
  /// The number of the HCI's version: 6 is 4.0, 9 is 5.0.
  public var hciVersion: UInt8
  /// The company's number for this HCI.
  public var hciSubversion: UInt16
  /// The number of the link layer's version.
  public var linkVersion: UInt8
  /// The company that made it.
  public var company: UInt16
  /// The company's number for this link layer.
  public var linkSubversion: UInt16

  public init(hciVersion: UInt8, hciSubversion: UInt16, linkVersion: UInt8, company: UInt16, linkSubversion: UInt16) {
    self.hciVersion = hciVersion
    self.hciSubversion = hciSubversion
    self.linkVersion = linkVersion
    self.company = company
    self.linkSubversion = linkSubversion
  }

  /// Reads the fields in the order of 7.4.1; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    hciVersion = try reader.readUInt8("HCI version")
    hciSubversion = try reader.readUInt16("HCI subversion")
    linkVersion = try reader.readUInt8("LMP version")
    company = try reader.readUInt16("company identifier")
    linkSubversion = try reader.readUInt16("LMP subversion")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(hciVersion)
    writer.write(hciSubversion)
    writer.write(linkVersion)
    writer.write(company)
    writer.write(linkSubversion)
  }
}

/// Size and number of a controller's LE buffers (Core Specification Vol 4, Part E, 7.8.2).
public struct LEBufferSize: HCIParameters {
  /// Octets that fit into one buffer; 0 means that the shared buffers are used.
  public var octets: UInt16
  /// How many buffers there are; 0 means that the shared buffers are used.
  public var count: UInt8

  public init(octets: UInt16, count: UInt8) {
    self.octets = octets
    self.count = count
  }

  /// Reads the fields in the order of 7.8.2; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    octets = try reader.readUInt16("LE data packet length")
    count = try reader.readUInt8("LE data packet count")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(octets)
    writer.write(count)
  }
}

/// Size and number of the buffers that BR/EDR has, and LE may share (Core Specification Vol 4, Part E, 7.4.5).
public struct SharedBufferSize: HCIParameters {
  /// Octets of ACL data that fit into one buffer.
  public var octets: UInt16
  /// Octets of voice that fit into one buffer.
  public var synchronousOctets: UInt8
  /// How many ACL buffers there are.
  public var count: UInt16
  /// How many voice buffers there are.
  public var synchronousCount: UInt16

  public init(octets: UInt16, synchronousOctets: UInt8 = 0, count: UInt16, synchronousCount: UInt16 = 0) {
    self.octets = octets
    self.synchronousOctets = synchronousOctets
    self.count = count
    self.synchronousCount = synchronousCount
  }

  /// Reads the fields in the order of 7.4.5; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    octets = try reader.readUInt16("ACL data packet length")
    synchronousOctets = try reader.readUInt8("synchronous data packet length")
    count = try reader.readUInt16("ACL data packet count")
    synchronousCount = try reader.readUInt16("synchronous data packet count")
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(octets)
    writer.write(synchronousOctets)
    writer.write(count)
    writer.write(synchronousCount)
  }
}
