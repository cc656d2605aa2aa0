/// The System Control Block and the registers of the floating-point context (Armv7-M Architecture Reference Manual, B3.2).
extension Core {
  func controlWord(_ address: UInt32) -> UInt32 {
    let system = context.pointee.state.system
    switch address {
    case SystemRegister.identification: return 0x410F_C241
    case SystemRegister.interruptControl: return interruptControl
    case SystemRegister.vectorTable: return system.vectorTable
    case SystemRegister.resetControl: return 0xFA05_0000 | system.priorityGrouping << 8
    case SystemRegister.systemControl: return system.systemControl
    case SystemRegister.configuration: return system.configuration
    case SystemRegister.handlerPriorities:
      let first = Int(address & 0x3F) - 0x18 + 4
      return (0..<4).reduce(0) {
        $0 | UInt32(context.pointee.state.interrupts.systemPriorities[(first + $1) & 15]) << (8 * $1)
      }
    case SystemRegister.handlerControl: return handlerControl
    case SystemRegister.configurableFaults: return system.configurableFaults
    case SystemRegister.hardFaults: return system.hardFaults
    case SystemRegister.memoryFaultAddress: return system.memoryFaultAddress
    case SystemRegister.busFaultAddress: return system.busFaultAddress
    case 0xE000_ED40..<0xE000_ED88: return Self.features[Int(address - 0xE000_ED40) / 4]
    case SystemRegister.coprocessorAccess: return system.coprocessorAccess
    case SystemRegister.debugControl: return system.debugControl
    case SystemRegister.floatContextControl: return system.floatContextControl
    case SystemRegister.floatContextAddress: return system.floatContextAddress
    case SystemRegister.floatDefaults: return system.floatDefaults
    default: return 0
    }
  }

  /// ID_PFR0 to ID_ISAR4 of a Cortex-M4 (Cortex-M4 Technical Reference Manual, 4.1).
  private static let features: [UInt32] = [
    0x0000_0030, 0x0000_0200, 0x0010_0000, 0, 0x0010_0030, 0, 0x0100_0000, 0,
    0x0114_1110, 0x0211_2000, 0x2123_2231, 0x0111_1131, 0x0131_0132, 0, 0, 0, 0, 0,
  ]

  func setControlWord(_ address: UInt32, _ value: UInt32, _ now: UInt64) {
    switch address {
    case SystemRegister.interruptControl: setInterruptControl(value)
    case SystemRegister.vectorTable: context.pointee.state.system.vectorTable = value & ~0x7F
    case SystemRegister.resetControl:
      guard value >> 16 == 0x05FA else { return }
      context.pointee.state.system.priorityGrouping = value >> 8 & 7
      if value & 4 != 0 { context.pointee.end(with: .systemReset) }
    case SystemRegister.systemControl: context.pointee.state.system.systemControl = value & 0x16
    case SystemRegister.configuration: context.pointee.state.system.configuration = value & 0x31B
    case SystemRegister.handlerPriorities: setHandlerPriorities(Int(address & 0x3F) - 0x18 + 4, value)
    case SystemRegister.handlerControl: setHandlerControl(value)
    case SystemRegister.configurableFaults: context.pointee.state.system.configurableFaults &= ~value
    case SystemRegister.hardFaults: context.pointee.state.system.hardFaults &= ~value
    case SystemRegister.memoryFaultAddress: context.pointee.state.system.memoryFaultAddress = value
    case SystemRegister.busFaultAddress: context.pointee.state.system.busFaultAddress = value
    case SystemRegister.coprocessorAccess: context.pointee.state.system.coprocessorAccess = value & 0x00F0_0000
    case SystemRegister.debugControl: context.pointee.state.system.setDebugControl(value, at: now)
    case SystemRegister.floatContextControl:
      context.pointee.state.system.floatContextControl = value & 0xC000_0000
    case SystemRegister.floatContextAddress: context.pointee.state.system.floatContextAddress = value & ~7
    case SystemRegister.floatDefaults: context.pointee.state.system.floatDefaults = value & 0x07C0_0000
    default: break
    }
  }

  /// ICSR.
  private var interruptControl: UInt32 {
    let interrupts = state.interrupts
    var value = state.exception | UInt32(interrupts.firstPending) << 12
    if interrupts.activeCount <= 1 { value |= 1 << 11 }
    if interrupts.pending & interrupts.enabled != 0 { value |= 1 << 22 }
    value |= (interrupts.systemPending >> UInt32(ExceptionNumber.timer) & 1) << 26
    value |= (interrupts.systemPending >> UInt32(ExceptionNumber.pendSupervisor) & 1) << 28
    return value | (interrupts.systemPending >> UInt32(ExceptionNumber.nonMaskable) & 1) << 31
  }

  private func setInterruptControl(_ value: UInt32) {
    func set(_ exception: Int, _ isPending: Bool) {
      context.pointee.state.interrupts.setPending(exception, isPending)
    }
    if value >> 31 != 0 { set(ExceptionNumber.nonMaskable, true) }
    if value >> 28 & 1 != 0 { set(ExceptionNumber.pendSupervisor, true) }
    if value >> 27 & 1 != 0 { set(ExceptionNumber.pendSupervisor, false) }
    if value >> 26 & 1 != 0 { set(ExceptionNumber.timer, true) }
    if value >> 25 & 1 != 0 { set(ExceptionNumber.timer, false) }
  }

  private func setHandlerPriorities(_ first: Int, _ value: UInt32) {
    for index in 0..<4 {
      context.pointee.state.interrupts.systemPriorities[(first + index) & 15] =
        UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) & 0xE0
    }
  }

  /// SHCSR: which bit tells of which exception, active and pending.
  private static let handlerBits: [(bit: UInt32, exception: Int, isActive: Bool)] = [
    (0, 4, true), (1, 5, true), (3, 6, true), (7, 11, true), (8, 12, true), (10, 14, true), (11, 15, true),
    (12, 6, false), (13, 4, false), (14, 5, false), (15, 11, false),
  ]

  private var handlerControl: UInt32 {
    let interrupts = context.pointee.state.interrupts
    return Self.handlerBits.reduce(context.pointee.state.system.handlerControl) { value, entry in
      let bits = entry.isActive ? interrupts.systemActive : interrupts.systemPending
      return value | (bits >> UInt32(entry.exception) & 1) << entry.bit
    }
  }

  private func setHandlerControl(_ value: UInt32) {
    context.pointee.state.system.handlerControl = value & 0x0007_0000
    for (bit, exception, isActive) in Self.handlerBits {
      let isSet = value >> bit & 1 != 0
      if isActive {
        context.pointee.state.interrupts.setActive(exception, isSet)
      } else {
        context.pointee.state.interrupts.setPending(exception, isSet)
      }
    }
  }
}
