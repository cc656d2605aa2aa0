/// Which instructions of a region were executed.
package struct Coverage: Equatable, Sendable {
  /// The first address of the region.
  package let base: UInt32
  /// The size of the region in octets.
  package let size: Int
  private var bits: [UInt64]

  init(of region: MemoryRegion?) {
    base = region?.base ?? 0
    size = region?.size ?? 0
    bits = Array(repeating: 0, count: (size + 127) / 128)
  }

  /// Whether the half-word at an address belongs to an instruction that was executed.
  package func contains(_ address: UInt32) -> Bool {
    guard address >= base, Int(address - base) < size else { return false }
    let index = Int(address - base) / 2
    return bits[index / 64] >> UInt64(index % 64) & 1 != 0
  }

  /// Calls `body` with the address of every half-word that belongs to an executed instruction, in order.
  package func forEach(_ body: (UInt32) -> Void) {
    for (index, word) in bits.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        body(base + UInt32(index * 128 + rest.trailingZeroBitCount * 2))
        rest &= rest - 1
      }
    }
  }

  /// Half-words that belong to executed instructions.
  package var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Takes over what another coverage of the same region has.
  package mutating func formUnion(_ other: Coverage) {
    guard base == other.base, size == other.size else { return }
    for index in bits.indices { bits[index] |= other.bits[index] }
  }

  mutating func withBits<Result>(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Result) -> Result {
    bits.withUnsafeMutableBufferPointer { body($0) }
  }
}
