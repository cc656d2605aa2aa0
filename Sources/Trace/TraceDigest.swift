import Crypto
import Timeline

/// Hashes records as they come.
///
/// Canonical octets gather in a block and go into the hash a block at a time, because the cost of one call into
/// libcrypto is that of hashing a hundred octets and most records are shorter. Records that do not count for the hash
/// leave no gap in its numbering.
struct TraceDigest: ~Copyable {
  private static let blockLength = 64 * 1024
  /// Octets of the longest packet that goes through the block; longer ones are records like any other.
  static let longestPacket = 4 * 1024

  private let hasher = SHA256Hasher()
  private let block: UnsafeMutableRawBufferPointer
  private var used = 0
  private var count: UInt64 = 0

  init() {
    block = .allocate(byteCount: Self.blockLength, alignment: 16)
    storeSchema()
  }

  deinit { block.deallocate() }

  private mutating func storeSchema() {
    block.storeBytes(of: TraceRecord.schema.littleEndian, as: UInt16.self)
    used = 2
  }

  /// Takes the next record.
  mutating func append(_ record: TraceRecord) {
    appendHeader(record.payload.count, record.kind, record.source, record.instant)
    if record.payload.count > Self.blockLength - used {
      flush()
      hasher.update(record.payload)
    } else {
      record.payload.withUnsafeBytes { octets in
        guard let first = octets.baseAddress else { return }
        (block.baseAddress! + used).copyMemory(from: first, byteCount: octets.count)
      }
      used += record.payload.count
    }
  }

  /// Takes the next record, whose payload is a packet of at most ``longestPacket`` octets with `covered` zeroed. Returns
  /// the payload as it was hashed, which stands there until the next call.
  mutating func append(
    _ packet: borrowing [UInt8], covering covered: Range<Int>, _ kind: TraceKind, _ source: TraceSource,
    _ instant: Instant
  ) -> UnsafeRawBufferPointer {
    appendHeader(packet.count, kind, source, instant)
    let place = UnsafeMutableRawBufferPointer(rebasing: block[used..<(used + packet.count)])
    packet.withUnsafeBytes { place.copyMemory(from: $0) }
    if !covered.isEmpty { place[covered].initializeMemory(as: UInt8.self, repeating: 0) }
    used += packet.count
    return UnsafeRawBufferPointer(place)
  }

  /// Writes what stands before a payload; the block then has room for a payload of this length, unless it is longer than
  /// a block.
  private mutating func appendHeader(_ length: Int, _ kind: TraceKind, _ source: TraceSource, _ instant: Instant) {
    if used + TraceRecord.headerLength + length > Self.blockLength { flush() }
    block.storeBytes(of: count.littleEndian, toByteOffset: used, as: UInt64.self)
    block.storeBytes(of: instant.nanoseconds.littleEndian, toByteOffset: used + 8, as: UInt64.self)
    block[used + 16] = source.part.rawValue
    block[used + 17] = kind.rawValue
    block.storeBytes(of: source.index.littleEndian, toByteOffset: used + 18, as: UInt16.self)
    block.storeBytes(of: UInt32(length).littleEndian, toByteOffset: used + 20, as: UInt32.self)
    used += TraceRecord.headerLength
    count += 1
  }

  /// The hash of all records so far; more may follow.
  mutating func snapshot() -> TraceHash {
    flush()
    return TraceHash(digest: hasher.snapshot())
  }

  private mutating func flush() {
    hasher.update(UnsafeRawBufferPointer(rebasing: block[..<used]))
    used = 0
  }
}
