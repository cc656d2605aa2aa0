/// Where loops that change nothing were found last. It says nothing about the next time.
struct SpinHeads: Sendable {
  /// Odd where none was.
  private var addresses = SIMD4<UInt32>(repeating: 1)
  private var next = 0

  @inline(__always) func contains(_ address: UInt32) -> Bool { any(addresses .== address) }

  mutating func insert(_ address: UInt32) {
    guard !contains(address) else { return }
    addresses[next] = address
    next = (next + 1) % addresses.scalarCount
  }
}
