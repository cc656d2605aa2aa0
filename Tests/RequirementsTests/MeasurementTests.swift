import DictofunProtocol
import HCI
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
    return measurements.figures().map { "\($0.name) \($0.value) \($0.unit)" }
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

  /// Octets that a link could carry in a second, by the ATT_MTU of the phone at each instant.
  private static func capacity(_ events: [(Duration, Happening)], _ now: (Duration, UInt16) -> Int64?) -> [String] {
    var measurements = Measurements()
    for (time, happening) in events {
      let event = ProductEvent(at: Instant.zero.advanced(by: time), from: .phone(), link: 1, happening)
      measurements.observe(event) { unit in now(time, unit) }
    }
    return measurements.figures().map { "\($0.name) \($0.value)" }
  }

  private static let link = LELinkParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 400)
  private static let record = RecordIdentifier.fallback
  private static let download: [(Duration, Happening)] = [
    (.seconds(1), .fileTransfer(.requested(.fileData(record)))),
    (.seconds(3), .fileTransfer(.completed(record, octets: 100_000))),
  ]

  @Test func theLinkOfTheFastestDownloadCountsAtItsBest() {
    let faster = (Duration.seconds(2), Happening.parametersChanged(Self.link))
    let events = [Self.download[0], faster, Self.download[1]]
    let seen = Self.capacity(events) { time, _ in [.seconds(1): 60_000, .seconds(2): 90_000][time] ?? 70_000 }
    #expect(seen == ["link-capacity 90000", "throughput 50000"])
    let slower = Self.download.map { ($0.0 * 10, $0.1) }
    let both = Self.capacity(Self.download + slower) { time, _ in time > .seconds(4) ? 99 : 77 }
    #expect(both.first == "link-capacity 77")
  }

  @Test func theUnitIsThatOfTheLink() {
    let agreed = (Duration.zero, Happening.maximumTransmissionUnit(247))
    let units = [[], [agreed], [agreed, (.zero, .linkUp(role: .central, Self.link))]].map { before in
      Self.capacity(before + Self.download) { _, unit in Int64(unit) }.first
    }
    #expect(units == ["link-capacity 23", "link-capacity 247", "link-capacity 23"])
  }

  @Test func whatNobodyKnowsOfALinkIsNotMeasured() {
    #expect(Self.capacity(Self.download) { _, _ in nil } == ["throughput 50000"])
  }

  @Test func theRadioIsMeasuredWhereSomebodyKnowsIt() {
    #expect(Measurements().figures(radioTime: .microseconds(1_600)).map(\.value) == [2])
    #expect(Measurements().figures() == [])
  }
}
