import Recorder
import Testing
import Timeline

@testable import ImageRecorder

/// What an executed recorder's parts did while it had power.
@Suite struct RecorderUseTests {
  private static func at(_ milliseconds: UInt64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  @Test func aRecorderThatWaitsIsAsleep() throws {
    var recorder = try Guests.recorder("recorder-s140.elf")
    #expect(recorder.use(at: Self.at(0))?.powered == .zero)
    recorder.start()
    _ = recorder.wait(until: 1000)
    let second = try #require(recorder.use(at: Self.at(1000)))
    #expect(second.chip == .nRF52840)
    #expect(second.powered == .seconds(1))
    #expect(second.awake > .zero, "\(second)")
    #expect(second.asleep > .milliseconds(500), "\(second)")
    // The time since it was executed last goes on as it was: most of it is left out while nothing happens.
    let later = try #require(recorder.use(at: Self.at(3000)))
    #expect(later.powered == .seconds(3))
    #expect(later.awake == second.awake)
    recorder.take(.cutPower, at: Self.at(3000))
    let end = try #require(recorder.use(at: Self.at(9000)))
    #expect(end.powered == .seconds(3))
    // A second life adds to the first.
    recorder.take(.holdRail, at: Self.at(10_000))
    _ = recorder.wait(until: 10_500)
    #expect(recorder.use(at: Self.at(10_500))?.powered == .milliseconds(3500))
  }

  @Test(arguments: ["spin.elf", "count-for-ever.elf"]) func oneInCirclesIsAwake(_ guest: String) throws {
    var recorder = try Guests.recorder(guest)
    recorder.start()
    _ = recorder.wait(until: 100)
    let use = try #require(recorder.use(at: Self.at(100)))
    #expect(use.powered == .milliseconds(100))
    #expect(use.asleep == .zero)
  }

  @Test func aRecordIsWritten() throws {
    var recorder = try Guests.recorder("recorder-s140.elf")
    recorder.start()
    _ = recorder.wait(until: 1000)
    let before = try #require(recorder.use(at: Self.at(1000))).writing
    recorder.take(.pressButton, at: Self.at(1000))
    recorder.take(.releaseButton, at: Self.at(2000))
    _ = recorder.wait(until: 2300)
    let after = try #require(recorder.use(at: Self.at(2300))).writing
    // 32 pages and an entry, 0.7 ms each.
    #expect((.milliseconds(20) ... .milliseconds(60)).contains(after - before), "\(after - before)")
  }
}
