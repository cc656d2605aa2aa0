extension CortexM4 {
  /// Instructions executed, and cycles skipped.
  public var cycles: UInt64 { state.cycles }

  /// R0 to R15 by number; other numbers read as 0 and ignore writes. R13 is the stack pointer in use, R15 the
  /// ``programCounter``.
  public subscript(register number: Int) -> UInt32 {
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
  public subscript(single number: Int) -> UInt32 {
    get { 0..<32 ~= number ? state.floats[number] : 0 }
    set { if 0..<32 ~= number { state.floats[number] = newValue } }
  }

  /// The address of the next instruction. Setting it ends an IT block.
  public var programCounter: UInt32 {
    get { state.registers[15] }
    set {
      state.registers[15] = newValue & ~1
      state.itState = 0
      state.isThumb = true
    }
  }

  /// xPSR: flags, GE, ITSTATE, T and the number of the exception.
  public var programStatus: UInt32 { state.programStatus }

  /// N, Z, C, V, Q and GE in their places of APSR.
  public var applicationStatus: UInt32 {
    get { state.applicationStatus }
    set { state.applicationStatus = newValue }
  }

  /// The main stack pointer.
  public var mainStack: UInt32 {
    get { state.mainStack }
    set { state.mainStack = newValue & ~3 }
  }

  /// The process stack pointer.
  public var processStack: UInt32 {
    get { state.processStack }
    set { state.processStack = newValue & ~3 }
  }

  /// CONTROL: bit 0 nPRIV, bit 1 SPSEL, bit 2 FPCA.
  public var control: UInt32 { state.control }
  /// PRIMASK, 0 or 1.
  public var primask: UInt32 { state.primask }
  /// FAULTMASK, 0 or 1.
  public var faultmask: UInt32 { state.faultmask }
  /// BASEPRI; 0 masks nothing.
  public var basepri: UInt32 { state.basepri }
  /// FPSCR. Setting it makes the floating-point context active, as the guest's own write does.
  public var floatingPointStatus: UInt32 {
    get { state.fpscr }
    set {
      state.fpscr = newValue & 0xF7C0_009F
      state.control |= 4
    }
  }
  /// The number of the exception being handled; 0 in thread mode.
  public var exceptionNumber: Int { Int(state.exception) }
  /// Where RAM was executed first since reset; nil if it never was.
  public var firstDataExecution: UInt32? { state.firstDataExecution }
  /// The fault that ended the last run.
  public var fault: ProcessorFault? { state.fault }

  /// Lets time pass in which nothing is executed: the counters follow. Does nothing if `cycle` has passed already.
  public mutating func skip(to cycle: UInt64) {
    guard cycle > state.cycles else { return }
    state.cycles = cycle
    state.expireTimer()
  }

  /// The cycle at which SysTick acts next; nil if it does not run.
  public var nextDue: UInt64? { state.system.timer.due }
}

extension CortexM4 {
  /// Grants full access to the floating-point registers, as a write of CPACR does.
  public mutating func enableFloatingPoint() { state.system.coprocessorAccess = 0x00F0_0000 }
}
