import CCrypto

/// Random bytes of the operating system, for keys that protect a real link.
///
/// A simulated world never calls this: its cryptographic values are named draws of the run, so that it can be
/// replayed.
package enum OperatingSystemEntropy {
  /// `count` unpredictable bytes. Throws `entropyUnavailable` when the system has none to give.
  package static func bytes(_ count: Int) throws(CryptoFailure) -> [UInt8] {
    var status: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: 0)
      status = RAND_bytes(buffer.baseAddress, Int32(count))
      initialized = count
    }
    guard status == 1 else { throw .entropyUnavailable }
    return bytes
  }
}
