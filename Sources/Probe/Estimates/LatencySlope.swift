/// What one more step costs, from latencies that grow by it: the slope of a straight line that lies within the bounds of
/// every sample.
///
/// A link tells an answer only at its next connection event, so a single latency says little. The bounds of many, each
/// with another number of steps, leave few lines.
package enum LatencySlope {
  /// The latency of an answer that took this many steps.
  package struct Sample: Hashable, Sendable {
    /// Steps.
    package var steps: Int64
    /// The bounds of the latency, in nanoseconds, but for a constant that all have in common.
    package var latency: Measurement.Sample

    package init(steps: Int64, latency: Measurement.Sample) {
      self.steps = steps
      self.latency = latency
    }
  }

  /// The slope, in nanoseconds a step; `nil` where fewer than two numbers of steps were seen.
  package static func figure(_ samples: [Sample], _ method: String) -> Figure? {
    var pairs = Measurement(.time, method)
    for (index, one) in samples.enumerated() {
      for other in samples[(index + 1)...] where one.steps != other.steps {
        let (first, second) = one.steps < other.steps ? (one, other) : (other, one)
        let steps = second.steps - first.steps
        pairs.add(
          .init(
            (second.latency.lower - first.latency.upper) / steps, (second.latency.upper - first.latency.lower) / steps))
      }
    }
    var figure = pairs.figure
    figure?.samples = samples.count
    return figure
  }
}
