/// Why a btsnoop file could not be read on.
public enum BtsnoopFailure: Error, Hashable, Sendable {
  /// The file does not begin as a btsnoop file does.
  case notBtsnoop
  /// The file has a version other than 1.
  case unknownVersion(UInt32)
  /// The records are of a data link that this reader does not know.
  case unknownDataLink(UInt32)
  /// The file ends in the middle of a record; what came before it is whole.
  case truncated(offset: Int)
  /// A record claims more octets than any packet has, or more than it says the packet had.
  case badLength(UInt32, offset: Int)
  /// The file cannot be read; the text is the system's.
  case unreadable(String)
}

extension BtsnoopFailure: CustomStringConvertible {
  /// What is wrong with the file, and where.
  public var description: String {
    switch self {
    case .notBtsnoop: "not a btsnoop file"
    case .unknownVersion(let version): "btsnoop version \(version), expected \(Btsnoop.version)"
    case .unknownDataLink(let link): "data link \(link), expected 1001, 1002 or 2001"
    case .truncated(let offset): "the record at offset \(offset) is cut off"
    case .badLength(let length, let offset): "the record at offset \(offset) has an impossible length of \(length)"
    case .unreadable(let reason): "cannot be read: \(reason)"
    }
  }
}

/// Reads btsnoop files of data links 1001, 1002 and 2001, record by record; never traps, whatever the file is.
public struct BtsnoopReader: Sendable {
  /// What the file's records look like.
  public let dataLink: Btsnoop.DataLink
  private var window: CaptureWindow
  /// Offset of the next record.
  public var offset: Int { window.offset }

  /// Opens a file whose octets are `bytes`. Throws when it is not a btsnoop file of a known kind.
  public init(_ bytes: [UInt8]) throws(BtsnoopFailure) { try self.init(CaptureWindow(bytes)) }

  /// Opens a file at its beginning. Throws when it is not a btsnoop file of a known kind.
  init(_ window: CaptureWindow) throws(BtsnoopFailure) {
    self.window = window
    guard let header = try self.window.record(Btsnoop.fileHeaderLength), header.starts(with: Btsnoop.magic) else {
      throw .notBtsnoop
    }
    let version = OctetOrder.bigEndian.number32(header, 8)
    guard version == Btsnoop.version else { throw .unknownVersion(version) }
    let link = OctetOrder.bigEndian.number32(header, 12)
    guard let dataLink = Btsnoop.DataLink(rawValue: link) else { throw .unknownDataLink(link) }
    self.dataLink = dataLink
  }

  /// The next record; `nil` at the end. After a failure nothing more can be read.
  public mutating func next() throws(BtsnoopFailure) -> BtsnoopRecord? {
    let start = offset
    guard let header = try window.record(Btsnoop.recordHeaderLength) else {
      if try window.record(1) == nil { return nil }
      throw .truncated(offset: start)
    }
    let original = OctetOrder.bigEndian.number32(header, 0)
    let included = OctetOrder.bigEndian.number32(header, 4)
    guard included <= original, included <= UInt32(Btsnoop.hostileRecordLimit) else {
      throw .badLength(included, offset: start)
    }
    guard let data = try window.record(Int(included)) else { throw .truncated(offset: start) }
    let flags = OctetOrder.bigEndian.number32(header, 8)
    let stamp =
      UInt64(OctetOrder.bigEndian.number32(header, 16)) << 32 | UInt64(OctetOrder.bigEndian.number32(header, 20))
    let (adapter, content) = interpret(flags, data)
    return BtsnoopRecord(
      adapter: adapter, content, unixMicroseconds: Int64(bitPattern: stamp) &- Btsnoop.unixEpochMicroseconds,
      originalLength: Int(original), cumulativeDrops: OctetOrder.bigEndian.number32(header, 12))
  }

  private func interpret(_ flags: UInt32, _ data: [UInt8]) -> (UInt16, BtsnoopRecord.Content) {
    let isReceived = flags & 1 != 0
    switch dataLink {
    case .hci:
      let kind: HCIPacket.Kind = flags & 2 == 0 ? .acl : isReceived ? .event : .command
      return (0, isReceived ? .received(HCIPacket(kind, data)) : .sent(HCIPacket(kind, data)))
    case .h4:
      guard let first = data.first, let kind = HCIPacket.Kind(rawValue: first) else { return (0, .unknownPacket(data)) }
      let packet = HCIPacket(kind, Array(data.dropFirst()))
      return (0, isReceived ? .received(packet) : .sent(packet))
    case .linuxMonitor:
      return (UInt16(truncatingIfNeeded: flags >> 16), Self.monitorContent(UInt16(truncatingIfNeeded: flags), data))
    }
  }

  /// What a record of a Linux monitor tells.
  static func monitorContent(_ opcode: UInt16, _ data: [UInt8]) -> BtsnoopRecord.Content {
    switch BtsnoopOpcode(rawValue: opcode) {
    case .newIndex where data.count >= 2 + BtsnoopAdapter.addressLength:
      var adapter = BtsnoopAdapter(address: Array(data[2..<8]), name: text(data[8...]))
      adapter.type = data[0]
      adapter.bus = data[1]
      return .newIndex(adapter)
    case .deletedIndex: return .deletedIndex
    case .openIndex: return .openIndex
    case .closeIndex: return .closeIndex
    case .command: return .sent(HCIPacket(.command, data))
    case .event: return .received(HCIPacket(.event, data))
    case .aclSent: return .sent(HCIPacket(.acl, data))
    case .aclReceived: return .received(HCIPacket(.acl, data))
    case .synchronousSent: return .sent(HCIPacket(.synchronous, data))
    case .synchronousReceived: return .received(HCIPacket(.synchronous, data))
    case .isochronousSent: return .sent(HCIPacket(.isochronous, data))
    case .isochronousReceived: return .received(HCIPacket(.isochronous, data))
    case .systemNote: return .systemNote(text(data[...]))
    case .userLogging where data.count >= 2 && data.count >= 2 + Int(data[1]):
      let end = 2 + Int(data[1])
      return .userLogging(priority: data[0], identifier: text(data[2..<end]), text: text(data[end...]))
    default: return .other(opcode: opcode, data: data)
    }
  }

  /// Text up to the first zero octet; what is not UTF-8 is replaced.
  private static func text(_ octets: ArraySlice<UInt8>) -> String {
    String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension CaptureWindow {
  /// Takes the next octets as a part of a btsnoop file; `nil` where fewer are left.
  fileprivate mutating func record(_ count: Int) throws(BtsnoopFailure) -> [UInt8]? {
    do { return try take(count) } catch { throw .unreadable("\(error)") }
  }
}
