import Timeline
import Testing

@testable import Probe

@Suite struct Measurements {
  @Test func samplesThatAgreeLeaveWhatAllOfThemAllow() throws {
    var measurement = Measurement(.time, "test")
    for sample in [(100, 140), (130, 120), (90, 128)] as [(Int64, Int64)] { measurement.add(.init(sample.0, sample.1)) }
    let figure = try #require(measurement.figure)
    #expect(figure.value == 124)
    #expect(figure.spread == 4)
    #expect(figure.samples == 3)
    #expect(!figure.excludes(128))
    #expect(figure.excludes(129))
  }

  @Test func samplesThatContradictEachOtherGiveTheirMedian() throws {
    var measurement = Measurement(.time, "test")
    for middle in [10, 20, 30, 40, 500] as [Int64] { measurement.add(.init(middle - 1, middle + 1)) }
    let figure = try #require(measurement.figure)
    #expect(figure.value == 30)
    #expect(figure.spread == 470)
  }

  @Test func withoutSamplesThereIsNoFigure() { #expect(Measurement(.time, "test").figure == nil) }

  @Test(arguments: [
    (Int64(14_648_437_500), MeasuredUnit.time, "14648.4375 ms"), (-1_500_000, .time, "-1.5 ms"),
    (247, .octets, "247 octets"),
    (16_129_000, .rate, "16129 Hz"), (1_000_572, .ratio, "100.0572 %"), (3_100_001, .voltage, "3100.001 mV"),
    (0, .speed, "0 octets/s"),
  ]) func figuresAreWrittenAndReadWithTheirUnits(value: Int64, unit: MeasuredUnit, text: String) throws {
    #expect(unit.text(value) == text)
    let read = try #require(MeasuredUnit.parse(text))
    #expect(read.value == value)
    #expect(read.unit == unit)
  }

  @Test(arguments: [
    "", "12", "12 s", " ms", "1. ms", ".5 ms", "1.2.3 ms", "1.5 octets", "1.0000001 ms", "99999999999999999999 ms",
  ])
  func anythingElseIsNoFigure(text: String) { #expect(MeasuredUnit.parse(text) == nil) }
}

@Suite struct AdvertisingGapTests {
  private static func instants(_ milliseconds: [Double]) -> [Instant] {
    milliseconds.map { Instant(nanoseconds: UInt64($0 * 1_000_000)) }
  }

  /// Events of 125 ms with delays of 0 to 10 ms, one of them missed, one heard on two channels.
  @Test func delaysChannelsAndMissedEventsAreAllowedFor() throws {
    let heard = Self.instants([0, 126, 127.5, 260, 390.5, 650, 784, 909.2])
    let figure = try #require(AdvertisingGaps.figure(heard))
    #expect(!figure.excludes(125_000_000))
    #expect(figure.excludes(135_000_000))
    #expect(figure.samples == 6)
  }

  /// A host that tells some of them 110 ms late contradicts the bounds of single gaps, and leaves the mean as it is.
  @Test func lateTimesLeaveTheMean() throws {
    let heard = Self.instants((0..<200).map { Double($0) * 130 + ($0 % 20 == 19 ? 110 : 0) })
    let figure = try #require(AdvertisingGaps.figure(heard))
    #expect(!figure.excludes(125_000_000))
    #expect(figure.spread < 1_000_000)
  }

  @Test func aLongSilenceIsNoSample() {
    #expect(AdvertisingGaps.figure(Self.instants([0, 125, 60_000, 60_130]))?.samples == 2)
  }

  @Test func oneEventIsNoMeasurement() { #expect(AdvertisingGaps.figure(Self.instants([5])) == nil) }

  @Test func silenceEndsAnEpisode() {
    let episodes = AdvertisingEpisode.episodes(Self.instants([0, 130, 260, 5_000, 5_130]), pause: .seconds(1))
    #expect(episodes.map(\.span) == [.milliseconds(260), .milliseconds(130)])
  }
}

@Suite struct LatencySlopes {
  /// Answers that take 5 ms and 2 ms a step, told at the next of events 15 ms apart.
  @Test func theStepIsFoundBehindTheIntervals() throws {
    let samples = (0..<64).map { step -> LatencySlope.Sample in
      let latency = 5_000_000 + Int64(step) * 2_000_000
      let told = (latency + 14_999_999) / 15_000_000 * 15_000_000
      return .init(steps: Int64(step), latency: .init(told - 15_000_000, told))
    }
    let figure = try #require(LatencySlope.figure(samples, "test"))
    #expect(!figure.excludes(2_000_000))
    #expect(figure.spread < 300_000)
    #expect(figure.samples == 64)
  }

  @Test func oneNumberOfStepsHasNoSlope() {
    #expect(LatencySlope.figure([.init(steps: 3, latency: .init(1, 2))], "test") == nil)
  }
}
