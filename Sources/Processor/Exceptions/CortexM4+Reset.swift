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
    } else if state.executionPriority <= -1 {
      state.isLockedUp = true
    } else {
      if own >= 4 { state.system.hardFaults |= 1 << 30 }
      state.interrupts.setPending(ExceptionNumber.hardFault, true)
    }
    state.pendingReturn = 0
    state.ignoresStackErrors = fault.kind == .stacking
    if fault.kind == .invalidState { state.isThumb = true }
  }
}

extension ProcessorFault.Kind {
  /// The exception that hardware raises (Armv7-M Architecture Reference Manual, B1.5.14).
  var exception: Int {
    switch self {
    case .executeNever, .executeData: ExceptionNumber.memoryManagement
    case .readUnmapped, .writeUnmapped, .writeReadOnly, .unprivileged, .executeUnmapped, .stacking, .unstacking:
      ExceptionNumber.busFault
    case .undefined, .unpredictable, .invalidState, .noCoprocessor, .divideByZero, .unaligned, .invalidReturn:
      ExceptionNumber.usageFault
    case .vector, .supervisorCallEscalated: ExceptionNumber.hardFault
    }
  }

  /// The bit of CFSR that tells of it (B3.2.15).
  var statusBit: UInt32 {
    switch self {
    case .executeNever, .executeData: 1 << 0
    case .executeUnmapped: 1 << 8
    case .readUnmapped, .writeUnmapped, .writeReadOnly, .unprivileged: 1 << 9
    case .unstacking: 1 << 11
    case .stacking: 1 << 12
    case .undefined, .unpredictable: 1 << 16
    case .invalidState: 1 << 17
    case .invalidReturn: 1 << 18
    case .noCoprocessor: 1 << 19
    case .unaligned: 1 << 24
    case .divideByZero: 1 << 25
    case .vector, .supervisorCallEscalated: 0
    }
  }
}

extension CoreState {
  /// Sets the fault status registers.
  mutating func note(_ fault: ProcessorFault) {
    system.configurableFaults |= fault.kind.statusBit
    if fault.kind == .vector { system.hardFaults |= 2 }
    if fault.kind.statusBit == 1 << 9, let address = fault.address {
      system.busFaultAddress = address
      system.configurableFaults |= 1 << 15
    }
  }
}
