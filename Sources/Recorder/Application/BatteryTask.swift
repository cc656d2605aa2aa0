import DictofunProtocol

/// The recorder's battery task: a mean of the last four measurements, one every five seconds, and the level it
/// gives.
///
/// A steady voltage needs no measuring: when all four are the same, the next would change nothing, and the task
/// rests until the voltage does.
struct BatteryTask: Hashable, Sendable {
  /// Measurements in the mean.
  static let filterLength = 4

  /// Millivolts that the next measurement would give.
  private(set) var millivolts: Int
  private var measurements: [Int]
  /// Percent to be shown.
  private(set) var level: UInt8
  /// Whether the mean was ever below the threshold since boot.
  private(set) var isLow = false
  private let lowMillivolts: Int
  private let faults: BatteryFaults
  private let dividerPartsPerMillion: Int

  /// Starts at boot with four measurements.
  init(millivolts: Int, profile: RecorderProfile) {
    dividerPartsPerMillion = profile.batteryDividerPartsPerMillion
    let millivolts = Self.reported(millivolts, dividerPartsPerMillion)
    self.millivolts = millivolts
    measurements = Array(repeating: millivolts, count: Self.filterLength)
    faults = profile.faults.battery
    lowMillivolts = faults.lowMillivolts ?? profile.lowBatteryMillivolts
    level = 0
    level = shown(millivolts)
    isLow = isLow(millivolts)
  }

  /// The mean of the last measurements, in millivolts.
  var mean: Int { measurements.reduce(0, +) / Self.filterLength }

  /// Whether measuring again could change anything.
  var needsMeasuring: Bool { faults.notifiesAlways || measurements.contains { $0 != millivolts } }

  /// Changes the voltage.
  mutating func setMillivolts(_ value: Int) { millivolts = Self.reported(value, dividerPartsPerMillion) }

  /// What a divider with this error makes of a voltage.
  private static func reported(_ millivolts: Int, _ partsPerMillion: Int) -> Int {
    millivolts * partsPerMillion / 1_000_000
  }

  /// Measures once. Returns whether the level changed.
  mutating func measure() -> Bool {
    measurements.removeFirst()
    measurements.append(millivolts)
    if isLow(faults.believesOneMeasurement ? millivolts : mean) { isLow = true }
    guard !faults.levelIsStuck else { return false }
    let previous = level
    level = shown(mean)
    return level != previous || faults.notifiesAlways
  }

  private func isLow(_ millivolts: Int) -> Bool {
    millivolts < lowMillivolts || faults.includesThreshold && millivolts == lowMillivolts
  }

  private func shown(_ millivolts: Int) -> UInt8 {
    BatteryLevel.percent(millivolts: millivolts) + faults.levelExcessPercent
  }
}
