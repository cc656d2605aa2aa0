import CZlib

/// CRC-32 as the update protocol uses it (reflected polynomial 0xEDB88320, initial and final value 0xFFFFFFFF).
public enum CRC32 {
  /// The checksum of `bytes`; `previous` is that of the bytes before them, 0 at the beginning.
  public static func checksum(_ bytes: [UInt8], continuing previous: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBufferPointer { buffer in
      UInt32(truncatingIfNeeded: crc32_z(UInt(previous), buffer.baseAddress, buffer.count))
    }
  }
}

/// The checksum of the beginning of some octets, for a beginning that grows: each octet is counted once.
struct RunningChecksum: Sendable {
  private var count = 0
  private var checksum: UInt32 = 0

  /// The checksum of the first octets; a shorter beginning than the last one is counted anew. Traps where they are fewer.
  mutating func of(first count: Int, in octets: [UInt8]) -> UInt32 {
    if count < self.count { self = RunningChecksum() }
    checksum = CRC32.checksum(Array(octets[self.count..<count]), continuing: checksum)
    self.count = count
    return checksum
  }
}
