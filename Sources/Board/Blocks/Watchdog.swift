import Processor

/// WDT (0x40010000): resets the chip unless all reload registers that are enabled are written in time.
struct Watchdog: ChipBlock {
  private var events = EventRegisters(interrupt: 16)
  private var registers = PlainRegisters()
  private var isRunning = false
  /// Whether its time is over: nothing averts the reset any more.
  private var isOver = false
  /// Bit n: reload register n is enabled and was not written since the last reload (REQSTATUS).
  private var outstanding: UInt32 = 1
  /// The cycle at which its time is over or, when it is, the chip is reset; while it pauses, as if it had gone on.
  private var due: UInt64 = 0
  /// The cycle since which it pauses; `nil` while it counts.
  private var paused: UInt64?
  private var generation: UInt32 = 0

  private static let feeding: UInt32 = 0x6E52_4635
  private static let timeout: UInt8 = 0
  private static let reset: UInt8 = 1
  /// Cycles between the interrupt and the reset: two of 32,768 Hz.
  private static let grace: UInt64 = 3906

  init() {
    // CRV, RREN and CONFIG after a reset: 36 hours, the first reload register, and on while the processor sleeps.
    registers[0x504] = .max
    registers[0x508] = 1
    registers[0x50C] = 1
  }

  private var countsInSleep: Bool { registers[0x50C] & 1 != 0 }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x400: return isRunning ? 1 : 0
    case 0x404: return outstanding
    case 0x504, 0x508, 0x50C: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000:
      if value != 0, !isRunning {
        isRunning = true
        reload(&context)
      }
    case 0x504, 0x50C: if !isRunning { registers[offset] = value }
    case 0x508:
      if !isRunning {
        registers[offset] = value
        outstanding = value & 0xFF
      }
    case 0x600...0x61C: if value == Self.feeding { feed(1 << ((offset - 0x600) / 4), &context) }
    default: return false
    }
    return true
  }

  /// Takes a request of one of the reload registers.
  private mutating func feed(_ request: UInt32, _ context: inout BlockContext) {
    guard isRunning, !isOver, outstanding & request != 0 else { return }
    outstanding &= ~request
    if outstanding == 0 { reload(&context) }
  }

  private mutating func reload(_ context: inout BlockContext) {
    outstanding = registers[0x508] & 0xFF
    due = context.cycle + (UInt64(registers[0x504]) + 1) * 15625 / 8
    plan(Self.timeout, at: due, &context)
  }

  private mutating func plan(_ action: UInt8, at cycle: UInt64, _ context: inout BlockContext) {
    generation &+= 1
    context.schedule.add(.watchdog, action, at: cycle, generation: generation)
  }

  /// The processor has fallen asleep or woken up. CONFIG says whether it counts meanwhile.
  mutating func processorSleeps(_ isAsleep: Bool, _ context: inout BlockContext) {
    if isAsleep, isRunning, !isOver, !countsInSleep {
      paused = context.cycle
      generation &+= 1
    } else if !isAsleep, let since = paused {
      paused = nil
      due += context.cycle - since
      plan(Self.timeout, at: due, &context)
    }
  }

  /// The chip was reset around it. Only power and its own reset stop it.
  mutating func surviveReset(_ context: inout BlockContext) {
    events.drive(&context)
    if isOver {
      plan(Self.reset, at: due, &context)
    } else if isRunning, paused == nil {
      plan(Self.timeout, at: due, &context)
    }
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation, isRunning else { return }
    if action == Self.reset { return context.events.append(.watchdog) }
    isOver = true
    events.raise(0x100, &context)
    context.events.append(.watchdogTimeout)
    guard events.enabled & 1 != 0 else { return context.events.append(.watchdog) }
    due += Self.grace
    plan(Self.reset, at: due, &context)
  }
}
