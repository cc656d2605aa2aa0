/// Reads pcapng files (`draft-ietf-opsawg-pcapng`): any number of sections and interfaces, of which each is an adapter.
struct PcapngReader: Sendable {
  private enum Block {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    /// Obsolete, but still in files: where an enhanced one has the interface it has that and a count of lost packets.
    static let packet: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let statistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
  }

  private enum Option {
    static let end: UInt16 = 0
    /// Of a packet: flags, of which the two lowest bits are its direction.
    static let flags: UInt16 = 2
    /// Of a packet: how many were lost between the one before and this.
    static let dropCount: UInt16 = 4
    /// Of an interface's statistics: packets that it lost, and those that the operating system lost.
    static let interfaceDrops: UInt16 = 5
    static let systemDrops: UInt16 = 7
    /// Of an interface: the unit of its times.
    static let timeResolution: UInt16 = 9
    /// Of an interface: seconds to be added to its times.
    static let timeOffset: UInt16 = 14
  }

  /// An interface of a section.
  private struct Interface {
    var link: CaptureLink
    /// Units of its times in a second.
    var unitsPerSecond: UInt64 = 1_000_000
    /// Seconds to be added to its times.
    var offset: Int64 = 0
    /// The adapter that its records begin to count from.
    var adapter: UInt16
    /// Octets of a packet beyond which it is cut; 0 for no limit.
    var packetLimit: UInt32
    /// Packets that were lost, as far as its packets and its statistics have told.
    var drops: UInt64 = 0

    /// Whether its packets mean something here.
    var isUnderstood: Bool {
      var link = link
      return link.interpret([], isReceived: nil).content != .omitted(.foreignLink)
    }
  }

  /// The first octets of a file.
  static let magic: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
  /// Interfaces that are followed in all sections together; the records of further ones are omitted.
  private static let interfaceLimit = 255
  /// Octets of an interface's description and its options.
  private static let descriptionLimit = 1 << 16
  /// Octets of a block around its body: type and length before, length behind.
  private static let frameLength = 12

  private var window: CaptureWindow
  private var order = OctetOrder.littleEndian
  /// The interfaces of the section that are followed.
  private var interfaces: [Interface] = []
  /// Interfaces that the section describes.
  private var describedCount = 0
  /// Interfaces of the sections so far.
  private var interfaceCount = 0

  /// Opens a file at its beginning.
  init(_ window: CaptureWindow) { self.window = window }

  /// What the adapter with this number is called: the interface, which counts from 0 over all sections as in Wireshark, and
  /// which of its adapters it is where that is not the first.
  static func name(of adapter: UInt16) -> String {
    let (interface, place) = (adapter >> 8, adapter & 0xFF)
    return (place == 0 ? "" : "adapter \(place) of ") + "interface \(interface)"
  }

  /// The numbers of the adapters of an interface, one of which is given.
  static func interface(of adapter: UInt16) -> ClosedRange<UInt16> { adapter & 0xFF00...adapter | 0x00FF }

  /// The next record; `nil` at the end. After a failure nothing more can be read.
  mutating func next() throws(CaptureFailure) -> CaptureRecord? {
    while !(try window.isAtEnd) {
      let start = window.offset
      let head = Array(try window.peek(12))
      guard head.count == 12 else { throw .truncated(offset: start) }
      if order.number32(head, 0) == Block.section { try beginSection(head, start) }
      let length = order.number32(head, 4)
      guard length >= UInt32(Self.frameLength), length % 4 == 0 else { throw .badLength(length, offset: start) }
      switch order.number32(head, 0) {
      case Block.interface: try addInterface(try body(length, upTo: Self.descriptionLimit, start), start)
      case Block.enhancedPacket:
        return try packet(try body(length, upTo: CaptureReader.recordLimit, start), isObsolete: false, start)
      case Block.packet:
        return try packet(try body(length, upTo: CaptureReader.recordLimit, start), isObsolete: true, start)
      case Block.statistics where Int(length) <= Self.descriptionLimit:
        if let record = lost(try body(length, upTo: Self.descriptionLimit, start)) { return record }
      case Block.simplePacket: return try simplePacket(try body(length, upTo: CaptureReader.recordLimit, start), start)
      default:
        window.skip(Int(length))
        guard !(try isCutOff) else { throw .truncated(offset: start) }
      }
    }
    return nil
  }

