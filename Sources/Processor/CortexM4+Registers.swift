extension CortexM4 {
  /// Instructions executed, and cycles skipped.
  package var cycles: UInt64 { state.cycles }

  /// R0 to R15 by number; other numbers read as 0 and ignore writes. R13 is the stack pointer in use, R15 the
  /// ``programCounter``.
  package subscript(register number: Int) -> UInt32 {
    get { 0..<16 ~= number ? state.registers[number] : 0 }
    set {
      switch number {
      case 0..<15: state.registers[number] = newValue
      case 15: programCounter = newValue
      default: break
      }
    }
  }

  /// S0 to S31 by number, as bits; other numbers read as 0 and ignore writes.
  package subscript(single number: Int) -> UInt32 {
    get { 0..<32 ~= number ? state.floats[number] : 0 }
    set { if 0..<32 ~= number { state.floats[number] = newValue } }
  }

  /// The address of the next instruction. Setting it ends an IT block.
  package var programCounter: UInt32 {
    get { state.registers[15] }
    set {
      state.registers[15] = newValue & ~1
      state.itState = 0
      state.isThumb = true
    }
  }

  /// xPSR: flags, GE, ITSTATE, T and the number of the exception.
  package var programStatus: UInt32 { state.programStatus }

  /// N, Z, C, V, Q and GE in their places of APSR.
  package var applicationStatus: UInt32 {
    get { state.applicationStatus }
    set { state.applicationStatus = newValue }
  }

  /// The main stack pointer.
  package var mainStack: UInt32 {
    get { state.mainStack }
    set { state.mainStack = newValue & ~3 }
  }

  /// The process stack pointer.
  package var processStack: UInt32 {
    get { state.processStack }
    set { state.processStack = newValue & ~3 }
  }

  /// CONTROL: bit 0 nPRIV, bit 1 SPSEL, bit 2 FPCA.
  package var control: UInt32 { state.control }
  /// PRIMASK, 0 or 1.
  package var primask: UInt32 { state.primask }
  /// BASEPRI; 0 masks nothing.
  package var basepri: UInt32 { state.basepri }
  /// FPSCR. Setting it makes the floating-point context active, as the guest's own write does.
  package var floatingPointStatus: UInt32 {
    get { state.fpscr }
    set {
      state.fpscr = newValue & 0xF7C0_009F
      state.control |= 4
    }
  }
  /// Where exceptions find their handlers (VTOR); the lowest seven bits are 0.
  package var vectorTable: UInt32 {
    get { state.system.vectorTable }
    set { state.system.vectorTable = newValue & ~0x7F }
  }
  /// The number of the exception being handled; 0 in thread mode.
  package var exceptionNumber: Int { Int(state.exception) }
  /// Where RAM was executed first since reset; nil if it never was.
  package var firstDataExecution: UInt32? { state.firstDataExecution }

  /// Lets time pass in which nothing is executed: the counters follow. Does nothing if `cycle` has passed already.
  package mutating func skip(to cycle: UInt64) {
    guard cycle > state.cycles else { return }
    state.cycles = cycle
    state.expireTimer()
  }

  /// The cycle at which SysTick acts next; nil if it does not run.
  package var nextDue: UInt64? { state.system.timer.due }
}

extension CortexM4 {
  /// Grants full access to the floating-point registers, as a write of CPACR does.
  package mutating func enableFloatingPoint() { state.system.coprocessorAccess = 0x00F0_0000 }
}
