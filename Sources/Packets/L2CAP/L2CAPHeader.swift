import Bytes

/// Number of an L2CAP channel on an LE link (Core Specification Vol 3, Part A, 2.1); an open set.
public struct ChannelIdentifier: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The Attribute Protocol.
  public static let attributeProtocol = ChannelIdentifier(0x0004)
  /// LE signalling.
  public static let signalling = ChannelIdentifier(0x0005)
  /// The Security Manager.
  public static let securityManager = ChannelIdentifier(0x0006)
}

/// The four octets before the payload of a basic L2CAP frame (Vol 3, Part A, 3.1).
public struct L2CAPHeader: Hashable, Sendable {
  /// Octets of an encoded header.
  public static let length = 4

  /// Octets of the payload that follows.
  public var payloadLength: UInt16
  /// The channel it belongs to.
  public var channel: ChannelIdentifier

  public init(payloadLength: UInt16, channel: ChannelIdentifier) {
    self.payloadLength = payloadLength
    self.channel = channel
  }

  /// Reads a header; the payload stays unread. Throws `truncated` where it is not whole.
  @inlinable
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    payloadLength = try reader.readUInt16("L2CAP length")
    channel = ChannelIdentifier(rawValue: try reader.readUInt16("L2CAP channel"))
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(payloadLength)
    writer.write(channel.rawValue)
  }
}

/// A whole basic frame: the convenience for everything off the path of notifications.
public struct L2CAPFrame: Hashable, Sendable {
  /// The channel it belongs to.
  public var channel: ChannelIdentifier
  /// Its payload, at most 65,535 octets.
  public var payload: [UInt8]

  public init(_ channel: ChannelIdentifier, _ payload: [UInt8]) {
    self.channel = channel
    self.payload = payload
  }

  /// Reads one frame that fills all of the reader.
  /// Throws `truncated` or `trailing` where the length field and the octets disagree.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let header = try L2CAPHeader(decoding: &reader)
    channel = header.channel
    payload = try reader.readBytes(Int(header.payloadLength), "L2CAP payload")
    try reader.expectEnd("L2CAP frame")
  }

  /// Reads one frame from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  public func encode(into writer: inout ByteWriter) {
    L2CAPHeader(payloadLength: UInt16(payload.count), channel: channel).encode(into: &writer)
    writer.write(payload)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: L2CAPHeader.length + payload.count)
    encode(into: &writer)
    return writer.bytes
  }
}
