/// The difference between a sound and the expected sound.
public struct SignalQuality: Hashable, Sendable {
  /// Sum of the squares of the expected sound.
  public let signalEnergy: UInt64
  /// Sum of the squares of the differences.
  public let noiseEnergy: UInt64
  /// Mean of the differences, rounded towards zero: an offset that the ear does not notice and the eye does.
  public let meanOffset: Int

  /// 10^(n/10) in thousandths, n = 0 to 9.
  private static let tenthsOfDecade: [UInt64] = [1000, 1259, 1585, 1995, 2512, 3162, 3981, 5012, 6310, 7943]
  /// The highest ratio that is told apart from no noise at all.
  public static let maximumDecibels = 120

  /// Compares `actual` with `expected`, as far as both reach. Up to 2^31 samples fit.
  @inlinable public init(expected: some Collection<Int16>, actual: some Collection<Int16>) {
    var signal: UInt64 = 0
    var noise: UInt64 = 0
    var offset = 0
    var count = 0
    for (wanted, got) in zip(expected, actual) {
      let difference = Int(got) - Int(wanted)
      signal += UInt64(Int(wanted) * Int(wanted))
      noise += UInt64(difference * difference)
      offset += difference
      count += 1
    }
    signalEnergy = signal
    noiseEnergy = noise
    meanOffset = count == 0 ? 0 : offset / count
  }

  /// Signal to noise ratio in whole decibels, rounded down; 0 when noise is as strong as the signal or stronger.
  public var decibels: Int {
    guard noiseEnergy > 0 else { return Self.maximumDecibels }
    var decades = 0
    var unit = UInt128(noiseEnergy)
    while decades < Self.maximumDecibels / 10, UInt128(signalEnergy) >= unit * 10 {
      unit *= 10
      decades += 1
    }
    let tenths = Self.tenthsOfDecade.lastIndex { UInt128(signalEnergy) * 1000 >= unit * UInt128($0) } ?? 0
    return min(decades * 10 + tenths, Self.maximumDecibels)
  }
}
