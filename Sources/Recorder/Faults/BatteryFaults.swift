import DictofunProtocol

/// What can be wrong with the battery.
package struct BatteryFaults: Hashable, Sendable {
  /// Whether the level of the first measurement is shown forever.
  package var levelIsStuck = false
  /// Whether a changed level is not notified.
  package var neverNotifies = false
  /// Percent by which the level shown is too high.
  package var levelExcessPercent: UInt8 = 0
  /// Averaged millivolts below which the battery counts as low; `nil` for its profile's.
  package var lowMillivolts: Int?
  /// Whether one measurement below the threshold is enough.
  package var believesOneMeasurement = false
  /// Whether the level is notified at every measurement, changed or not.
  package var notifiesAlways = false
  /// Whether it takes the threshold itself for low.
  package var includesThreshold = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  /// Where the cell gives nothing more.
  private static let flatMillivolts = 2000

  static let ofBattery = [
    RecorderFault("battery-level-stuck", "Its battery level never changes.") { $0.battery.levelIsStuck = true },
    RecorderFault("battery-never-notifies", "It does not notify a changed battery level.") {
      $0.battery.neverNotifies = true
    },
    RecorderFault("battery-level-too-high", "Its battery level is one step too high.") {
      $0.battery.levelExcessPercent = BatteryLevel.stepPercent
    },
    RecorderFault("battery-threshold-included", "It switches itself off at the threshold, not below it.") {
      $0.battery.includesThreshold = true
    },
    RecorderFault("battery-believes-one-dip", "One measurement of a low voltage switches it off.") {
      $0.battery.believesOneMeasurement = true
    },
    RecorderFault("battery-never-quiet", "It notifies its level again and again although it is the same.") {
      $0.battery.notifiesAlways = true
    },
    RecorderFault("battery-threshold-too-low", "It keeps working until its battery is flat.") {
      $0.battery.lowMillivolts = flatMillivolts
    },
  ]
}
