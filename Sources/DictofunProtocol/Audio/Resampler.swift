/// Changes the rate of samples in integer arithmetic, so that the same file gives the same record on every
/// machine.
///
/// Upwards it joins samples by straight lines. Downwards every new sample is the mean of the old ones in its span
/// of time, each weighed by its share, which keeps most of what the lower rate cannot hold out of it.
public enum Resampler {
  /// `samples` taken at `sourceRate` a second, at `targetRate` a second; their duration stays, rounded down to a
  /// whole sample. Traps when a rate is not positive.
  public static func convert(_ samples: [Int16], from sourceRate: Int, to targetRate: Int) -> [Int16] {
    precondition(sourceRate > 0 && targetRate > 0, "rates are positive")
    guard sourceRate != targetRate, !samples.isEmpty else { return samples }
    let count = samples.count * targetRate / sourceRate
    return (0..<count).map { index in
      sourceRate < targetRate
        ? interpolated(samples, numerator: index * sourceRate, denominator: targetRate)
        : mean(samples, from: index * sourceRate, length: sourceRate, unit: targetRate)
    }
  }

  /// The sample at the position `numerator / denominator`, in samples.
  private static func interpolated(_ samples: [Int16], numerator: Int, denominator: Int) -> Int16 {
    let (position, fraction) = numerator.quotientAndRemainder(dividingBy: denominator)
    let left = Int(samples[position])
    let right = Int(samples[min(position + 1, samples.count - 1)])
    return Int16(rounded(left * (denominator - fraction) + right * fraction, denominator))
  }

  /// The mean over `length` from `start`, both in fractions of a sample; `unit` fractions make one sample.
  private static func mean(_ samples: [Int16], from start: Int, length: Int, unit: Int) -> Int16 {
    var sum = 0
    var position = start
    while position < start + length {
      let index = position / unit
      let share = min((index + 1) * unit, start + length) - position
      sum += Int(samples[index]) * share
      position += share
    }
    return Int16(rounded(sum, length))
  }

  private static func rounded(_ value: Int, _ divisor: Int) -> Int {
    (value >= 0 ? value + divisor / 2 : value - divisor / 2) / divisor
  }
}
