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
