import System
import Testing

@Suite struct ResourceUsages {
  @Test func workCostsTimeAndMemory() throws {
    let before = try ResourceUsage.ofThisProcess()
    var octets = [UInt8](repeating: 1, count: 1 << 24)
    for index in octets.indices { octets[index] &+= UInt8(truncatingIfNeeded: index) }
    let after = try ResourceUsage.ofThisProcess()
    #expect(octets[255] == 0)
    #expect(after.cpuNanoseconds > before.cpuNanoseconds)
    #expect(after.peakKibibytes >= 1 << 14)
    #expect(after.peakKibibytes >= before.peakKibibytes)
  }
}
