/// Where the octets of a capture are kept. They are asked for piece by piece, so that a capture need not fit into memory.
package protocol CaptureSource: Sendable {
  /// Returns `count` octets from `offset` on, and fewer only where the capture ends. Throws when they cannot be read.
  func octets(at offset: Int, upTo count: Int) throws(CaptureFailure) -> [UInt8]
}

extension [UInt8]: CaptureSource {
  /// Returns a part of the array; nothing behind its end.
  package func octets(at offset: Int, upTo count: Int) throws(CaptureFailure) -> [UInt8] {
    Array(dropFirst(offset).prefix(count))
  }
}

/// Why a capture could not be read on.
package enum CaptureFailure: Error, Hashable, Sendable {
  /// The file begins like none of the formats that are known.
  case unknownFormat
  /// A btsnoop file is broken.
  case btsnoop(BtsnoopFailure)
  /// The file ends in the middle of a record; what came before it is whole.
  case truncated(offset: Int)
  /// A record has a length that no record can have.
  case badLength(UInt32, offset: Int)
  /// The file is of a kind of a known format that is not read; the text says which.
  case unsupported(String)
  /// The file cannot be read; the text is the system's.
  case unreadable(String)
}

extension CaptureFailure: CustomStringConvertible {
  /// What is wrong with the file, and where.
  package var description: String {
    switch self {
    case .unknownFormat: "not a capture: expected btsnoop, pcap, pcapng or Apple's PacketLogger"
    case .btsnoop(let failure): "\(failure)"
    case .truncated(let offset): "the record at offset \(offset) is cut off"
    case .badLength(let length, let offset): "the record at offset \(offset) has an impossible length of \(length)"
    case .unsupported(let reason): reason
    case .unreadable(let reason): reason
    }
  }
}

/// Reads a capture from its beginning on, through a piece of bounded size.
struct CaptureWindow: Sendable {
  /// Octets that are asked for at a time, unless more are needed at once.
  static let pieceLength = 1 << 16

  private let source: any CaptureSource
  private var piece: [UInt8] = []
  private var pieceOffset = 0
  /// Offset of the next octet.
  private(set) var offset = 0

  init(_ source: any CaptureSource) { self.source = source }

  /// The next octets, which stay the next ones; fewer where the capture ends.
  mutating func peek(_ count: Int) throws(CaptureFailure) -> ArraySlice<UInt8> {
    let end = pieceOffset + piece.count
    if offset < pieceOffset || end - offset < count {
      piece = try source.octets(at: offset, upTo: max(count, Self.pieceLength))
      pieceOffset = offset
    }
    let start = offset - pieceOffset
    return piece[start..<min(start + count, piece.count)]
  }

  /// Takes the next octets; `nil` where fewer are left.
  mutating func take(_ count: Int) throws(CaptureFailure) -> [UInt8]? {
    let octets = try peek(count)
    guard octets.count == count else { return nil }
    offset += count
    return Array(octets)
  }

  /// Passes over octets, also beyond the end of the capture.
  mutating func skip(_ count: Int) { offset += count }

  /// Whether nothing is left.
  var isAtEnd: Bool { mutating get throws(CaptureFailure) { try peek(1).isEmpty } }
}

/// The order of the octets of a file's numbers.
enum OctetOrder: Hashable, Sendable {
  case bigEndian
  case littleEndian

  /// The number of two octets from `offset` on, which are there.
  func number16(_ octets: [UInt8], _ offset: Int) -> UInt16 {
    let (first, second) = (UInt16(octets[offset]), UInt16(octets[offset + 1]))
    return self == .bigEndian ? first << 8 | second : second << 8 | first
  }

  /// The number of four octets from `offset` on, which are there.
  func number32(_ octets: [UInt8], _ offset: Int) -> UInt32 {
    let (first, second) = (UInt32(number16(octets, offset)), UInt32(number16(octets, offset + 2)))
    return self == .bigEndian ? first << 16 | second : second << 16 | first
  }

  /// The number of eight octets from `offset` on, which are there.
  func number64(_ octets: [UInt8], _ offset: Int) -> UInt64 {
    let (first, second) = (UInt64(number32(octets, offset)), UInt64(number32(octets, offset + 4)))
    return self == .bigEndian ? first << 32 | second : second << 32 | first
  }
}
