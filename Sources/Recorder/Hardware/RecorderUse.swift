/// What a recorder's parts did for as long as it had power, since it was made: what a battery pays for.
package struct RecorderUse: Hashable, Sendable {
  /// Its chip.
  package var chip: Chip
  /// Time in which the processor executed instructions, each counted as one cycle of 64 MHz.
  package var awake: Duration
  /// Time in which the processor waited for an interrupt.
  package var asleep: Duration
  /// Time in which the flash for records programmed or erased.
  package var writing: Duration

  /// The chips of recorders.
  package enum Chip: Hashable, Sendable {
    /// That of board 1.4.
    case nRF52840
    /// That of board 1.3.
    case nRF52832
  }

  /// What the parts of a recorder with this chip did; the processor was awake or asleep whenever there was power.
  package init(_ chip: Chip, awake: Duration, asleep: Duration, writing: Duration) {
    self.chip = chip
    self.awake = awake
    self.asleep = asleep
    self.writing = writing
  }

  /// Time with power.
  package var powered: Duration { awake + asleep }
}
