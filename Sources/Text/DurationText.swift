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

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
