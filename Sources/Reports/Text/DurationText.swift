/// Durations as people read them.
enum DurationText {
  /// `0.4 s`, `12.3 s`, `4 min 05 s`, `3 h 20 min`, `7 d 03 h`.
  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, duration).components
    switch seconds {
    case ..<60: return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
    case ..<3_600: return "\(seconds / 60) min \(padded(seconds % 60)) s"
    case ..<86_400: return "\(seconds / 3_600) h \(padded(seconds / 60 % 60)) min"
    default: return "\(seconds / 86_400) d \(padded(seconds / 3_600 % 24)) h"
    }
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
