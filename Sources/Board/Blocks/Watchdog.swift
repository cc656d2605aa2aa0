import Processor

/// WDT (0x40010000): resets the chip unless it is fed in time.
struct Watchdog: ChipBlock {
  private var events = EventRegisters(interrupt: 16)
  private var registers = PlainRegisters()
  private var isRunning = false
  private var generation: UInt32 = 0

  private static let feeding: UInt32 = 0x6E52_4635

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x400: return isRunning ? 1 : 0
    case 0x404: return isRunning ? 1 : 0
    case 0x504: return registers[0x504]
    case 0x508: return registers[0x508]
    case 0x50C: return registers[0x50C]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000:
      if value != 0, !isRunning {
        isRunning = true
        arm(&context)
      }
    case 0x504, 0x508, 0x50C: if !isRunning { registers[offset] = value }
    case 0x600...0x61C: if value == Self.feeding, isRunning { arm(&context) }
    default: return false
    }
    return true
  }

  private mutating func arm(_ context: inout BlockContext) {
    generation &+= 1
    let cycles = (UInt64(registers[0x504]) + 1) * 15625 / 8
    context.schedule.add(.watchdog, 0, at: context.cycle + cycles, generation: generation)
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation, isRunning else { return }
    events.raise(0x100, &context)
    context.events.append(.watchdog)
  }
}
