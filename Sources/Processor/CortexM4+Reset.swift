extension CortexM4 {
  /// Resets the processor: everything but memory and the cycle count starts anew, and the first two words of the vector
  /// table give stack pointer and entry point. When they cannot be read, or the entry point has bit 0 clear, the first run
  /// stops with a fault.
  package mutating func reset(vectorTable: UInt32) {
    let cycles = state.cycles
    state = CoreState()
    state.cycles = cycles
    state.system.vectorTable = vectorTable & ~0x7F
    state.system.cycleCounterOffset = 0
    state.registers[14] = 0xFFFF_FFFF
    guard let stack = try? memory.readWord(vectorTable), let entry = try? memory.readWord(vectorTable &+ 4) else {
      state.resetFault = ProcessorFault(.vector, programCounter: vectorTable, address: vectorTable)
      return
    }
    state.registers[13] = stack & ~3
    state.registers[15] = entry & ~1
    state.isThumb = entry & 1 != 0
  }

  /// Lets the guest meet the fault that ended the last run, as hardware would: the exception becomes pending, escalated to
  /// HardFault where its own handler is disabled or must wait, and the next run takes it. Where even HardFault cannot be
  /// taken, the next run stops with ``Stop/lockup``. Does nothing without a fault.
  package mutating func deliverFault() {
    guard let fault = state.fault else { return }
    state.note(fault)
    let own = fault.kind.exception
    let isEnabled = own >= 4 && state.system.handlerControl >> UInt32(own + 12) & 1 != 0
    if isEnabled, state.groupPriority(state.interrupts.priority(of: own)) < state.executionPriority {
      state.interrupts.setPending(own, true)
    } else {
      raiseHardFault(fault.kind == .vector ? HardFault.vector : HardFault.forced)
    }
    state.pendingReturn = 0
    state.ignoresStackErrors = fault.kind == .stacking
    if fault.kind == .invalidState { state.isThumb = true }
  }

  /// Lets the guest meet the breakpoint that ended the last run, as hardware without a debugger would: a HardFault or, where
  /// that cannot be taken, ``Stop/lockup``.
  package mutating func deliverBreakpoint() { raiseHardFault(HardFault.debugEvent) }

  /// Makes HardFault pending, with the bit of HFSR that says why; where it cannot be taken, the processor is dead.
  private mutating func raiseHardFault(_ status: UInt32) {
    guard state.executionPriority > -1 else {
      state.isLockedUp = true
      return
    }
    state.system.hardFaults |= status
    state.interrupts.setPending(ExceptionNumber.hardFault, true)
  }
}
