import DictofunProtocol
import Testing
import Timeline

@testable import Recorder

@Suite struct HardwareTests {
  @Test(arguments: [Int64(0), 20_000, -20_000, 500_000, -500_000, 100_000_000])
  func tickBeginsExactlyWhereItIsCounted(error: Int64) {
    let start = Instant(nanoseconds: 123_456_789)
    let oscillator = Oscillator(partsPerBillion: error, startedAt: start)
    // From the first ticks over hours to three weeks, where 64 bits no longer hold the products.
    for tick in [0, 1, 2, 1023, 1024, 18_874_368, 1_857_945_600] as [Int64] {
      let instant = oscillator.instant(of: tick)
      #expect(oscillator.tick(at: instant) == tick)
      if tick > 0 { #expect(oscillator.tick(at: Instant(nanoseconds: instant.nanoseconds - 1)) == tick - 1) }
    }
  }

  @Test func crystalThatIsFastCountsMore() {
    let week = Instant(nanoseconds: 7 * 86_400 * 1_000_000_000)
    let perfect = Oscillator(partsPerBillion: 0, startedAt: .zero).tick(at: week)
    #expect(perfect == 7 * 86_400 * 1024)
    // 20 ppm of a week are 12.096 s.
    #expect(Oscillator(partsPerBillion: 20_000, startedAt: .zero).tick(at: week) == perfect + 12_386)
    var changed = Oscillator(partsPerBillion: 0, startedAt: .zero)
    changed.setError(partsPerBillion: 100_000_000, at: Instant(nanoseconds: 1_000_000_000))
    #expect(changed.tick(at: Instant(nanoseconds: 11_000_000_000)) == 1024 + 11 * 1024)
  }

  @Test(arguments: [(Int64(0), 0), (20_000, 12), (-20_000, -13), (500_000, 302), (-500_000, -303)] as [(Int64, Int64)])
  func clockDriftsByItsError(error: Int64, seconds: Int64) {
    let clock = RealTimeClock(RecorderConfiguration.defaultClock, partsPerBillion: error, at: .zero)
    let week = Instant(nanoseconds: 7 * 86_400 * 1_000_000_000)
    let wanted = RecorderConfiguration.defaultClock.adding(seconds: 7 * 86_400 + seconds)
    #expect(clock.time(at: week) == wanted)
  }

  @Test func theClockCountsTimeThatItsWorldHasMissed() {
    var clock = RealTimeClock(RecorderConfiguration.defaultClock, partsPerBillion: 0, at: .zero)
    let now = Instant.zero.advanced(by: .milliseconds(400))
    clock.advance(by: .milliseconds(2_700), at: now)
    #expect(clock.time(at: now) == RecorderConfiguration.defaultClock.adding(seconds: 3))
    clock.setStopped(true, at: now)
    clock.advance(by: .seconds(5), at: now)
    #expect(clock.time(at: now) == RecorderConfiguration.defaultClock.adding(seconds: 3))
  }

  /// On a busy machine a timer rings late, and what it does was due before.
  @Test func theClockTellsWhatItShowedBeforeTimeWasCounted() {
    var clock = RealTimeClock(RecorderConfiguration.defaultClock, partsPerBillion: 0, at: .zero)
    clock.advance(by: .seconds(2), at: Instant.zero.advanced(by: .milliseconds(1_500)))
    let due = Instant.zero.advanced(by: .milliseconds(1_200))
    #expect(clock.time(at: due) == RecorderConfiguration.defaultClock.adding(seconds: 3))
  }

  @Test func clockTakesOnlyYearsThatTwoDigitsHold() throws {
    var clock = RealTimeClock(RecorderConfiguration.defaultClock, partsPerBillion: 0, at: .zero)
    let late = try #require(CivilTime("2100-01-01 00:00:00"))
    let isLateTaken = clock.set(late, at: .zero)
    #expect(!isLateTaken)
    let leap = try #require(CivilTime("2024-02-28 23:59:59"))
    let instant = Instant(nanoseconds: 999_999_999)
    let isLeapTaken = clock.set(leap, at: instant)
    #expect(isLeapTaken)
    #expect(clock.time(at: Instant(nanoseconds: 1_999_999_998)) == leap)
    #expect(clock.time(at: Instant(nanoseconds: 1_999_999_999)).description == "2024-02-29 00:00:00")
  }

  /// Its chip counts years in two digits.
  @Test func clockShows2000After2099() {
    let clock = RealTimeClock(CivilTime.ofRecorders.upperBound, partsPerBillion: 0, at: .zero)
    #expect(clock.time(at: Instant.zero.advanced(by: .seconds(86_401))).description == "2000-01-02 00:00:00")
  }

  @Test func microphoneHearsItsSamplesWhenTheyAreThere() {
    let samples = (1...300).map { Int16($0) }
    let once = Microphone(samples: samples, repeats: false)
    #expect(once.frame(from: 0).first == 1)
    #expect(Array(once.frame(from: 256)).suffix(84).allSatisfy { $0 == 0 })
    let again = Microphone(samples: samples)
    #expect(again.frame(from: 299).prefix(2) == [300, 1])
    let late = Microphone(samples: samples, beginning: .at(Instant(nanoseconds: 1_000_000_000)))
    #expect(late.offset(ofRecordAt: Instant(nanoseconds: 1_000_125_000), sampleRate: 16_000) == 2)
    #expect(late.offset(ofRecordAt: .zero, sampleRate: 16_000) == -16_000)
    #expect(Array(late.frame(from: -2).prefix(4)) == [0, 0, 1, 2])
  }

  @Test func batteryIsMeasuredOnlyWhileThatCanChangeSomething() {
    var battery = BatteryTask(millivolts: 3700, profile: .reference)
    #expect(battery.level == 96)
    #expect(!battery.needsMeasuring)
    battery.setMillivolts(3300)
    // Means: 3600, 3500, 3400, 3300.
    let levels = (0..<4).map { _ in
      _ = battery.measure()
      return battery.level
    }
    #expect(levels == [96, 96, 72, 48])
    #expect(!battery.needsMeasuring)
    #expect(!battery.isLow)
  }
}
