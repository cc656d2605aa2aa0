import Processor

/// RTC: counts 32,768 Hz over a prescaler, 24 bits; ticks and compares raise events.
struct RealTimeCounter: ChipBlock {
  private let block: BlockIdentifier
  private var events: EventRegisters
  private var registers = PlainRegisters()
  private var isRunning = false
  /// The count at `base`, or while it stands still.
  private var baseCount: UInt64 = 0
  private var base: UInt64 = 0
  /// EVTEN, which lets events be raised without their interrupt.
  private var eventEnable: UInt32 = 0
  /// The cycle at which something is raised next; `nil` for never.
  private var due: UInt64?
  private var generation: UInt32 = 0

  private static let tickBit: UInt32 = 1
  private static let overflowBit: UInt32 = 2
  private static let mask: UInt64 = 0xFF_FFFF

  init(interrupt: Int, block: BlockIdentifier) {
    events = EventRegisters(interrupt: interrupt)
    self.block = block
  }

  private var prescaler: UInt64 { UInt64(registers[0x508] & 0xFFF) + 1 }

  /// Counts since `base` at a cycle; a count takes 15,625 / 8 cycles times the prescaler.
  private func counts(at cycle: UInt64) -> UInt64 { (cycle - base) * 8 / (15625 * prescaler) }
  /// The first cycle at which this many counts since `base` are over.
  private func cycle(of counts: UInt64) -> UInt64 { base + (counts * 15625 * prescaler + 7) / 8 }

  private func count(at cycle: UInt64) -> UInt64 { isRunning ? baseCount &+ counts(at: cycle) : baseCount }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x340, 0x344, 0x348: return eventEnable
    case 0x504: return UInt32(truncatingIfNeeded: count(at: context.cycle) & Self.mask)
    case 0x508, 0x540...0x54C: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    // What is due when the write is complete is raised before it plans anew. A write to an event comes before that.
    if offset >= 0x300 || offset < 0x100, let due, due <= context.cycle { raiseDue(&context) }
    if events.write(offset, value, &context) {
      if offset >= 0x300 { plan(&context) }
      return true
    }
    switch offset {
    case 0x000: if value != 0 { start(&context) }
    case 0x004: if value != 0 { stop(&context) }
    case 0x008: if value != 0 { setCount(0, &context) }
    case 0x00C: if value != 0 { setCount(0xFF_FFF0, &context) }
    case 0x340: eventEnable = value
    case 0x344: eventEnable |= value
    case 0x348: eventEnable &= ~value
    case 0x508: if !isRunning { registers[offset] = value }
    case 0x540...0x54C: registers[offset] = value & 0xFF_FFFF
    default: return false
    }
    plan(&context)
    return true
  }

  private mutating func start(_ context: inout BlockContext) {
    guard !isRunning else { return }
    isRunning = true
    base = context.cycle
  }

  private mutating func stop(_ context: inout BlockContext) {
    baseCount = count(at: context.cycle)
    isRunning = false
  }

  private mutating func setCount(_ count: UInt64, _ context: inout BlockContext) {
    baseCount = count
    base = context.cycle
  }

  /// Whether an event of this bit is wanted, by EVTEN or INTEN.
  private func wants(_ bit: UInt32) -> Bool { (eventEnable | events.enabled) & bit != 0 }

  /// Plans the next count at which something is raised.
  private mutating func plan(_ context: inout BlockContext) {
    generation &+= 1
    due = nil
    guard isRunning else { return }
    let now = counts(at: context.cycle)
    var next: UInt64?
    func consider(_ counts: UInt64) { next = min(next ?? .max, counts) }
    if wants(Self.tickBit) { consider(now + 1) }
    if wants(Self.overflowBit) { consider(now + 1 + distance(to: 0, after: now + 1)) }
    for index in UInt32(0)..<4 where wants(0x1_0000 << index) {
      consider(now + 1 + distance(to: UInt64(registers[0x540 + 4 * index]), after: now + 1))
    }
    guard let next else { return }
    let cycle = cycle(of: next)
    due = cycle
    context.schedule.add(block, 0, at: cycle, generation: generation)
  }

  /// Counts from the count that is reached after `counts` until the counter shows `value`.
  private func distance(to value: UInt64, after counts: UInt64) -> UInt64 {
    (value &- (baseCount &+ counts)) & Self.mask
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation, isRunning else { return }
    raiseDue(&context)
    plan(&context)
  }

  /// Raises what the count of now asks for.
  private mutating func raiseDue(_ context: inout BlockContext) {
    due = nil
    let shown = count(at: context.cycle) & Self.mask
    if wants(Self.tickBit) { events.raise(0x100, &context) }
    if wants(Self.overflowBit), shown == 0 { events.raise(0x104, &context) }
    for index in UInt32(0)..<4 where wants(0x1_0000 << index) && UInt64(registers[0x540 + 4 * index]) == shown {
      events.raise(0x140 + 4 * index, &context)
    }
  }
}
