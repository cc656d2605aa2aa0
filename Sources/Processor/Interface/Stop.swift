/// Why a run ended.
package enum Stop: Equatable, Sendable {
  /// The cycle given to the run was reached.
  case limit
  /// A peripheral asked for its owner with ``BusWrite/attention``; the instruction is complete.
  case attention
  /// The processor sleeps in WFE until an event or an interrupt.
  case waitForEvent
  /// The processor sleeps in WFI until an interrupt.
  case waitForInterrupt
  /// SVC with a number that the owner answers. The program counter stands behind it.
  case supervisorCall(UInt8)
  /// BKPT with its number. The program counter stands at it.
  case breakpoint(UInt8)
  /// The guest asked for a reset through AIRCR.
  case systemReset
  /// The guest did what the architecture forbids or does not define. The program counter stands at the instruction, which
  /// has done nothing but what its fault names. ``CortexM4/deliverFault()`` takes the exception.
  case fault(ProcessorFault)
  /// A fault that no handler could take: the processor is dead until reset.
  case lockup
}
