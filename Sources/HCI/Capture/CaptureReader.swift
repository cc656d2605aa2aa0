/// Reads a capture of any format that is known, record by record and through a piece of bounded size; never traps, whatever
/// the file is.
///
/// Known are btsnoop (data links 1001, 1002 and 2001), pcap, pcapng and Apple's PacketLogger.
package struct CaptureReader: Sendable {
  private enum Reader {
    case btsnoop(BtsnoopReader)
    case pcap(PcapReader)
    case pcapng(PcapngReader)
    case packetLogger(PacketLoggerReader)
  }

  /// Octets of data in one record beyond which a file is held for broken; 256 KiB is the most that pcap's library writes.
  static let recordLimit = 1 << 18
  /// How a file begins that is compressed with gzip (RFC 1952, 2.3.1).
  private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

  private var reader: Reader
  /// Packets that a btsnoop file says were lost, up to the last record.
  private var cumulativeDrops: UInt32 = 0

  /// Opens a capture at its beginning. Throws when its format is not known.
  package init(_ source: any CaptureSource) throws(CaptureFailure) {
    var window = CaptureWindow(source)
    let magic = try window.peek(4)
    if magic.elementsEqual(Btsnoop.magic.prefix(4)) {
      do { reader = .btsnoop(try BtsnoopReader(window)) } catch { throw .btsnoop(error) }
    } else if let (order, hasNanoseconds) = PcapReader.recognise(magic) {
      reader = .pcap(try PcapReader(window, order, hasNanoseconds: hasNanoseconds))
    } else if magic.starts(with: Self.gzipMagic) {
      throw .unsupported("compressed with gzip: decompress it first, for example with gunzip")
    } else if magic.elementsEqual(PcapngReader.magic) {
      reader = .pcapng(PcapngReader(window))
    } else if let packetLogger = try PacketLoggerReader(window) {
      reader = .packetLogger(packetLogger)
    } else {
      throw .unknownFormat
    }
  }

  /// The next record; `nil` at the end. After a failure nothing more can be read.
  package mutating func next() throws(CaptureFailure) -> CaptureRecord? {
    switch reader {
    case .btsnoop(var btsnoop):
      defer { reader = .btsnoop(btsnoop) }
      let record: BtsnoopRecord?
      do { record = try btsnoop.next() } catch { throw .btsnoop(error) }
      return record.map { captured($0, hasIndicator: btsnoop.dataLink == .h4) }
    case .pcap(var pcap):
      defer { reader = .pcap(pcap) }
      return try pcap.next()
    case .pcapng(var pcapng):
      defer { reader = .pcapng(pcapng) }
      return try pcapng.next()
    case .packetLogger(var packetLogger):
      defer { reader = .packetLogger(packetLogger) }
      return try packetLogger.next()
    }
  }

  /// What the file calls the adapter with this number.
  package func name(of adapter: UInt16) -> String {
    if case .pcapng = reader { PcapngReader.name(of: adapter) } else { "adapter \(adapter)" }
  }

  /// The numbers of the adapters that are captured together with this one: they begin and end with one interface of the file.
  package func interface(of adapter: UInt16) -> ClosedRange<UInt16> {
    if case .pcapng = reader { PcapngReader.interface(of: adapter) } else { 0...UInt16.max }
  }

  private mutating func captured(_ record: BtsnoopRecord, hasIndicator: Bool) -> CaptureRecord {
    var content = record.content.captured
    switch record.content {
    case .sent(let packet), .received(let packet):
      let length = packet.bytes.count + (hasIndicator ? 1 : 0)
      if length < record.originalLength { content = .omitted(.cutShort) }
    default: break
    }
    let drops = max(record.cumulativeDrops, cumulativeDrops)
    defer { cumulativeDrops = drops }
    return CaptureRecord(
      adapter: record.adapter, content: content, unixMicroseconds: record.unixMicroseconds,
      dropsBefore: drops - cumulativeDrops)
  }
}
