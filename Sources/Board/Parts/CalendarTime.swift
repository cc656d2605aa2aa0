/// A time as the clock chip counts it: years of 2000 with two digits, every fourth of them a leap year.
struct CalendarTime: Hashable, Sendable {
  /// 0 to 99.
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  private static let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The time this many seconds after 2000-01-01 00:00:00, wrapped into a hundred years.
  init(secondsSince2000 seconds: Int64) {
    let century: Int64 = 36_525 * 86_400
    let wrapped = ((seconds % century) + century) % century
    second = Int(wrapped % 60)
    minute = Int(wrapped / 60 % 60)
    hour = Int(wrapped / 3600 % 24)
    var left = Int(wrapped / 86_400)
    year = 0
    while left >= Self.length(ofYear: year) {
      left -= Self.length(ofYear: year)
      year += 1
    }
    month = 1
    while left >= Self.length(ofMonth: month, in: year) {
      left -= Self.length(ofMonth: month, in: year)
      month += 1
    }
    day = left + 1
  }

  /// Seconds since 2000-01-01 00:00:00; fields beyond their range count on.
  var secondsSince2000: Int64 {
    var count = day - 1
    for year in 0..<max(0, min(year, 99)) { count += Self.length(ofYear: year) }
    for month in 1..<max(1, min(month, 12)) { count += Self.length(ofMonth: month, in: year) }
    return Int64(count) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// 0 for Sunday; 2000-01-01 was a Saturday.
  var weekday: Int {
    var copy = self
    (copy.hour, copy.minute, copy.second) = (0, 0, 0)
    return Int((copy.secondsSince2000 / 86_400 + 6) % 7)
  }

  private static func length(ofYear year: Int) -> Int { year % 4 == 0 ? 366 : 365 }
  private static func length(ofMonth month: Int, in year: Int) -> Int {
    month == 2 && year % 4 == 0 ? 29 : days[month - 1]
  }
}
