/// A date and time of day of the proleptic Gregorian calendar, without a time zone and without leap seconds.
///
/// It is the time of a wall clock. All arithmetic is in integers, so it is the same on every machine.
public struct CivilTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Year, 1 to 9999.
  public let year: Int
  /// Month, 1 to 12.
  public let month: Int
  /// Day of the month, 1 to 31.
  public let day: Int
  /// Hour, 0 to 23.
  public let hour: Int
  /// Minute, 0 to 59.
  public let minute: Int
  /// Second, 0 to 59.
  public let second: Int

  /// Seconds of a day.
  public static let secondsPerDay: Int64 = 86_400
  /// 0001-01-01 00:00:00.
  public static let earliest = CivilTime(secondsSinceEpoch: earliestSeconds)
  /// 9999-12-31 23:59:59.
  public static let latest = CivilTime(secondsSinceEpoch: latestSeconds)

  private static let earliestSeconds: Int64 = -62_135_596_800
  private static let latestSeconds: Int64 = 253_402_300_799

  /// A time that exists. `nil` for any other, such as 30 February or 24:00.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.dayCount(year: year, month: month)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The time this many seconds after 1970-01-01 00:00:00. Seconds outside the years 1 to 9999 stop at their
  /// ends.
  public init(secondsSinceEpoch: Int64) {
    let seconds = min(max(secondsSinceEpoch, Self.earliestSeconds), Self.latestSeconds)
    var days = seconds / Self.secondsPerDay
    var rest = seconds % Self.secondsPerDay
    if rest < 0 {
      days -= 1
      rest += Self.secondsPerDay
    }
    // The calendar is counted from 0000-03-01, so that the leap day is the last of its year and 400 years are
    // 146,097 days.
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = Int(rest / 3600)
    minute = Int(rest / 60 % 60)
    second = Int(rest % 60)
  }

  /// Reads `2024-01-01 12:00:00` or `2024-01-01T12:00:00`; the seconds may be missing. `nil` for any other text
  /// and for a time that does not exist.
  public init?(_ text: String) {
    let halves = text.split(whereSeparator: { $0 == " " || $0 == "T" })
    guard halves.count == 2 else { return nil }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    let time = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    guard date.map(\.utf8.count) == [4, 2, 2], time.count == 2 || time.count == 3,
      time.allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = (date + time).compactMap { field in
      field.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(field) : nil
    }
    guard numbers.count == date.count + time.count else { return nil }
    self.init(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers.count == 6 ? numbers[5] : 0)
  }

  /// Seconds since 1970-01-01 00:00:00; negative before.
  public var secondsSinceEpoch: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = Int64(era * 146_097 + dayOfEra - 719_468)
    return days * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Seconds from 1970-01-01 to 2000-01-01.
  public static let secondsTo2000: Int64 = 946_684_800
  /// The time this many seconds after 2000-01-01 00:00:00; it stops at the ends of the calendar.
  public init(secondsSince2000: Int64) {
    self = CivilTime(secondsSinceEpoch: Self.secondsTo2000).adding(seconds: secondsSince2000)
  }
  /// What a recorder's clock can show: its chip counts years in two digits, from 2000.
  package static let ofRecorders = CivilTime(secondsSince2000: 0)...CivilTime(secondsSince2000: centuryOfRecorders - 1)
  private static let centuryOfRecorders: Int64 = 3_155_760_000
  /// What a recorder's clock shows at this time: 2000 follows 2099.
  package var onRecorder: CivilTime {
    let rest = secondsSince2000 % Self.centuryOfRecorders
    return CivilTime(secondsSince2000: rest < 0 ? rest + Self.centuryOfRecorders : rest)
  }
  /// Seconds from `other` to this time as recorders count them, where 2000 follows 2099: at most half a century.
  package func secondsOnRecorder(since other: CivilTime) -> Int64 {
    let half = Self.centuryOfRecorders / 2
    return adding(seconds: half - other.secondsSince2000).onRecorder.secondsSince2000 - half
  }
  /// Seconds since 2000-01-01 00:00:00; negative before.
  public var secondsSince2000: Int64 { secondsSinceEpoch - Self.secondsTo2000 }

  /// Day of the week as Bluetooth counts it: 1 is Monday, 7 is Sunday.
  public var dayOfWeek: Int {
    let days = secondsSinceEpoch - Int64(hour * 3600 + minute * 60 + second)
    // 1970-01-01 was a Thursday.
    let remainder = (days / Self.secondsPerDay + 3) % 7
    return Int(remainder < 0 ? remainder + 7 : remainder) + 1
  }

  /// The time this many seconds later, or earlier when negative; it stops at the ends of the calendar.
  public func adding(seconds: Int64) -> CivilTime {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
    return CivilTime(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
  }

  /// Seconds from `other` to this time; negative when `other` is later.
  public func seconds(since other: CivilTime) -> Int64 { secondsSinceEpoch - other.secondsSinceEpoch }

  /// Whether a year has 366 days.
  public static func isLeapYear(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// Days of a month, 1 to 12, in a year.
  public static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// `2024-01-01 12:00:00`.
  public var description: String {
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    return "\(date) \(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))"
  }

  public static func < (left: Self, right: Self) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }
}
