import Bytes

/// Advertising or scan response data as a list of structures (Core Specification Vol 3, Part C, 11).
///
/// Each structure is a length, a type and the content; a length of zero ends the list early and everything after it
/// is padding.
public struct AdvertisingData: Hashable, Sendable {
  /// Octets that legacy advertising carries in one packet (Vol 6, Part B, 2.3.1.1).
  public static let legacyCapacity = 31

  /// The structures in the order they stand.
  public var structures: [AdvertisingStructure]

  /// Data of these structures.
  public init(_ structures: [AdvertisingStructure] = []) { self.structures = structures }

  /// Reads structures up to the end or to an early end mark.
  /// Throws `truncated` where a structure says that it is longer than the rest.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    structures = []
    while !reader.isAtEnd {
      let length = Int(try reader.readUInt8("AD length"))
      guard length > 0 else {
        _ = reader.readRemaining()
        return
      }
      let kind = AdvertisingStructure.Kind(rawValue: try reader.readUInt8("AD type"))
      structures.append(AdvertisingStructure(kind, try reader.readBytes(length - 1, "AD data")))
    }
  }

  /// Reads structures from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  /// Reads as many whole structures as there are and passes over a broken end, as a scanner must: advertisers that
  /// pad or cut carelessly are common.
  public init(lenient bytes: [UInt8]) {
    structures = []
    var position = 0
    while position < bytes.count {
      let length = Int(bytes[position])
      guard length > 0, position + length < bytes.count else { return }
      let content = bytes[(position + 2)..<(position + 1 + length)]
      structures.append(AdvertisingStructure(.init(rawValue: bytes[position + 1]), Array(content)))
      position += 1 + length
    }
  }

  public func encode(into writer: inout ByteWriter) {
    for structure in structures {
      precondition(structure.content.count < 255, "a structure's length is one octet")
      writer.write(UInt8(structure.content.count + 1))
      writer.write(structure.kind.rawValue)
      writer.write(structure.content)
    }
  }

  /// The structures as octets, without padding.
  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: Self.legacyCapacity)
    encode(into: &writer)
    return writer.bytes
  }

  /// Content of the first structure of `kind`.
  public subscript(_ kind: AdvertisingStructure.Kind) -> [UInt8]? {
    structures.first { $0.kind == kind }?.content
  }

  /// The complete name, else the shortened one; octets that are not UTF-8 are replaced.
  public var localName: String? {
    (self[.completeLocalName] ?? self[.shortenedLocalName]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The flags, where they are told.
  public var flags: AdvertisingFlags? { self[.flags]?.first.map(AdvertisingFlags.init(rawValue:)) }

  /// All service types that are listed, complete or not, in the order they stand.
  public var serviceUUIDs: [BluetoothUUID] {
    structures.flatMap { structure -> [BluetoothUUID] in
      let size: Int
      switch structure.kind {
      case .incompleteServices16, .completeServices16: size = 2
      case .incompleteServices128, .completeServices128: size = 16
      default: return []
      }
      return stride(from: 0, through: structure.content.count - size, by: size).compactMap {
        BluetoothUUID(littleEndian: Array(structure.content[$0..<($0 + size)]))
      }
    }
  }
}
