import HostStack

/// What the SoftDevice's place wants done, in order; drained by its owner after every call, event and completion.
package struct SoftDeviceOutput: Sendable {
  /// Requests to the host stack.
  package var requests: [HostRequest] = []
  /// Interrupts that become pending; 22 (SWI2/EGU2) says that events wait.
  package var interrupts: [Int] = []
  /// Writes to registers of the chip, for the owner's board.
  package var registerWrites: [RegisterWrite] = []
  /// What is to be given back to ``SoftDeviceHost/complete(_:_:at:)`` at its cycle.
  package var completions: [TimedCompletion] = []
  /// The image waits for an event (`sd_app_evt_wait`): it sleeps until an interrupt is pending, enabled or not.
  package var sleeps = false
  /// The image switches the chip off.
  package var isSystemOff = false
  /// Where interrupts are forwarded to from now on.
  package var vectorTable: UInt32?
  /// What the master boot record does to flash before the image goes on, or the chip is reset.
  package var bootRecordWork: BootRecordWork?
  /// What was found since the last time.
  package var findings: [SoftDeviceFinding] = []

  /// Nothing yet.
  package init() {}
}

/// A write to a register of the chip.
package struct RegisterWrite: Hashable, Sendable {
  /// The register's address.
  package var address: UInt32
  /// What is written.
  package var value: UInt32
}

/// Something that takes its time.
package struct TimedCompletion: Hashable, Sendable {
  /// When it is done, in cycles.
  package var due: UInt64
  /// What is done.
  package var completion: Completion

  /// What can take its time. Numbers tell one from those before it, which are passed over when they come late.
  package enum Completion: Hashable, Sendable {
    /// An erasure of a page or a write to flash.
    case flash(UInt32)
    /// The time for advertising.
    case advertising(UInt32)
    /// The high-frequency crystal runs.
    case clock(UInt32)

    /// Whether another one of its kind takes its place.
    package func isOvertaken(by later: Completion) -> Bool {
      switch (self, later) {
      case (.flash, .flash), (.advertising, .advertising), (.clock, .clock): true
      case (.flash, _), (.advertising, _), (.clock, _): false
      }
    }
  }
}
