/// What can be wrong with the clock, and with the names that records get from it.
package struct ClockFaults: Hashable, Sendable {
  /// Whether the phone's time is read and the clock is not set.
  package var ignoresTime = false
  /// Seconds by which the clock is fast after it was set.
  package var secondsFast: Int64 = 0
  /// Hours by which the clock is fast after it was set.
  package var hoursFast: Int64 = 0
  /// Whether the clock is set only once since the recorder was made.
  package var takesTimeOnce = false
  /// Whether it asks for the time only at the first meeting of a power session.
  package var asksOnce = false
  /// Whether the clock stands still while the recorder is off.
  package var standsStillWhileOff = false
  /// Whether a record gets the name of the record before it.
  package var repeatsIdentifiers = false
  /// Whether records are named with month modulo 12 and day modulo 31.
  package var foldsIdentifiers = false
  /// The last year that it takes from a phone; `nil` for the documented one.
  package var lastYear: Int?
  /// Whether it takes every 29 February for 1 March.
  package var knowsNoLeapDay = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  /// Where the year of a signed number of seconds ends.
  private static let lastSignedYear = 2067

  static let ofClock = [
    RecorderFault("time-off-by-an-hour", "It sets its clock an hour fast.") { $0.clock.hoursFast = 1 },
    RecorderFault("time-ends-early", "It takes no time after 2067.") { $0.clock.lastYear = lastSignedYear },
    RecorderFault("knows-no-leap-day", "It takes 29 February for 1 March.") { $0.clock.knowsNoLeapDay = true },
    RecorderFault("ignores-time", "It does not set its clock.") { $0.clock.ignoresTime = true },
    RecorderFault("time-off-by-six-seconds", "It sets its clock six seconds fast.") { $0.clock.secondsFast = 6 },
    RecorderFault("takes-time-once", "It sets its clock only the first time.") { $0.clock.takesTimeOnce = true },
    RecorderFault("asks-for-time-once", "It asks for the time only at its first meeting.") { $0.clock.asksOnce = true },
    RecorderFault("clock-stands-still-while-off", "Its clock stands still while it is off.") {
      $0.clock.standsStillWhileOff = true
    },
    RecorderFault("identifier-duplicated", "Two records have the same name.") { $0.clock.repeatsIdentifiers = true },
    RecorderFault("identifier-folded", "Records of December and of the 31st have no date.") {
      $0.clock.foldsIdentifiers = true
    },
  ]
}
