import Bytes
import Testing

@testable import DictofunProtocol

@Suite struct TimeAndBatteryTests {
  @Test(arguments: [
    ("1970-01-01 00:00:00", 0, 4), ("2000-02-29 12:00:00", 951_825_600, 2), ("2024-12-31 23:59:59", 1_735_689_599, 2),
    ("1969-12-31 23:59:59", -1, 3), ("1900-03-01 00:00:00", -2_203_891_200, 4),
    ("9999-12-31 23:59:59", 253_402_300_799, 5), ("0001-01-01 00:00:00", -62_135_596_800, 1),
  ])
  func civilTimeCountsSecondsAndWeekdays(text: String, seconds: Int64, dayOfWeek: Int) throws {
    let time = try #require(CivilTime(text))
    #expect(time.secondsSinceEpoch == seconds)
    #expect(CivilTime(secondsSinceEpoch: seconds) == time)
    #expect(time.dayOfWeek == dayOfWeek)
    #expect(time.description == text)
  }

  @Test func everyDayFollowsTheOneBefore() {
    var previous = CivilTime(secondsSinceEpoch: -5_000_000_000)
    for _ in 0..<200_000 {
      let next = previous.adding(seconds: 86_400)
      let isNext =
        next.secondsSinceEpoch - previous.secondsSinceEpoch == 86_400 && next.dayOfWeek == previous.dayOfWeek % 7 + 1
        && (next.day == previous.day + 1 || next.day == 1)
      guard isNext else {
        Issue.record("\(next) does not follow \(previous)")
        return
      }
      previous = next
    }
  }

  @Test(arguments: [
    "2023-02-29 00:00:00", "2024-13-01 00:00:00", "2024-00-01 00:00:00", "2024-01-32 00:00:00", "2024-01-01 24:00:00",
    "2024-01-01 00:60:00", "2024-01-01 00:00:60", "2024-1-1 00:00:00", "2024-01-01", "", "2024-01-01 +1:00:00",
    "0000-01-01 00:00:00",
  ])
  func timeThatDoesNotExistIsRefused(text: String) { #expect(CivilTime(text) == nil) }

  @Test func calendarEndsInsteadOfOverflowing() {
    #expect(CivilTime.latest.adding(seconds: .max) == .latest)
    #expect(CivilTime.earliest.adding(seconds: .min) == .earliest)
    #expect(CivilTime("2000-01-01 00:00:01")?.secondsSince2000 == 1)
    #expect(CivilTime(secondsSince2000: 757_425_600).description == "2024-01-01 12:00:00")
    #expect(CivilTime("2024-01-01T12:30")?.description == "2024-01-01 12:30:00")
  }

  @Test(arguments: [
    ("2024-03-31 00:59:59", 60), ("2024-03-31 01:00:00", 120), ("2024-10-27 00:59:59", 120),
    ("2024-10-27 01:00:00", 60), ("2024-12-31 23:30:00", 60), ("2025-03-30 01:00:00", 120),
  ])
  func centralEuropeanTimeChangesOnTheLastSundays(text: String, minutes: Int) throws {
    let time = try #require(CivilTime(text))
    #expect(TimeZoneRules.centralEuropean.offsetMinutes(atUniversal: time) == minutes)
    #expect(
      TimeZoneRules.centralEuropean.local(fromUniversal: time).seconds(since: time) == Int64(minutes) * 60)
  }

  /// Sydney: ten hours, eleven from the first Sunday of October to the first of April, 16:00 universal time the
  /// day before.
  @Test(arguments: [
    ("2024-01-01 00:00:00", 660), ("2024-04-06 15:59:59", 660), ("2024-04-06 16:00:00", 600),
    ("2024-10-05 15:59:59", 600), ("2024-10-05 16:00:00", 660), ("2024-12-31 20:00:00", 660),
  ])
  func southernSummerSpansTheTurnOfTheYear(text: String, minutes: Int) throws {
    let rules = TimeZoneRules(
      offsetMinutes: 600,
      daylightSaving: .init(
        begins: .init(month: 10, dayOfWeek: 7, occurrence: 1, minuteOfDayUniversal: -480),
        ends: .init(month: 4, dayOfWeek: 7, occurrence: 1, minuteOfDayUniversal: -480)))
    #expect(rules.offsetMinutes(atUniversal: try #require(CivilTime(text))) == minutes)
  }

  @Test func travellerChangesTheOffsetOnce() throws {
    let departure = try #require(CivilTime("2024-06-01 10:00:00"))
    let rules = TimeZoneRules(offsetMinutes: 0, transitions: [.init(at: departure, offsetMinutes: -300)])
    #expect(rules.offsetMinutes(atUniversal: departure.adding(seconds: -1)) == 0)
    #expect(rules.offsetMinutes(atUniversal: departure) == -300)
  }

  @Test func currentTimeHasTheOctetsOfTheService() throws {
    let time = try #require(CivilTime("2024-12-31 23:59:58"))
    let value = CurrentTime(time, fractions256: 128, adjustReason: 2)
    #expect(Hexadecimal.string(value.encoded) == "e8070c1f173b3a028002")
    #expect(try CurrentTime(decoding: value.encoded) == value)
    #expect(value.civilTime == time)
  }

  @Test(arguments: [
    ("2d060c1f173b3a028002", false), ("e8070d1f173b3a028002", false), ("e8070c20173b3a028002", false),
    ("e8070c1f183b3a028002", false), ("e8070c1f173c3a028002", false), ("e8070c1f173b3c028002", false),
    ("e8070c1f173b3a088002", false), ("e8070c1f173b3a0280", false), ("e8070c1f173b3a02800200", false),
    ("0000000000000000ffff", true), ("e807021f173b3a028002", true),
  ])
  func currentTimeIsCheckedAsTheFirmwareChecksIt(hexadecimal: String, isTaken: Bool) {
    let value = try? CurrentTime(decoding: Hexadecimal.bytes(hexadecimal) ?? [])
    #expect((value != nil) == isTaken)
    #expect(value?.civilTime == nil)
  }

  @Test(arguments: [
    (0, 0), (3099, 0), (3100, 12), (3199, 12), (3200, 24), (3249, 24), (3250, 36), (3300, 48), (3350, 60), (3400, 72),
    (3450, 84), (3499, 84), (3500, 96), (4200, 96),
  ])
  func levelFollowsTheThresholds(millivolts: Int, percent: Int) {
    #expect(BatteryLevel.percent(millivolts: millivolts) == UInt8(percent))
    #expect(BatteryLevel.percent(millivolts: BatteryLevel.millivolts(percent: UInt8(percent))) == UInt8(percent))
  }

  @Test func lowBatteryRecoversOneStepAboveWhereItBegan() {
    var rule = LowBatteryRule()
    let levels: [UInt8] = [96, 24, 12, 23, 24, 13, 12, 0, 36]
    let seen = levels.map { level in
      rule.observe(percent: level)
      return rule.isLow
    }
    #expect(seen == [false, false, true, true, false, false, true, true, false])
  }
}
