import Bytes

/// Which part of an L2CAP PDU an ACL packet carries (Core Specification Vol 4, Part E, 5.4.2).
public enum PacketBoundary: UInt8, Hashable, Sendable {
  /// The first part, from host to controller; never flushed.
  case firstFromHost = 0b00
  /// A later part.
  case continuing = 0b01
  /// The first part, from controller to host.
  case firstFromController = 0b10
  /// A whole PDU; not used over LE.
  case complete = 0b11
}

/// An ACL packet: data of one connection (Core Specification Vol 4, Part E, 5.4.2).
public struct ACLPacket: Hashable, Sendable {
  /// The connection.
  public var handle: ConnectionHandle
  /// Which part of a PDU this is.
  public var boundary: PacketBoundary
  /// The broadcast flag, 0 to 3; always 0 over LE.
  public var broadcast: UInt8
  /// The data, at most 65,535 octets.
  public var payload: [UInt8]

  /// Octets before the data.
  public static let headerLength = 4

  public init(_ handle: ConnectionHandle, _ boundary: PacketBoundary, broadcast: UInt8 = 0, _ payload: [UInt8]) {
    self.handle = handle
    self.boundary = boundary
    self.broadcast = broadcast
    self.payload = payload
  }

  /// Reads one packet that fills all of the reader; throws where the length in the header disagrees.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let head = try reader.readUInt16("ACL handle and flags")
    let length = Int(try reader.readUInt16("ACL data length"))
    handle = ConnectionHandle(head & 0x0FFF)
    switch head >> 12 & 0b11 {
    case 0: boundary = .firstFromHost
    case 1: boundary = .continuing
    case 2: boundary = .firstFromController
    default: boundary = .complete
    }
    broadcast = UInt8(truncatingIfNeeded: head >> 14)
    payload = try reader.readBytes(length, "ACL data")
    try reader.expectEnd("ACL packet")
  }

  /// Reads one packet from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  /// Appends the packet; traps when the payload is longer than 65,535 octets.
  public func encode(into writer: inout ByteWriter) {
    writer.write(handle.rawValue & 0x0FFF | UInt16(boundary.rawValue) << 12 | UInt16(broadcast & 0b11) << 14)
    writer.write(UInt16(payload.count))
    writer.write(payload)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: Self.headerLength + payload.count)
    encode(into: &writer)
    return writer.bytes
  }

  /// The packet as it goes through a pipe.
  public var packet: HCIPacket { HCIPacket(.acl, encoded) }
}
