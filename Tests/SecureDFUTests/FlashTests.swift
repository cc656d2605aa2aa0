import SecureDFU
import Testing

/// The flash keeps only what is not erased; it must read as one that keeps everything.
@Suite struct FlashTests {
  /// Every octet of the banks.
  private struct WholeFlash {
    let start: UInt32
    var octets: [UInt8]

    mutating func fill(_ address: UInt32, _ bytes: [UInt8]) {
      for (index, byte) in bytes.enumerated() {
        let place = Int(address) + index - Int(start)
        if octets.indices.contains(place) { octets[place] = byte }
      }
    }

    func bytes(_ address: UInt32, _ count: Int) -> [UInt8] {
      let first = Int(address) - Int(start)
      guard octets.indices.contains(first) else { return [] }
      return Array(octets[first..<min(octets.count, first + count)])
    }
  }

  @Test func pagesThatAreNotStoredReadAsOnes() {
    var build = BootloaderBuild.s140Debug
    // Nine pages and a half, so that the last one is cut.
    build.bootloaderStart = build.bankStart + build.applicationDataSize + 9 * 4096 + 2048
    let application = [UInt8](repeating: 0x5A, count: 5000)
    var flash = BootloaderFlash(build: build, application: application)
    var whole = WholeFlash(start: build.bankStart, octets: .init(repeating: 0xFF, count: Int(build.regionSize)))
    whole.fill(build.bankStart, application)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let address = build.bankStart &+ UInt32(generator.next() % 44_000) &- 2000
      switch generator.next() % 4 {
      case 0:
        flash.perform(.erase(address & ~3))
        if address & ~3 >= build.bankStart { whole.fill(address & ~3, .init(repeating: 0xFF, count: 4096)) }
      case 1, 2:
        let bytes = generator.bytes(Int(generator.next() % 300))
        flash.perform(.write(address, bytes))
        guard address % 4 == 0, address >= build.bankStart else { continue }
        let old = whole.bytes(address, bytes.count & ~3)
        whole.fill(address, zip(bytes.prefix(bytes.count & ~3), old).map { $0 & $1 })
      default:
        let target = build.bankStart + UInt32(generator.next() % 10) * 4096
        let bytes = whole.bytes(address, 4096)
        flash.perform(.copy(from: address, to: target))
        if address >= build.bankStart { whole.fill(target, bytes) }
      }
    }
    #expect(flash.bytes(build.bankStart, Int(build.regionSize)) == whole.octets)
    for address in stride(from: Int(build.bankStart) - 5000, to: Int(build.regionEnd) + 5000, by: 777) {
      let address = UInt32(address)
      #expect(flash.bytes(address, 5000) == (address < build.bankStart ? [] : whole.bytes(address, 5000)))
    }
    #expect(flash.bytes(build.bankStart, -1) == [])
    #expect(flash.bytes(.max, .max) == [])
  }
}
