/// What can be wrong with power, and with the times that states take.
package struct PowerFaults: Hashable, Sendable {
  /// Whether traffic does not keep the recorder from switching itself off.
  package var ignoresTraffic = false
  /// Whether it never switches itself off.
  package var neverSwitchesOff = false
  /// Ticks by which Bluetooth is offered too late, after boot and after a record.
  package var bluetoothDelay: Int64 = 0
  /// Ticks by which a record begins too late.
  package var recordDelay: Int64 = 0

  /// Whether it switches itself off as soon as nothing happens for a second.
  package var sleepsEarly = false
  /// Whether the limit of a power session ends a transfer too.
  package var endsTransferAtLimit = false
  /// Whether a press that comes while a record is being closed is not seen.
  package var missesPressWhileClosing = false

  /// Whether it switches itself off a second after a phone left.
  package var leavesWithPhone = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofPower = [
    RecorderFault("limit-ends-transfer", "It switches itself off after eight minutes, even in a transfer.") {
      $0.power.endsTransferAtLimit = true
    },
    RecorderFault("misses-press-while-closing", "It does not see a press that comes while it closes a record.") {
      $0.power.missesPressWhileClosing = true
    },
    RecorderFault("sleeps-mid-transfer", "It switches itself off in the middle of a transfer.") {
      $0.power.ignoresTraffic = true
    },
    RecorderFault("sleeps-early", "It switches itself off a second after the last use.") {
      $0.power.sleepsEarly = true
    },
    RecorderFault("sleeps-after-visit", "It switches itself off a second after a phone left.") {
      $0.power.leavesWithPhone = true
    },
    RecorderFault("never-sleeps", "It never switches itself off.") { $0.power.neverSwitchesOff = true },
    RecorderFault("wakes-late", "It advertises five seconds too late.") {
      $0.power.bluetoothDelay = 5 * Oscillator.ticksPerSecond
    },
    RecorderFault("records-late", "It begins to record a second after the button was pressed.") {
      $0.power.recordDelay = Oscillator.ticksPerSecond
    },
  ]
}
