import Glibc

/// Points of the machine's time as ISO 8601.
package enum UTCTime {
  /// `2026-01-31T12:00:00` in UTC, for seconds since 1970; what a calendar cannot name becomes the epoch.
  package static func text(_ secondsSinceEpoch: Int64) -> String {
    var time = time_t(secondsSinceEpoch)
    var fields = tm()
    guard gmtime_r(&time, &fields) != nil, (0...9999).contains(fields.tm_year + 1900) else {
      return "1970-01-01T00:00:00"
    }
    func digits(_ value: Int32, _ count: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let date = "\(digits(fields.tm_year + 1900, 4))-\(digits(fields.tm_mon + 1))-\(digits(fields.tm_mday))"
    return "\(date)T\(digits(fields.tm_hour)):\(digits(fields.tm_min)):\(digits(fields.tm_sec))"
  }
}
