/// Durations in words.
package enum DurationText {
  /// For people, cut to what matters: `0.4 s`, `12.3 s`, `4 min 05 s`, `3 h 20 min`, `7 d 03 h`. Negative durations
  /// are shown as `0.0 s`.
  package static func text(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let seconds = max(0, whole)
    let tenths = duration > .zero ? attoseconds / 100_000_000_000_000_000 : 0
    switch seconds {
    case ..<60: return "\(seconds).\(tenths) s"
    case ..<3_600: return "\(seconds / 60) min \(padded(seconds % 60)) s"
    case ..<86_400: return "\(seconds / 3_600) h \(padded(seconds / 60 % 60)) min"
    default: return "\(seconds / 86_400) d \(padded(seconds / 3_600 % 24)) h"
    }
  }

  /// As scenarios write it, exact to the millisecond: `2 s`, `300 ms`.
  package static func exact(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// For people, exact to the microsecond, without what is zero: `2 min 38.566 s`, `1.25 ms`, `-3 s`.
  package static func precise(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if seconds < 0 || attoseconds < 0 { return duration == .zero ? "0 s" : "-" + precise(.zero - duration) }
    let microseconds = attoseconds / 1_000_000_000_000
    if seconds == 0 {
      if microseconds == 0 { return attoseconds == 0 ? "0 s" : "\(attoseconds / 1_000_000_000) ns" }
      if microseconds < 1_000 { return "\(microseconds) µs" }
      return decimal(microseconds / 1_000, microseconds % 1_000, digits: 3) + " ms"
    }
    let rest = decimal(seconds % 60, microseconds, digits: 6) + " s"
    var words = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min")].compactMap {
      $0.0 > 0 ? "\($0.0) \($0.1)" : nil
    }
    if rest != "0 s" || words.isEmpty { words.append(rest) }
    return words.joined(separator: " ")
  }

  /// A number with the decimals that are not zero.
  private static func decimal(_ whole: Int64, _ fraction: Int64, digits: Int) -> String {
    guard fraction > 0 else { return "\(whole)" }
    let text = "\(fraction)"
    var decimals = String(repeating: "0", count: digits - text.utf8.count) + text
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
