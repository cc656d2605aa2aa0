/// Reads pcap files (`pcap-savefile(5)`) of either order of octets, with times in microseconds or nanoseconds.
struct PcapReader: Sendable {
  private static let fileHeaderLength = 24
  private static let recordHeaderLength = 16

  private var window: CaptureWindow
  private let order: OctetOrder
  private let hasNanoseconds: Bool
  private var link: CaptureLink

  /// Returns the order of octets of a file that begins with these four, and whether its times are in nanoseconds; `nil`
  /// where it is not pcap.
  static func recognise(_ magic: ArraySlice<UInt8>) -> (OctetOrder, hasNanoseconds: Bool)? {
    switch Array(magic) {
    case [0xA1, 0xB2, 0xC3, 0xD4]: (.bigEndian, false)
    case [0xD4, 0xC3, 0xB2, 0xA1]: (.littleEndian, false)
    case [0xA1, 0xB2, 0x3C, 0x4D]: (.bigEndian, true)
    case [0x4D, 0x3C, 0xB2, 0xA1]: (.littleEndian, true)
    default: nil
    }
  }

  /// Opens a file at its beginning. Throws when its header is cut off.
  init(_ window: CaptureWindow, _ order: OctetOrder, hasNanoseconds: Bool) throws(CaptureFailure) {
    self.window = window
    self.order = order
    self.hasNanoseconds = hasNanoseconds
    guard let header = try self.window.take(Self.fileHeaderLength) else { throw .truncated(offset: 0) }
    // The upper bits tell of the checksum of frames.
    link = CaptureLink(UInt16(truncatingIfNeeded: order.number32(header, 20)))
  }

  /// The next record; `nil` at the end. After a failure nothing more can be read.
  mutating func next() throws(CaptureFailure) -> CaptureRecord? {
    let start = window.offset
    if try window.isAtEnd { return nil }
    guard let header = try window.take(Self.recordHeaderLength) else { throw .truncated(offset: start) }
    let (included, original) = (order.number32(header, 8), order.number32(header, 12))
    guard included <= UInt32(CaptureReader.recordLimit) else { throw .badLength(included, offset: start) }
    guard let data = try window.take(Int(included)) else { throw .truncated(offset: start) }
    let fraction = Int64(order.number32(header, 4))
    let microseconds =
      Int64(order.number32(header, 0)) * 1_000_000 + (hasNanoseconds ? fraction / 1_000 : fraction)
    var (adapter, content) = link.interpret(data, isReceived: nil)
    if included < original { content = .omitted(.cutShort) }
    return CaptureRecord(adapter: adapter, content: content, unixMicroseconds: microseconds)
  }
}
