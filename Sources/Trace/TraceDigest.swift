import Crypto

/// Hashes records as they come.
///
/// Canonical octets gather in a block and go into the hash a block at a time, because the cost of one call into
/// libcrypto is that of hashing a hundred octets and most records are shorter. Records that do not count for the hash
/// leave no gap in its numbering.
struct TraceDigest: ~Copyable {
  private static let blockLength = 64 * 1024

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
    if used + TraceRecord.headerLength + record.payload.count > Self.blockLength { flush() }
    block.storeBytes(of: count.littleEndian, toByteOffset: used, as: UInt64.self)
    block.storeBytes(of: record.instant.nanoseconds.littleEndian, toByteOffset: used + 8, as: UInt64.self)
    block[used + 16] = record.source.part.rawValue
    block[used + 17] = record.kind.rawValue
    block.storeBytes(of: record.source.index.littleEndian, toByteOffset: used + 18, as: UInt16.self)
    block.storeBytes(of: UInt32(record.payload.count).littleEndian, toByteOffset: used + 20, as: UInt32.self)
    used += TraceRecord.headerLength
    count += 1
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
