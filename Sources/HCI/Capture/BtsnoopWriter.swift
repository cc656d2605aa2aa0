/// Makes the octets of a capture of a Linux Bluetooth monitor, piece by piece, so that it can be streamed.
///
/// Its records are framed as btsnoop of data link 2001, or as pcap of link type 254, which is what Wireshark takes from a
/// pipe: btsnoop it reads from files only.
public struct BtsnoopWriter: Sendable {
  /// Octets of text in a remark beyond which it is cut, so that a record stays within what readers accept.
  public static let textLimit = 1400
  private static let identifierLimit = 32

  /// What stands around the data of a record.
  public enum Framing: Hashable, Sendable {
    /// btsnoop; ``BtsnoopReader`` reads it.
    case btsnoop
    /// libpcap's savefile with microseconds (`pcap-savefile(5)`, LINKTYPE_BLUETOOTH_LINUX_MONITOR).
    case pcap
  }

  private let framing: Framing

  /// A writer of btsnoop unless stated.
  public init(_ framing: Framing = .btsnoop) { self.framing = framing }

  /// The octets with which the capture begins.
  public var header: [UInt8] { framing == .btsnoop ? Self.fileHeader : Self.pcapHeader }

  /// The octets with which a btsnoop file begins.
  public static let fileHeader: [UInt8] =
    Btsnoop.magic + bigEndian(Btsnoop.version) + bigEndian(Btsnoop.DataLink.linuxMonitor.rawValue)

  /// The octets with which a pcap file begins: version 2.4, times in UTC, records of any length, link type 254.
  private static let pcapHeader = [0xA1B2_C3D4, 0x0002_0004, 0, 0, 0xFFFF, 254].flatMap { bigEndian($0) }

  /// Appends one record; data beyond ``Btsnoop/recordLimit`` is cut and its original length kept.
  public func append(
    _ content: BtsnoopRecord.Content, adapter: UInt16, unixMicroseconds: Int64, to output: inout [UInt8]
  ) {
    switch content {
    case .sent(let packet):
      append(Self.opcode(packet.kind, sent: true), packet.bytes, adapter, unixMicroseconds, &output)
    case .received(let packet):
      append(Self.opcode(packet.kind, sent: false), packet.bytes, adapter, unixMicroseconds, &output)
    case .newIndex(let adapterInformation):
      append(.newIndex, Self.encode(adapterInformation), adapter, unixMicroseconds, &output)
    case .deletedIndex: append(.deletedIndex, [], adapter, unixMicroseconds, &output)
    case .openIndex: append(.openIndex, [], adapter, unixMicroseconds, &output)
    case .closeIndex: append(.closeIndex, [], adapter, unixMicroseconds, &output)
    case .userLogging(let priority, let identifier, let text):
      let name = Self.text(identifier, limit: Self.identifierLimit)
      let data = [priority, UInt8(name.count)] + name + Self.text(text, limit: Self.textLimit)
      append(.userLogging, data, adapter, unixMicroseconds, &output)
    case .systemNote(let text):
      append(.systemNote, Self.text(text, limit: Self.textLimit), adapter, unixMicroseconds, &output)
    case .other(let opcode, let data):
      append(BtsnoopOpcode(rawValue: opcode), data, adapter, unixMicroseconds, &output)
    // A monitor has no record for it.
    case .unknownPacket: break
    }
  }

  /// Appends a packet that stands in memory, with `kind` and the direction as stated.
  public func append(
    packet: RawSpan, _ kind: HCIPacket.Kind, isSent: Bool, adapter: UInt16, unixMicroseconds: Int64,
    to output: inout [UInt8]
  ) {
    packet.withUnsafeBytes { append(Self.opcode(kind, sent: isSent), $0, adapter, unixMicroseconds, &output) }
  }

  private func append(
    _ opcode: BtsnoopOpcode, _ data: [UInt8], _ adapter: UInt16, _ unixMicroseconds: Int64, _ output: inout [UInt8]
  ) {
    data.withUnsafeBytes { append(opcode, $0, adapter, unixMicroseconds, &output) }
  }

