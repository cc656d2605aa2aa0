/// Bits of HFSR (Armv7-M Architecture Reference Manual, B3.2.16).
enum HardFault {
  /// VECTTBL: the vector table could not be read.
  static let vector: UInt32 = 1 << 1
  /// FORCED: another fault, or a supervisor call, was escalated.
  static let forced: UInt32 = 1 << 30
  /// DEBUGEVT: a breakpoint without a debugger.
  static let debugEvent: UInt32 = 1 << 31
}

/// How faults become exceptions, and what the fault status registers tell of them.
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
    if fault.kind.statusBit == 1 << 9, let address = fault.address {
      system.busFaultAddress = address
      system.configurableFaults |= 1 << 15
    }
  }
}
