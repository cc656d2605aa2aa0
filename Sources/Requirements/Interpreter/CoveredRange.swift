/// Which octets of a packet are to be zeroed before it is traced, captured or hashed: keys, and what was recorded.
///
/// A packet has at most one such range; offsets count from the first octet after the H4 indicator.
package struct CoveredRange: Hashable, Sendable {
  /// Offset of the first covered octet.
  package let lower: Int
  /// Offset behind the last covered octet.
  package let upper: Int

  /// Nothing is covered.
  package static let none = CoveredRange(0, 0)

  /// Covers `lower` up to, not including, `upper`; nothing when that is empty.
  init(_ lower: Int, _ upper: Int) {
    self.lower = lower
    self.upper = max(lower, upper)
  }

  /// Whether nothing is covered.
  package var isEmpty: Bool { lower >= upper }

  /// The part of the range that a packet of `count` octets has.
  package func within(_ count: Int) -> Range<Int> {
    lower < min(upper, count) ? lower..<min(upper, count) : 0..<0
  }
}
