/// Samples of one figure. Each says between which bounds the figure lies: a scanner hears an advertisement up to ten
/// milliseconds late, and a link tells what happened only at its next connection event.
package struct Measurement: Hashable, Sendable {
  /// What one observation says of the figure.
  package struct Sample: Hashable, Sendable {
    /// The least that the figure can be, in small units.
    package var lower: Int64
    /// The most that it can be.
    package var upper: Int64

    /// Bounds in either order.
    package init(_ one: Int64, _ other: Int64) {
      lower = min(one, other)
      upper = max(one, other)
    }

    fileprivate var middle: Int64 { lower + (upper - lower) / 2 }
    fileprivate var halfWidth: Int64 { (upper - lower + 1) / 2 }
  }

  /// What is counted.
  package let unit: MeasuredUnit
  /// How, in one phrase.
  package let method: String
  /// The samples so far.
  package private(set) var samples: [Sample] = []

  package init(_ unit: MeasuredUnit, _ method: String) {
    self.unit = unit
    self.method = method
  }

  /// Adds an observation.
  package mutating func add(_ sample: Sample) { samples.append(sample) }

  /// The figure; `nil` without samples.
  ///
  /// Where one number satisfies every sample, it is the middle of all that do. Where the samples contradict each other,
  /// something besides the bounds is at work, such as a slow adapter: then it is the median of their middles, and the
  /// spread covers nine samples in ten.
  package var figure: Figure? {
    guard let lower = samples.map(\.lower).max(), let upper = samples.map(\.upper).min() else { return nil }
    if lower <= upper {
      let common = Sample(lower, upper)
      return figure(common.middle, spread: common.halfWidth)
    }
    let middles = samples.map(\.middle).sorted()
    let median = middles[middles.count / 2]
    let distances = middles.map { Int64(clamping: ($0 - median).magnitude) }.sorted()
    let covering = distances[min(distances.count - 1, distances.count * 9 / 10)]
    return figure(median, spread: max(covering, samples.map(\.halfWidth).sorted()[samples.count / 2]))
  }

  private func figure(_ value: Int64, spread: Int64) -> Figure {
    Figure(value: value, spread: spread, unit: unit, samples: samples.count, method: method)
  }
}
