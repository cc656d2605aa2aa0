/// How many octets one access moves.
package enum AccessWidth: UInt8, Equatable, Sendable {
  /// Eight bits.
  case byte = 1
  /// Sixteen bits.
  case halfword = 2
  /// Thirty-two bits.
  case word = 4
}

/// What a read of the bus gave.
package enum BusRead: Equatable, Sendable {
  /// The value, in the low bits.
  case value(UInt32)
  /// Nothing answers there: a bus fault.
  case fault
}

/// What a write to the bus did.
package enum BusWrite: Equatable, Sendable {
  /// It was taken, and the run goes on.
  case done
  /// It was taken, and the run ends after this instruction with ``Stop/attention``, so that the owner can act.
  case attention
  /// Nothing answers there: a bus fault.
  case fault
}

/// Whatever answers at addresses that are neither memory nor the processor's own registers. Of the private peripheral bus it
/// is told the writes to registers that the processor does not have; what it answers to them does not matter.
package protocol PeripheralBus {
  /// Bit n: the line of interrupt n is high, so that the interrupt is pending again when its handler returns. A line that
  /// rises does not say so here: the owner makes the interrupt pending.
  var interruptLines: UInt64 { get }
  /// Returns what a read gives at a cycle, the number of instructions executed before this one.
  mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead
  /// Takes a write of the low bits of `value` at a cycle, the number of instructions executed before this one.
  mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite
  /// Takes a store to a read-only region, which leaves memory as it is: only a controller of flash can program it.
  mutating func program(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite
}

extension PeripheralBus {
  /// None, on a bus whose interrupts are pulses.
  package var interruptLines: UInt64 { 0 }
  /// Refuses the store, on a bus without a controller of flash.
  package mutating func program(
    _ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64
  ) -> BusWrite { .fault }
}
