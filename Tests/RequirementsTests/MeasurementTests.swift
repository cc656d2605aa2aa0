import DictofunProtocol
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

@Suite struct MeasurementTests {
  private static func figures(_ events: [(Duration, TraceSource, Happening)]) -> [String] {
    var measurements = Measurements()
    for (time, source, happening) in events {
      measurements.observe(ProductEvent(at: Instant.zero.advanced(by: time), from: source, link: 1, happening))
    }
    return measurements.figures.map { "\($0.name) \($0.value) \($0.unit)" }
  }

  @Test func theLowestLevelCounts() {
    let levels: [UInt8] = [80, 12, 40]
    #expect(Self.figures(levels.map { (.zero, .phone(), .batteryRead($0)) }) == ["battery 12 %"])
  }

  @Test func aLevelThatCannotBeIsNotMeasured() {
    #expect(Self.figures([(.zero, .phone(), .batteryNotified(255))]) == [])
  }

  @Test func aClockIsMeasuredAfterAMeetingOnly() {
    func clock(_ ahead: Duration) -> (Duration, TraceSource, Happening) {
      (.zero, .world, .oracle(.recorderClock(recorder: 0, phone: 0, aheadBy: ahead)))
    }
    let meeting = (Duration.zero, TraceSource.recorder(0), Happening.timeServed(nil))
    let seen = [
      [clock(.seconds(9))], [meeting, clock(.milliseconds(-1_250)), clock(.seconds(9))],
      [meeting, clock(.seconds(1)), meeting, clock(.milliseconds(200))], [meeting, clock(.seconds(Int64.max))],
    ].map(Self.figures)
    #expect(seen == [[], ["clock-error 1250 ms"], ["clock-error 1000 ms"], ["clock-error \(Int64.max) ms"]])
  }

  @Test func theFastestLongDownloadCounts() {
    func download(_ octets: UInt32, _ began: Duration, _ ended: Duration) -> [(Duration, TraceSource, Happening)] {
      let record = RecordIdentifier.fallback
      return [
        (began, .phone(), .fileTransfer(.requested(.fileData(record)))),
        (ended, .phone(), .fileTransfer(.completed(record, octets: octets))),
      ]
    }
    let short = download(49_999, .zero, .milliseconds(1))
    #expect(Self.figures(short) == [])
    let long = download(100_000, .seconds(1), .seconds(3)) + download(100_000, .seconds(4), .seconds(5))
    #expect(Self.figures(long) == ["throughput 100000 octets/s"])
    #expect(Self.figures(download(100_000, .seconds(1), .seconds(1))) == [], "no time passed")
  }
}
