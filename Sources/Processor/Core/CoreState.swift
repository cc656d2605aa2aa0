/// Everything in the processor that a program can observe, without memory: plain values, compared and copied as a whole.
struct CoreState: Equatable, Sendable {
  /// R0 to R15. R13 is the stack pointer in use; R15 holds the next instruction between blocks only.
  var registers = SIMD16<UInt32>()
  /// S0 to S31.
  var floats = SIMD32<UInt32>()

  // Flags are kept as the results they come from: N and V in bit 31, Z where the word is zero, C as 0 or 1.
  var negative: UInt32 = 0
  var notZero: UInt32 = 1
  var carry: UInt32 = 0
  var overflow: UInt32 = 0
  var saturation: UInt32 = 0
  var greaterEqual: UInt32 = 0
  var itState: UInt8 = 0
  var isThumb = true

  /// The stack pointer that is not in use.
  var otherStack: UInt32 = 0
  /// CONTROL: bit 0 nPRIV, bit 1 SPSEL, bit 2 FPCA.
  var control: UInt32 = 0
  var primask: UInt32 = 0
  var faultmask: UInt32 = 0
  var basepri: UInt32 = 0
  /// The number of the exception being handled; 0 in thread mode.
  var exception: UInt32 = 0
  var fpscr: UInt32 = 0

  /// An EXC_RETURN value that was branched to and waits to be acted on.
  var pendingReturn: UInt32 = 0
  var isExclusive = false
  var hasEvent = false
  var sleep = Sleep.awake
  var isLockedUp = false
  /// The fault that ended the last run and was neither delivered nor repeated.
  var fault: ProcessorFault?
  /// The fault that reset met.
  var resetFault: ProcessorFault?
  /// Set for the exception that tells of a stack that cannot be written.
  var ignoresStackErrors = false
  /// Where RAM was executed first.
  var firstDataExecution: UInt32?

  /// Instructions executed, and cycles skipped.
  var cycles: UInt64 = 0

  var interrupts = InterruptState()
  var system = SystemState()

  /// Why the processor does not execute.
  enum Sleep: UInt8, Sendable {
    case awake
    case forEvent
    case forInterrupt
  }
}

/// What NVIC and the system handlers know of each exception.
struct InterruptState: Equatable, Sendable {
  /// External interrupts that this processor has.
  static let count = 64

  /// Bit n: interrupt n.
  var pending: UInt64 = 0
  var enabled: UInt64 = 0
  var active: UInt64 = 0
  /// Priorities of the interrupts, the three upper bits of each octet.
  var priorities = SIMD64<UInt8>()
  /// Bit n: exception n, 1 to 15.
  var systemPending: UInt32 = 0
  var systemActive: UInt32 = 0
  /// Priorities of exceptions 4 to 15, by number.
  var systemPriorities = SIMD16<UInt8>()
}

/// Registers of the System Control Space that are not interrupts' (Armv7-M Architecture Reference Manual, B3.2), SysTick
/// and the cycle counter.
struct SystemState: Equatable, Sendable {
  var vectorTable: UInt32 = 0
  var priorityGrouping: UInt32 = 0
  var systemControl: UInt32 = 0
  /// STKALIGN is set at reset on a Cortex-M4.
  var configuration: UInt32 = 0x200
  var handlerControl: UInt32 = 0
  var configurableFaults: UInt32 = 0
  var hardFaults: UInt32 = 0
  var memoryFaultAddress: UInt32 = 0
  var busFaultAddress: UInt32 = 0
  var coprocessorAccess: UInt32 = 0
  var floatContextControl: UInt32 = 0xC000_0000
  var floatContextAddress: UInt32 = 0
  var floatDefaults: UInt32 = 0
  var debugControl: UInt32 = 0
  var cycleCounterControl: UInt32 = 0
  /// The counter's value while it stands, or what to add to the cycles while it runs.
  var cycleCounterOffset: UInt32 = 0
  var timer = SystemTimer()
}

extension CoreState {
  /// Gives flags that mean the same the same form, so that states can be compared.
  mutating func normalise() {
    negative &= 0x8000_0000
    notZero = notZero == 0 ? 0 : 1
    overflow &= 0x8000_0000
  }

  /// N, Z, C, V, Q and GE in their places of xPSR (B1.4.2).
  var applicationStatus: UInt32 {
    get {
      let zero: UInt32 = notZero == 0 ? 1 << 30 : 0
      return negative & 0x8000_0000 | zero | carry << 29 | (overflow >> 31) << 28 | saturation << 27 | greaterEqual
        << 16
    }
    set {
      negative = newValue & 0x8000_0000
      notZero = newValue >> 30 & 1 ^ 1
      carry = newValue >> 29 & 1
      overflow = newValue << 3 & 0x8000_0000
      saturation = newValue >> 27 & 1
      greaterEqual = newValue >> 16 & 0xF
    }
  }

  /// xPSR as an exception's frame holds it.
  var programStatus: UInt32 {
    get {
      let it = UInt32(itState)
      return applicationStatus | (it & 3) << 25 | (it >> 2) << 10 | (isThumb ? 1 << 24 : 0) | exception
    }
    set {
      applicationStatus = newValue
      itState = UInt8(truncatingIfNeeded: newValue >> 25 & 3 | newValue >> 8 & 0xFC)
      isThumb = newValue >> 24 & 1 != 0
      exception = newValue & 0x1FF
    }
  }

  /// Whether R13 is the process stack pointer: in thread mode with CONTROL.SPSEL.
  var usesProcessStack: Bool { exception == 0 && control & 2 != 0 }

  /// The main stack pointer.
  var mainStack: UInt32 {
    get { usesProcessStack ? otherStack : registers[13] }
    set { if usesProcessStack { otherStack = newValue } else { registers[13] = newValue } }
  }

  /// The process stack pointer.
  var processStack: UInt32 {
    get { usesProcessStack ? registers[13] : otherStack }
    set { if usesProcessStack { registers[13] = newValue } else { otherStack = newValue } }
  }

  /// Changes CONTROL or the mode, and lets R13 show the stack pointer that is then in use.
  mutating func withBankedStacks(_ change: (inout CoreState) -> Void) {
    let (main, process) = (mainStack, processStack)
    change(&self)
    mainStack = main
    processStack = process
  }
}
