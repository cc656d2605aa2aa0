/// What can be wrong with the clock, and with the names that records get from it.
package struct ClockFaults: Hashable, Sendable {
  /// Whether the phone's time is read and the clock is not set.
  package var ignoresTime = false
  /// Seconds by which the clock is fast after it was set.
  package var secondsFast: Int64 = 0
  /// Whether the clock is set only once since the recorder was made.
  package var takesTimeOnce = false
  /// Whether the clock stands still while the recorder is off.
  package var standsStillWhileOff = false
  /// Whether a record gets the name of the record before it.
  package var repeatsIdentifiers = false
  /// Whether records are named with month modulo 12 and day modulo 31.
  package var foldsIdentifiers = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofClock = [
    RecorderFault("ignores-time", "It does not set its clock.") { $0.clock.ignoresTime = true },
    RecorderFault("time-off-by-six-seconds", "It sets its clock six seconds fast.") { $0.clock.secondsFast = 6 },
    RecorderFault("takes-time-once", "It sets its clock only the first time.") { $0.clock.takesTimeOnce = true },
    RecorderFault("clock-stands-still-while-off", "Its clock stands still while it is off.") {
      $0.clock.standsStillWhileOff = true
    },
    RecorderFault("identifier-duplicated", "Two records have the same name.") { $0.clock.repeatsIdentifiers = true },
    RecorderFault("identifier-folded", "Records of December and of the 31st have no date.") {
      $0.clock.foldsIdentifiers = true
    },
  ]
}
