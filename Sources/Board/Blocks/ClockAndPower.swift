import Processor

/// CLOCK and POWER (0x40000000), which share a block.
struct ClockAndPower: ChipBlock {
  private var events = EventRegisters(interrupt: 0)
  private var isFastRunning = false
  private var isSlowRunning = false
  /// RESETREAS: why the chip started; bits stay until written with 1.
  var resetReason: UInt32 = 0
  /// GPREGRET and GPREGRET2, which a reset leaves alone.
  var retained: [UInt32] = [0, 0]
  private var registers = PlainRegisters()

  private static let fastStarted: UInt8 = 0
  private static let slowStarted: UInt8 = 1
  /// Cycles until the crystals swing: 0.36 ms for the fast one; the slow one is told at once.
  private static let fastStart: UInt64 = 360 * 64
  private static let slowStart: UInt64 = 1000

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x400: return resetReason
    case 0x408: return isFastRunning ? 1 : 0
    case 0x40C: return isFastRunning ? 0x10001 : 0
    case 0x414: return isSlowRunning ? 1 : 0
    case 0x418: return isSlowRunning ? 0x10000 | registers[0x518] : 0
    case 0x41C: return registers[0x518]
    case 0x428, 0x438, 0x640: return 0
    case 0x51C: return retained[0]
    case 0x520: return retained[1]
    case 0x510, 0x518, 0x538, 0x578: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000:
      context.schedule.add(.clock, Self.fastStarted, at: context.cycle + Self.fastStart, generation: 0)
    case 0x004: isFastRunning = false
    case 0x008:
      context.schedule.add(.clock, Self.slowStarted, at: context.cycle + Self.slowStart, generation: 0)
    case 0x00C: isSlowRunning = false
    case 0x400: resetReason &= ~value
    case 0x500: if value & 1 != 0 { context.events.append(.systemOff) }
    case 0x51C: retained[0] = value & 0xFF
    case 0x520: retained[1] = value & 0xFF
    case 0x510, 0x518, 0x538, 0x578: registers[offset] = value
    default: return false
    }
    return true
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    if action == Self.fastStarted {
      isFastRunning = true
      events.raise(0x100, &context)
    } else {
      isSlowRunning = true
      events.raise(0x104, &context)
    }
  }
}
