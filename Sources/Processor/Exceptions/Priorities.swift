/// Exceptions by number (Armv7-M Architecture Reference Manual, B1.5.2).
enum ExceptionNumber {
  static let nonMaskable = 2
  static let hardFault = 3
  static let memoryManagement = 4
  static let busFault = 5
  static let usageFault = 6
  static let supervisorCall = 11
  static let debugMonitor = 12
  static let pendSupervisor = 14
  static let timer = 15
  static let firstInterrupt = 16
}

extension InterruptState {
  /// The priority of an exception: -3 for reset to 255.
  @inline(always) func priority(of exception: Int) -> Int {
    switch exception {
    case 1: -3
    case ExceptionNumber.nonMaskable: -2
    case ExceptionNumber.hardFault: -1
    case 4..<16: Int(systemPriorities[exception])
    case 16..<(16 + Self.count): Int(priorities[exception - 16])
    default: 256
    }
  }

  /// The pending and enabled exception that comes first: lowest priority value, then lowest number; 0 for none.
  @inline(always) var firstPending: Int {
    var best = 0
    var bestPriority = 257
    var system = systemPending
    while system != 0 {
      let number = system.trailingZeroBitCount
      system &= system - 1
      let priority = priority(of: number)
      if priority < bestPriority { (best, bestPriority) = (number, priority) }
    }
    var external = pending & enabled
    while external != 0 {
      let number = external.trailingZeroBitCount
      external &= external - 1
      let priority = Int(priorities[number])
      if priority < bestPriority { (best, bestPriority) = (number + 16, priority) }
    }
    return best
  }

  @inline(always) var hasPending: Bool { systemPending != 0 || pending & enabled != 0 }

  func isActive(_ exception: Int) -> Bool {
    exception < 16
      ? systemActive >> UInt32(exception) & 1 != 0
      : exception < 16 + Self.count && active >> UInt64(exception - 16) & 1 != 0
  }

  mutating func setActive(_ exception: Int, _ isActive: Bool) {
    if exception < 16 {
      let bit: UInt32 = 1 << UInt32(exception)
      systemActive = isActive ? systemActive | bit : systemActive & ~bit
    } else if exception < 16 + Self.count {
      let bit: UInt64 = 1 << UInt64(exception - 16)
      active = isActive ? active | bit : active & ~bit
    }
  }

  mutating func setPending(_ exception: Int, _ isPending: Bool) {
    if exception < 16 {
      let bit: UInt32 = 1 << UInt32(exception)
      systemPending = isPending ? systemPending | bit : systemPending & ~bit
    } else if exception < 16 + Self.count {
      let bit: UInt64 = 1 << UInt64(exception - 16)
      pending = isPending ? pending | bit : pending & ~bit
    }
  }

  /// Exceptions that were entered and not left.
  var activeCount: Int { systemActive.nonzeroBitCount + active.nonzeroBitCount }
}

/// A call would copy the whole state, so these are expanded where they are used; `__always` is only a hint.
extension CoreState {
  /// The part of a priority that decides about preemption (B1.5.4): what AIRCR.PRIGROUP leaves of it.
  @inline(always) func groupPriority(_ priority: Int) -> Int {
    priority < 0 ? priority : priority & ~((2 << Int(system.priorityGrouping)) - 1)
  }

  /// The priority at which the processor executes (B1.5.4): 256 in thread mode without masks.
  @inline(always) var executionPriority: Int {
    min(activePriority, primask & 1 != 0 ? 0 : 256, faultmask & 1 != 0 ? -1 : 256)
  }

  /// The priority of what is being handled and of BASEPRI, without PRIMASK and FAULTMASK.
  @inline(always) var activePriority: Int {
    var lowest = 256
    var systemActive = interrupts.systemActive
    while systemActive != 0 {
      let number = systemActive.trailingZeroBitCount
      systemActive &= systemActive - 1
      lowest = min(lowest, groupPriority(interrupts.priority(of: number)))
    }
    var active = interrupts.active
    while active != 0 {
      let number = active.trailingZeroBitCount
      active &= active - 1
      lowest = min(lowest, groupPriority(Int(interrupts.priorities[number])))
    }
    if basepri != 0 { lowest = min(lowest, groupPriority(Int(basepri))) }
    return lowest
  }

  /// The exception to take now; 0 for none.
  @inline(always) var exceptionToTake: Int {
    guard interrupts.hasPending else { return 0 }
    let first = interrupts.firstPending
    return groupPriority(interrupts.priority(of: first)) < executionPriority ? first : 0
  }

  /// Whether a pending exception ends WFI (B1.5.19): it would be taken if PRIMASK were clear.
  @inline(always) var wakesFromInterrupt: Bool {
    guard interrupts.hasPending else { return false }
    let first = interrupts.firstPending
    let limit = min(activePriority, faultmask & 1 != 0 ? -1 : 256)
    return groupPriority(interrupts.priority(of: first)) < limit
  }

  /// Lets SysTick act if its time has come.
  mutating func expireTimer() {
    if system.timer.expire(at: cycles) { interrupts.setPending(ExceptionNumber.timer, true) }
  }
}
