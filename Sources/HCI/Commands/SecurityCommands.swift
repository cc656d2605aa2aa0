import Bytes

/// Sixteen octets of a key or a block, least significant first as HCI carries them. Descriptions do not show them.
public struct LEKeyOctets: HCIParameters, CustomStringConvertible, CustomReflectable {
  /// The sixteen octets.
  public let octets: [UInt8]

  /// Octets of a key.
  public static let length = 16

  /// Takes sixteen octets, least significant first; traps for another count.
  public init(_ octets: [UInt8]) {
    precondition(octets.count == Self.length, "a key has sixteen octets")
    self.octets = octets
  }

  /// Reads sixteen octets; throws where they are cut off.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    octets = try reader.readBytes(Self.length, "key")
  }

  public func encode(into writer: inout ByteWriter) { writer.write(octets) }

  public var description: String { "key (covered)" }
  /// Nothing: a dump shows no octet of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Parameters of LE_Enable_Encryption (Core Specification Vol 4, Part E, 7.8.24).
public struct LEEnableEncryption: HCIParameters {
  /// The connection.
  public var handle: ConnectionHandle
  /// The random number that names the key; 0 for Secure Connections and short-term keys.
  public var randomNumber: UInt64
  /// The encrypted diversifier that names the key; 0 for Secure Connections and short-term keys.
  public var encryptedDiversifier: UInt16
  /// The long-term key.
  public var longTermKey: LEKeyOctets

  public init(_ handle: ConnectionHandle, randomNumber: UInt64, encryptedDiversifier: UInt16, longTermKey: LEKeyOctets)
  {
    self.handle = handle
    self.randomNumber = randomNumber
    self.encryptedDiversifier = encryptedDiversifier
    self.longTermKey = longTermKey
  }

  /// Reads the fields in the order of 7.8.24; throws at one that is cut off or impossible.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    handle = try reader.readHandle()
    randomNumber = try reader.readUInt64("random number")
    encryptedDiversifier = try reader.readUInt16("encrypted diversifier")
    longTermKey = try LEKeyOctets(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(handle)
    writer.write(randomNumber)
    writer.write(encryptedDiversifier)
    longTermKey.encode(into: &writer)
  }
}
