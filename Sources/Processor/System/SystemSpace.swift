/// The private peripheral bus, 0xE0000000 to 0xE00FFFFF: System Control Space, cycle counter, and debug blocks that are
/// not there (Armv7-M Architecture Reference Manual, B3.1).
extension Core {
  func readSystem(_ address: UInt32, _ width: AccessWidth, _ step: Step) -> UInt32? {
    guard isPrivileged else {
      refuse(.unprivileged, step, address)
      return nil
    }
    let word = systemWord(address & ~3, cycle(at: step))
    let shift = (address & 3) * 8
    return width == .word ? word : word >> shift & (width == .byte ? 0xFF : 0xFFFF)
  }

  func writeSystem(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, _ step: Step) -> StoreOutcome {
    guard isPrivileged else {
      refuse(.unprivileged, step, address)
      return .failed
    }
    let now = cycle(at: step)
    if !SystemRegister.exists(address) {
      _ = context.pointee.door.write(address, width, value, now)
    } else if width == .word {
      setSystemWord(address, value, now)
    } else if SystemRegister.allowsParts(address) {
      let shift = (address & 3) * 8
      let mask: UInt32 = (width == .byte ? 0xFF : 0xFFFF) << shift
      let old = SystemRegister.isWrittenByOnes(address) ? 0 : systemWord(address & ~3, now)
      setSystemWord(address & ~3, old & ~mask | value << shift & mask, now)
    }
    context.pointee.mustLook = true
    return .leave
  }

  /// A register by the address of its word. What does not exist reads as 0.
  private func systemWord(_ address: UInt32, _ now: UInt64) -> UInt32 {
    switch address {
    case 0xE000_E100..<0xE000_E500: return interruptWord(address)
    case 0xE000_E010..<0xE000_E020: return timerWord(address, now)
    case 0xE000_ED00..<0xE000_EF40: return controlWord(address)
    case 0xE000_1000:
      return context.pointee.state.system.cycleCounterControl
    case 0xE000_1004:
      touch()
      return context.pointee.state.system.cycleCounter(at: now)
    case SystemRegister.interruptControllerType: return UInt32(InterruptState.count / 32 - 1)
    default: return 0
    }
  }

  private func setSystemWord(_ address: UInt32, _ value: UInt32, _ now: UInt64) {
    switch address {
    case 0xE000_E100..<0xE000_E500: setInterruptWord(address, value)
    case 0xE000_E010..<0xE000_E020: setTimerWord(address, value, now)
    case SystemRegister.softwareTrigger:
      if value & 0x1FF < UInt32(InterruptState.count) {
        context.pointee.state.interrupts.setPending(Int(value & 0x1FF) + ExceptionNumber.firstInterrupt, true)
        signalPending()
      }
    case 0xE000_ED00..<0xE000_EF40: setControlWord(address, value, now)
    case 0xE000_1000: context.pointee.state.system.setCycleCounterControl(value, at: now)
    case 0xE000_1004: context.pointee.state.system.setCycleCounter(value, at: now)
    default: break
    }
  }

  /// With SCR.SEVONPEND an interrupt that becomes pending is an event.
  func signalPending() {
    if context.pointee.state.system.systemControl & 0x10 != 0 { context.pointee.state.hasEvent = true }
  }

  private func timerWord(_ address: UInt32, _ now: UInt64) -> UInt32 {
    touch()
    switch address {
    case 0xE000_E010: return context.pointee.state.system.timer.readControl()
    case 0xE000_E014: return context.pointee.state.system.timer.reload
    case 0xE000_E018: return context.pointee.state.system.timer.value(at: now)
    default: return 0xC000_0000
    }
  }

  private func setTimerWord(_ address: UInt32, _ value: UInt32, _ now: UInt64) {
    touch()
    switch address {
    case 0xE000_E010: context.pointee.state.system.timer.setControl(value, at: now)
    case 0xE000_E014: context.pointee.state.system.timer.setReload(value, at: now)
    case 0xE000_E018: context.pointee.state.system.timer.clear(at: now)
    default: break
    }
  }
}

/// Addresses of the System Control Space (B3.2.2).
enum SystemRegister {
  static let interruptControllerType: UInt32 = 0xE000_E004
  static let identification: UInt32 = 0xE000_ED00
  static let interruptControl: UInt32 = 0xE000_ED04
  static let vectorTable: UInt32 = 0xE000_ED08
  static let resetControl: UInt32 = 0xE000_ED0C
  static let systemControl: UInt32 = 0xE000_ED10
  static let configuration: UInt32 = 0xE000_ED14
  static let handlerPriorities: ClosedRange<UInt32> = 0xE000_ED18...0xE000_ED20
  static let handlerControl: UInt32 = 0xE000_ED24
  static let configurableFaults: UInt32 = 0xE000_ED28
  static let hardFaults: UInt32 = 0xE000_ED2C
  static let memoryFaultAddress: UInt32 = 0xE000_ED34
  static let busFaultAddress: UInt32 = 0xE000_ED38
  static let coprocessorAccess: UInt32 = 0xE000_ED88
  static let debugControl: UInt32 = 0xE000_EDFC
  static let softwareTrigger: UInt32 = 0xE000_EF00
  static let floatContextControl: UInt32 = 0xE000_EF34
  static let floatContextAddress: UInt32 = 0xE000_EF38
  static let floatDefaults: UInt32 = 0xE000_EF3C

  /// Whether a write to an address reaches a register that is modelled, or one that it changes on hardware neither: up to
  /// MPU_TYPE what only tells, and DHCSR, which is the debugger's.
  static func exists(_ address: UInt32) -> Bool {
    switch address & ~3 {
    case 0xE000_1000...0xE000_1004, 0xE000_E010..<0xE000_E020, 0xE000_E100..<0xE000_E500,
      identification...0xE000_ED90, 0xE000_EDF0, debugControl, softwareTrigger, floatContextControl...floatDefaults:
      true
    default: false
    }
  }

  /// Whether octets and half-words of a register may be written: priorities and CFSR.
  static func allowsParts(_ address: UInt32) -> Bool {
    0xE000_E400..<0xE000_E500 ~= address || handlerPriorities.lowerBound...0xE000_ED23 ~= address
      || configurableFaults..<configurableFaults + 4 ~= address
  }

  /// Whether a one clears and a zero keeps.
  static func isWrittenByOnes(_ address: UInt32) -> Bool { configurableFaults..<configurableFaults + 4 ~= address }
}

extension SystemState {
  private var isCounting: Bool { cycleCounterControl & 1 != 0 && debugControl >> 24 & 1 != 0 }

  /// DWT_CYCCNT, which counts while DWT_CTRL and DEMCR let it.
  func cycleCounter(at cycle: UInt64) -> UInt32 {
    isCounting ? cycleCounterOffset &+ UInt32(truncatingIfNeeded: cycle) : cycleCounterOffset
  }

  mutating func setCycleCounter(_ value: UInt32, at cycle: UInt64) {
    cycleCounterOffset = isCounting ? value &- UInt32(truncatingIfNeeded: cycle) : value
  }

  mutating func setCycleCounterControl(_ value: UInt32, at cycle: UInt64) {
    keepCounter(at: cycle) { $0.cycleCounterControl = value & 1 }
  }

  mutating func setDebugControl(_ value: UInt32, at cycle: UInt64) {
    keepCounter(at: cycle) { $0.debugControl = value & 0x0100_0000 }
  }

  private mutating func keepCounter(at cycle: UInt64, _ change: (inout SystemState) -> Void) {
    let value = cycleCounter(at: cycle)
    change(&self)
    setCycleCounter(value, at: cycle)
  }
}
