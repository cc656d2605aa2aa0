import Testing

@testable import SecureDFU

/// The checksum of a beginning that grows is that of the same octets counted at once.
struct RunningChecksumTests {
  @Test func anyBeginningHasItsChecksum() {
    var numbers = SeededGenerator(seed: 5)
    let octets = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    var checksum = RunningChecksum()
    for _ in 0..<300 {
      let count = Int.random(in: 0...octets.count, using: &numbers)
      #expect(checksum.of(first: count, in: octets) == CRC32.checksum(Array(octets[..<count])))
    }
  }
}
