import Processor

/// TWI1 (0x40004000) in its legacy mode, octet by octet: the way to the clock chip.
struct TwoWireMaster: ChipBlock {
  private enum Direction: Hashable, Sendable { case idle, sending, receiving }

  private var events = EventRegisters(interrupt: 4)
  private var registers = PlainRegisters()
  private var direction = Direction.idle
  /// Whether the address has gone out and the next octet is the first.
  private var isFirst = true
  private var errorSource: UInt32 = 0
  private var generation: UInt32 = 0

  private static let octetReceived: UInt8 = 0
  private static let octetSent: UInt8 = 1
  private static let stopped: UInt8 = 2
  /// Cycles from the stop condition to its event.
  private static let stopTime: UInt64 = 300
  private static let stopAfterOctet: UInt32 = 2

  /// Cycles for nine bits; 100 kHz where the rate makes no sense.
  private var octetTime: UInt64 {
    let rate = registers[0x524]
    return rate == 0 ? 5760 : max(1, 36 * (1 << 32) / UInt64(rate))
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x4C4: return errorSource
    case 0x200, 0x500...0x588: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000: if value != 0 { start(.receiving, &context) }
    case 0x008: if value != 0 { start(.sending, &context) }
    case 0x014: if value != 0 { stop(&context) }
    case 0x01C: if value != 0 { events.raise(0x148, &context) }
    case 0x020: if value != 0, direction == .receiving { plan(Self.octetReceived, after: octetTime, &context) }
    case 0x4C4: errorSource &= ~value
    case 0x51C:
      registers[offset] = value
      if direction == .sending { plan(Self.octetSent, after: octetTime * (isFirst ? 2 : 1), &context) }
    case 0x200, 0x500...0x588: registers[offset] = value
    default: return false
    }
    return true
  }

  private mutating func start(_ next: Direction, _ context: inout BlockContext) {
    direction = next
    isFirst = true
    if next == .receiving { plan(Self.octetReceived, after: 2 * octetTime, &context) }
  }

  private mutating func stop(_ context: inout BlockContext) {
    direction = .idle
    plan(Self.stopped, after: Self.stopTime, &context)
  }

  private mutating func plan(_ action: UInt8, after cycles: UInt64, _ context: inout BlockContext) {
    generation &+= 1
    context.schedule.add(.twi, action, at: context.cycle + cycles, generation: generation)
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation else { return }
    if action == Self.stopped { return events.raise(0x104, &context) }
    guard registers[0x588] & 0x7F == ClockChip.address else {
      // The address was not acknowledged.
      errorSource |= 2
      return events.raise(0x124, &context)
    }
    if action == Self.octetSent {
      let octet = UInt8(truncatingIfNeeded: registers[0x51C])
      if isFirst { parts.clock.select(octet) } else { parts.clock.write(octet, at: context.cycle) }
      isFirst = false
      events.raise(0x11C, &context)
    } else {
      registers[0x518] = UInt32(parts.clock.read(at: context.cycle))
      events.raise(0x138, &context)
      events.raise(0x108, &context)
      if registers[0x200] & Self.stopAfterOctet != 0 { stop(&context) }
    }
  }
}