  private func append(
    _ opcode: BtsnoopOpcode, _ data: UnsafeRawBufferPointer, _ adapter: UInt16, _ unixMicroseconds: Int64,
    _ output: inout [UInt8]
  ) {
    let included = min(data.count, Btsnoop.recordLimit)
    let kept = UnsafeRawBufferPointer(rebasing: data[..<included])
    let place = UInt32(adapter) << 16 | UInt32(opcode.rawValue)
    switch framing {
    case .btsnoop:
      let stamp = UInt64(bitPattern: unixMicroseconds &+ Btsnoop.unixEpochMicroseconds)
      Self.append(
        [
          UInt32(data.count), UInt32(included), place, 0, UInt32(truncatingIfNeeded: stamp >> 32),
          UInt32(truncatingIfNeeded: stamp),
        ], kept, &output)
    case .pcap:
      let (second, microsecond) = unixMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
      // Adapter and opcode count as data here.
      Self.append(
        [
          UInt32(truncatingIfNeeded: second), UInt32(truncatingIfNeeded: microsecond), UInt32(included + 4),
          UInt32(data.count + 4), place,
        ], kept, &output)
    }
  }

  private static func opcode(_ kind: HCIPacket.Kind, sent: Bool) -> BtsnoopOpcode {
    switch kind {
    case .command: .command
    case .event: .event
    case .acl: sent ? .aclSent : .aclReceived
    case .synchronous: sent ? .synchronousSent : .synchronousReceived
    case .isochronous: sent ? .isochronousSent : .isochronousReceived
    }
  }

  private static func encode(_ adapter: BtsnoopAdapter) -> [UInt8] {
    var name = Array(adapter.name.utf8.prefix(BtsnoopAdapter.nameLength - 1))
    name.append(contentsOf: [UInt8](repeating: 0, count: BtsnoopAdapter.nameLength - name.count))
    return [adapter.type, adapter.bus] + adapter.address + name
  }

  /// UTF-8 cut at a character and closed by a zero octet; a zero inside would end the text too early.
  private static func text(_ text: String, limit: Int) -> [UInt8] {
    var length = text.utf8.count
    if length > limit - 1 {
      length = 0
      for character in text {
        if length + character.utf8.count > limit - 1 { break }
        length += character.utf8.count
      }
    }
    return text.utf8.prefix(length).map { $0 == 0 ? UInt8(ascii: "?") : $0 } + [0]
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Appends numbers in big endian and data behind them, at once because that is done for every packet.
  private static func append<let count: Int>(
    _ numbers: InlineArray<count, UInt32>, _ data: UnsafeRawBufferPointer, _ output: inout [UInt8]
  ) {
    let headLength = count * MemoryLayout<UInt32>.size
    output.append(addingCapacity: headLength + data.count) { room in
      room.withUnsafeMutableBufferPointer { buffer, length in
        let octets = UnsafeMutableRawBufferPointer(buffer)
        for index in numbers.indices {
          octets.storeBytes(
            of: numbers[index].bigEndian, toByteOffset: index * MemoryLayout<UInt32>.size, as: UInt32.self)
        }
        length = headLength + data.count
        UnsafeMutableRawBufferPointer(rebasing: octets[headLength..<length]).copyMemory(from: data)
      }
    }
  }
}

/// The numbers of a Linux monitor's records (BlueZ `src/shared/btsnoop.h`).
struct BtsnoopOpcode: Hashable, Sendable, RawRepresentable {
  var rawValue: UInt16

  static let newIndex = BtsnoopOpcode(rawValue: 0)
  static let deletedIndex = BtsnoopOpcode(rawValue: 1)
  static let command = BtsnoopOpcode(rawValue: 2)
  static let event = BtsnoopOpcode(rawValue: 3)
  static let aclSent = BtsnoopOpcode(rawValue: 4)
  static let aclReceived = BtsnoopOpcode(rawValue: 5)
  static let synchronousSent = BtsnoopOpcode(rawValue: 6)
  static let synchronousReceived = BtsnoopOpcode(rawValue: 7)
  static let openIndex = BtsnoopOpcode(rawValue: 8)
  static let closeIndex = BtsnoopOpcode(rawValue: 9)
  static let systemNote = BtsnoopOpcode(rawValue: 12)
  static let userLogging = BtsnoopOpcode(rawValue: 13)
  static let isochronousSent = BtsnoopOpcode(rawValue: 18)
  static let isochronousReceived = BtsnoopOpcode(rawValue: 19)
}
