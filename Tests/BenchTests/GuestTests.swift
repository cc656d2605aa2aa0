import HCI
import Testing
import Timeline
import Transports
import World

@testable import Bench

/// Hosts that attach to a simulated recorder's air.
@Suite struct Guests {
  @Test func whoComesAndGoesLeavesNothingBehind() throws {
    let loop = EventLoop(driver: .wall, seed: 1)
    nonisolated(unsafe) let waits = Waits()
    let folder = try Folder()
    let bench = RecorderBench(RecorderPlan(), on: loop)
    defer { bench.close() }
    _ = try bench.listen(at: .unixServer(path: folder.path + "/air"))
    let alone = bench.attached.controllers
    func pass() throws { _ = try loop.run { await waits.pass(.milliseconds(100), on: loop) } }
    for _ in 0..<4 {
      let host = try TransportOpening.open(.unixClient(path: folder.path + "/air"), on: loop)
      try pass()
      #expect(bench.attached == (hosts: 1, controllers: alone + 1))
      host.close()
      try pass()
      #expect(bench.attached == (hosts: 0, controllers: alone))
    }
  }
}
