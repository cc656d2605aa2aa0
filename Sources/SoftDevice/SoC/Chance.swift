import Crypto
import Processor

/// Random octets and AES, 0x2F to 0x31, 0x46 and 0x47 (`nrf_soc.h`).
extension SoftDeviceHost {
  /// Octets that the generator's pool holds; here it is always full.
  private static let poolSize = 64

  /// 0x2F `sd_rand_application_pool_capacity_get` and 0x30 `sd_rand_application_bytes_available_get`.
  mutating func tellPool(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write([UInt8(Self.poolSize)], to: call.r0, call, &processor)
  }

  /// 0x31 `sd_rand_application_vector_get`: buffer, octets.
  mutating func drawRandom(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let count = Int(UInt8(truncatingIfNeeded: call.r1))
    guard count <= Self.poolSize else { throw .notEnoughRandom }
    var octets: [UInt8] = []
    while octets.count < count {
      randomBlocks += 1
      let key = Key128(littleEndian: settings.randomKey)
      octets += AES128.encrypt(UInt128(randomBlocks), key: key).littleEndianOctets
    }
    try write(Array(octets.prefix(count)), to: call.r0, call, &processor)
  }

  /// 0x46 `sd_ecb_block_encrypt`: key, clear text and cipher text of sixteen octets each, most significant first.
  mutating func encryptBlock(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let block = try structure(call.r0, 48, call, processor)
    let cipher = Self.encrypt(block.part(16, 16), block.part(0, 16))
    try write(cipher, to: call.r0 &+ 32, call, &processor)
  }

  /// 0x47 `sd_ecb_blocks_encrypt`: number of blocks, and for each pointers to key, clear text and cipher text.
  mutating func encryptBlocks(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    for index in 0..<UInt32(UInt8(truncatingIfNeeded: call.r0)) {
      let pointers = try structure(call.r1 &+ index * 12, 12, call, processor)
      let key = try read(pointers.u32(0), 16, call, processor)
      let clear = try read(pointers.u32(4), 16, call, processor)
      try write(Self.encrypt(clear, key), to: pointers.u32(8), call, &processor)
    }
  }

  private static func encrypt(_ clear: [UInt8], _ key: [UInt8]) -> [UInt8] {
    AES128.encrypt(UInt128(bigEndianOctets: clear), key: Key128(bigEndian: key)).bigEndianOctets
  }
}