  /// Whether the octet before the next one is beyond the end.
  private var isCutOff: Bool {
    mutating get throws(CaptureFailure) {
      var last = window
      last.skip(-1)
      return try last.isAtEnd
    }
  }

  /// The body of the block that comes next.
  private mutating func body(_ length: UInt32, upTo limit: Int, _ start: Int) throws(CaptureFailure) -> [UInt8] {
    guard Int(length) - Self.frameLength <= limit else { throw .badLength(length, offset: start) }
    guard let block = try window.take(Int(length)) else { throw .truncated(offset: start) }
    return Array(block[8..<(block.count - 4)])
  }

  /// A section sets the order of octets by a number of its own, and begins without interfaces.
  private mutating func beginSection(_ head: [UInt8], _ start: Int) throws(CaptureFailure) {
    switch Array(head[8...]) {
    case [0x1A, 0x2B, 0x3C, 0x4D]: order = .bigEndian
    case [0x4D, 0x3C, 0x2B, 0x1A]: order = .littleEndian
    default: throw .unsupported("the section at offset \(start) has an unknown order of octets")
    }
    interfaces = []
    describedCount = 0
  }

  private mutating func addInterface(_ body: [UInt8], _ start: Int) throws(CaptureFailure) {
    guard body.count >= 8 else { throw .truncated(offset: start) }
    describedCount += 1
    guard interfaceCount < Self.interfaceLimit else { return }
    defer { interfaceCount += 1 }
    var interface = Interface(
      link: CaptureLink(order.number16(body, 0)), adapter: UInt16(interfaceCount) << 8,
      packetLimit: order.number32(body, 4))
    forEachOption(body, from: 8) { code, value in
      switch code {
      case Option.timeResolution where value.count == 1: interface.unitsPerSecond = Self.units(value[0])
      case Option.timeOffset where value.count == 8:
        interface.offset = Int64(bitPattern: order.number64(value, 0))
      default: break
      }
    }
    interfaces.append(interface)
  }

  /// Units in a second: a negative power of 10, or of 2 where the highest bit is set. What does not fit is held for
  /// microseconds.
  private static func units(_ octet: UInt8) -> UInt64 {
    let exponent = Int(octet & 0x7F)
    if octet & 0x80 != 0 { return exponent < 63 ? 1 << UInt64(exponent) : 1_000_000 }
    return exponent <= 18 ? (0..<exponent).reduce(1) { units, _ in units * 10 } : 1_000_000
  }

  private func forEachOption(_ body: [UInt8], from first: Int, _ take: (UInt16, [UInt8]) -> Void) {
    var offset = first
    while offset + 4 <= body.count {
      let (code, length) = (order.number16(body, offset), Int(order.number16(body, offset + 2)))
      guard code != Option.end, offset + 4 + length <= body.count else { return }
      take(code, Array(body[(offset + 4)..<(offset + 4 + length)]))
      offset += 4 + (length + 3) / 4 * 4
    }
  }

