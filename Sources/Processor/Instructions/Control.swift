/// Special registers, barriers, hints and calls (Armv7-M Architecture Reference Manual, A5.3.4, B5.2).
extension Encoding {
  func wideBranchOrControl() -> Operation {
    if bit(14) || bit(12) { return wideBranch() }
    if bits(23, 3) != 7 { return wideBranch() }
    switch bits(20, 7) {
    case 0b0111000: return writeSpecial()
    case 0b0111010:
      if bits(8, 3) != 0 { return undefined }
      return bits(0, 8) >> 4 == 15 ? Operation(Handlers.nothing) : hint(bits(0, 8))
    case 0b0111011: return barrier()
    case 0b0111110: return readSpecial()
    case 0b1111111: return undefined
    default: return undefined
    }
  }

  private func barrier() -> Operation {
    switch bits(4, 4) {
    case 2: Operation(Handlers.clearExclusive)
    case 4, 5, 6: Operation(Handlers.nothing)
    default: undefined
    }
  }

  private func readSpecial() -> Operation {
    if n != 15 || isBad(d) { return unpredictable }
    guard SpecialRegister.exists(bits(0, 8)) else { return unpredictable }
    return Operation(d: d, a: bits(0, 8), Handlers.readSpecial)
  }

  private func writeSpecial() -> Operation {
    let mask = bits(10, 2)
    let number = bits(0, 8)
    if isBad(n) || mask == 0 || mask & 1 != 0 && number > 3 { return unpredictable }
    guard SpecialRegister.exists(number) else { return unpredictable }
    return Operation(n: n, a: number, value: mask, Handlers.writeSpecial)
  }

  func supervisorCall() -> Operation {
    Operation(value: bits(0, 8), Handlers.supervisorCall)
  }
}

/// Numbers of special registers (B5.2.2).
private enum SpecialRegister {
  static let mainStack: UInt8 = 8
  static let processStack: UInt8 = 9
  static let primask: UInt8 = 16
  static let basepri: UInt8 = 17
  static let basepriMaximum: UInt8 = 18
  static let faultmask: UInt8 = 19
  static let control: UInt8 = 20

  static func exists(_ number: UInt32) -> Bool {
    [0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20].contains(number)
  }
}

extension Core {
  fileprivate func special(_ number: UInt8) -> UInt32 {
    switch number {
    case 0..<8:
      // EPSR reads as 0.
      return (number & 1 != 0 ? state.exception : 0) | (number & 4 == 0 ? state.applicationStatus : 0)
    case SpecialRegister.control: return state.control
    case _ where !isPrivileged: return 0
    case SpecialRegister.mainStack: return state.mainStack
    case SpecialRegister.processStack: return state.processStack
    case SpecialRegister.primask: return state.primask
    case SpecialRegister.faultmask: return state.faultmask
    default: return state.basepri
    }
  }

  fileprivate func setSpecial(_ number: UInt8, _ value: UInt32, _ mask: UInt32) {
    if number < 4 {
      let old = context.pointee.state.applicationStatus
      let bits: UInt32 = (mask & 2 != 0 ? 0xF800_0000 : 0) | (mask & 1 != 0 ? 0x000F_0000 : 0)
      context.pointee.state.applicationStatus = old & ~bits | value & bits
      return
    }
    guard isPrivileged else { return }
    switch number {
    case SpecialRegister.mainStack: context.pointee.state.mainStack = value & ~3
    case SpecialRegister.processStack: context.pointee.state.processStack = value & ~3
    case SpecialRegister.primask: context.pointee.state.primask = value & 1
    case SpecialRegister.basepri: context.pointee.state.basepri = value & 0xE0
    case SpecialRegister.basepriMaximum:
      let (old, new) = (context.pointee.state.basepri, value & 0xE0)
      if new != 0, old == 0 || new < old { context.pointee.state.basepri = new }
    case SpecialRegister.faultmask: setFaultmask(value & 1)
    case SpecialRegister.control:
      let isThread = context.pointee.state.exception == 0
      context.pointee.state.withBankedStacks { state in
        state.control = value & 5 | (isThread ? value : state.control) & 2
      }
    default: break
    }
  }

  fileprivate func setFaultmask(_ value: UInt32) {
    if value == 0 || context.pointee.state.executionPriority > -1 { context.pointee.state.faultmask = value }
  }

  /// Leaves the block behind an operation that may let an exception in.
  func leaveLooking(_ o: Step) {
    context.pointee.mustLook = true
    return leaveBehind(o)
  }
}

extension Handlers {
  static let readSpecial: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c.special(o.a)
    return c.next(o)
  }
  static let writeSpecial: Handler = {
    let (c, o) = at($0, $1)
    c.setSpecial(o.a, c[o.n], o.value)
    return o.a < 4 ? c.next(o) : c.leaveLooking(o)
  }
  static let changeState: Handler = {
    let (c, o) = at($0, $1)
    guard c.isPrivileged else { return c.next(o) }
    if o.n & 2 != 0 { c.context.pointee.state.primask = o.value }
    if o.n & 1 != 0 { c.setFaultmask(o.value) }
    return c.leaveLooking(o)
  }
  static let sendEvent: Handler = {
    let (c, o) = at($0, $1)
    c.context.pointee.state.hasEvent = true
    return c.next(o)
  }
  static let waitForEvent: Handler = {
    let (c, o) = at($0, $1)
    if c.context.pointee.state.hasEvent {
      c.context.pointee.state.hasEvent = false
      return c.next(o)
    }
    c.context.pointee.state.sleep = .forEvent
    c.touch()
    return c.leaveLooking(o)
  }
  static let waitForInterrupt: Handler = {
    let (c, o) = at($0, $1)
    c.context.pointee.state.sleep = .forInterrupt
    c.touch()
    return c.leaveLooking(o)
  }
  static let breakpoint: Handler = {
    let (c, o) = at($0, $1)
    c.context.pointee.end(with: .breakpoint(UInt8(truncatingIfNeeded: o.value)))
    return c.leaveBefore(o)
  }
  static let supervisorCall: Handler = {
    let (c, o) = at($0, $1)
    let number = UInt8(truncatingIfNeeded: o.value)
    // A call that does not come before what is executed does not get through, whoever answers it.
    let priority = c.state.groupPriority(c.state.interrupts.priority(of: ExceptionNumber.supervisorCall))
    if priority >= c.state.executionPriority { return c.fail(.supervisorCallEscalated, o, o.value) }
    if let calls = c.context.pointee.settings.hostCalls, calls.contains(number) {
      c.context.pointee.end(with: .supervisorCall(number))
      c.touch()
      return c.leaveBehind(o)
    }
    c.context.pointee.state.interrupts.setPending(ExceptionNumber.supervisorCall, true)
    return c.leaveLooking(o)
  }
}
