import Bytes

/// The Battery Level that the recorder derives from its voltage.
public enum BatteryLevel {
  /// Millivolts from which each further step of twelve percent is shown.
  public static let thresholdMillivolts = [3100, 3200, 3250, 3300, 3350, 3400, 3450, 3500]
  /// Percent of one step: a hundred divided by eight thresholds, without the rest. 100 is never shown.
  public static let stepPercent: UInt8 = 12
  /// Octets of the value.
  public static let length = 1
  /// The value of the characteristic (Battery Service 1.0, 3.1).
  public static let layout = WireLayout("Battery Level", [.number("level", unit: "%")])
  /// Averaged millivolts below which the recorder switches itself off.
  public static let shutdownMillivolts = 3100

  /// Percent shown at this voltage: 0, 12, 24, … 96.
  public static func percent(millivolts: Int) -> UInt8 {
    stepPercent * UInt8(thresholdMillivolts.count { $0 <= millivolts })
  }

  /// A voltage in the middle of the step that shows the highest level not above `percent`.
  public static func millivolts(percent: UInt8) -> Int {
    switch Int(percent / stepPercent) {
    case 0: thresholdMillivolts[0] - 50
    case let step where step < thresholdMillivolts.count:
      (thresholdMillivolts[step - 1] + thresholdMillivolts[step]) / 2
    default: 3700
    }
  }
}

/// When a battery is low for the phone.
///
/// No document of the product gives a number. Low begins at the lowest step that is not empty and ends one step
/// above, so that a voltage on the edge of a step does not flutter.
public struct LowBatteryRule: Hashable, Sendable {
  /// A level at or below this percentage is low.
  public static let lowPercent: UInt8 = 12
  /// From this percentage a battery that was low is good again.
  public static let recoveredPercent: UInt8 = 24

  /// Whether the battery counts as low after the levels observed so far.
  public private(set) var isLow: Bool

  /// Starts with a battery that is good, unless `isLow` says otherwise.
  public init(isLow: Bool = false) { self.isLow = isLow }

  /// Takes a level that was read or notified, in percent.
  public mutating func observe(percent: UInt8) {
    if percent <= Self.lowPercent {
      isLow = true
    } else if percent >= Self.recoveredPercent {
      isLow = false
    }
  }
}