  private mutating func packet(
    _ body: [UInt8], isObsolete: Bool, _ start: Int
  ) throws(CaptureFailure) -> CaptureRecord {
    guard body.count >= 20 else { throw .truncated(offset: start) }
    let stamp = UInt64(order.number32(body, 4)) << 32 | UInt64(order.number32(body, 8))
    let (included, original) = (order.number32(body, 12), order.number32(body, 16))
    guard Int(included) <= body.count - 20 else { throw .badLength(included, offset: start) }
    var isReceived: Bool?
    // All ones where nobody counted.
    let counted = isObsolete ? order.number16(body, 2) : 0
    var drops = counted == .max ? 0 : UInt32(counted)
    forEachOption(body, from: 20 + (Int(included) + 3) / 4 * 4) { code, value in
      switch code {
      case Option.flags where value.count == 4: isReceived = Self.isReceived(order.number32(value, 0))
      case Option.dropCount where value.count == 8: drops = UInt32(clamping: order.number64(value, 0))
      default: break
      }
    }
    let number = isObsolete ? UInt32(order.number16(body, 0)) : order.number32(body, 0)
    var record = record(
      number, stamp, Array(body[20..<(20 + Int(included))]), isCut: included < original, isReceived)
    record.dropsBefore = drops
    if number < UInt32(interfaces.count) { interfaces[Int(number)].drops += UInt64(drops) }
    return record
  }

  /// What the statistics of an interface say of packets that were lost, besides those of which its packets told; `nil` where
  /// they say nothing. They count from the beginning, and do not tell when.
  private mutating func lost(_ body: [UInt8]) -> CaptureRecord? {
    guard body.count >= 12, order.number32(body, 0) < UInt32(interfaces.count) else { return nil }
    let number = Int(order.number32(body, 0))
    var drops: UInt64 = 0
    forEachOption(body, from: 12) { code, value in
      guard code == Option.interfaceDrops || code == Option.systemDrops, value.count == 8 else { return }
      // All ones where nobody counted.
      let count = order.number64(value, 0)
      drops += count == .max ? 0 : UInt64(UInt32(clamping: count))
    }
    guard interfaces[number].isUnderstood, drops > interfaces[number].drops else { return nil }
    var record = CaptureRecord(adapter: interfaces[number].adapter, content: .remark, unixMicroseconds: 0)
    record.dropsSomewhere = UInt32(clamping: drops - interfaces[number].drops)
    interfaces[number].drops = drops
    return record
  }

  /// The direction that the flags of a packet tell; `nil` where they tell none.
  private static func isReceived(_ flags: UInt32) -> Bool? {
    switch flags & 0b11 {
    case 1: true
    case 2: false
    default: nil
    }
  }

  /// A packet of the first interface, without a time.
  private mutating func simplePacket(_ body: [UInt8], _ start: Int) throws(CaptureFailure) -> CaptureRecord {
    guard body.count >= 4 else { throw .truncated(offset: start) }
    let original = order.number32(body, 0)
    let limit = interfaces.first.map { $0.packetLimit } ?? 0
    // What is behind the limit is padding.
    let included = min(Int(original), body.count - 4, limit == 0 ? .max : Int(limit))
    var record = record(0, 0, Array(body[4..<(4 + included)]), isCut: included < Int(original), nil)
    record.hasTime = false
    return record
  }

  private mutating func record(
    _ number: UInt32, _ stamp: UInt64, _ data: [UInt8], isCut: Bool, _ isReceived: Bool?
  ) -> CaptureRecord {
    guard number < UInt32(interfaces.count) else {
      let omission: CaptureOmission = Int(number) < describedCount ? .tooManyAdapters : .unknownInterface
      return CaptureRecord(adapter: 0, content: .omitted(omission), unixMicroseconds: 0)
    }
    var interface = interfaces[Int(number)]
    let (seconds, rest) = stamp.quotientAndRemainder(dividingBy: interface.unitsPerSecond)
    let fraction = rest.multipliedFullWidth(by: 1_000_000)
    let microseconds = Int64(clamping: interface.unitsPerSecond.dividingFullWidth(fraction).quotient)
    let whole = Int64(clamping: seconds).addingReportingOverflow(interface.offset).partialValue
      .multipliedReportingOverflow(by: 1_000_000).partialValue
    var (adapter, content) = interface.link.interpret(data, isReceived: isReceived)
    interfaces[Int(number)] = interface
    if isCut { content = .omitted(.cutShort) }
    adapter = interface.adapter | adapter & 0xFF
    return CaptureRecord(adapter: adapter, content: content, unixMicroseconds: whole &+ microseconds)
  }
}
