import Processor

/// PWM0 (0x4001C000): the lights. Sequences in RAM are played as far as their timing goes; what they show is read from
/// RAM when somebody looks.
struct PulseWidth: ChipBlock {
  private struct Playing: Hashable, Sendable {
    var sequence: Int
    /// The cycle at which it began.
    var since: UInt64
  }

  private var events = EventRegisters(interrupt: 28)
  private var registers = PlainRegisters()
  /// The sequence that plays.
  private var playing: Playing?
  private var generation: UInt32 = 0
  private let access = DirectAccess("PWM0")

  /// Cycles of one period: 16 MHz over the prescaler, up to the top.
  private var period: UInt64 { UInt64(max(1, registers[0x508] & 0x7FFF)) << UInt64(registers[0x50C] & 7) * 4 }
  /// Values of one step: one for all outputs, or one for each.
  private var valuesOfStep: UInt64 {
    switch registers[0x510] & 7 {
    case 0: 1
    case 1: 2
    default: 4
    }
  }

  private func length(of sequence: Int) -> UInt64 {
    let base = Self.base(sequence)
    let steps = max(1, UInt64(registers[base + 4] & 0x7FFF) / valuesOfStep)
    let refresh = UInt64(registers[base + 8] & 0xFF_FFFF) + 1
    return (steps * refresh + UInt64(registers[base + 12] & 0xFF_FFFF)) * period
  }

  private static func base(_ sequence: Int) -> UInt32 { 0x520 + 0x20 * UInt32(sequence) }

  /// The share of the time each output is at its active level at a cycle, in 1,024ths; `nil` while nothing plays.
  func duties(at cycle: UInt64, _ memory: Memory) -> [Int]? {
    guard let playing, registers[0x500] & 1 == 1 else { return nil }
    let base = Self.base(playing.sequence)
    let steps = max(1, UInt64(registers[base + 4] & 0x7FFF) / valuesOfStep)
    let refresh = (UInt64(registers[base + 8] & 0xFF_FFFF) + 1) * period
    let step = min(steps - 1, (cycle - min(cycle, playing.since)) / refresh)
    let top = Int(max(1, registers[0x508] & 0x7FFF))
    return (0..<4).map { output in
      let place = UInt32(truncatingIfNeeded: (step * valuesOfStep + UInt64(output) % valuesOfStep) * 2)
      let value = Int((try? memory.readHalfword(registers[base] &+ place)) ?? 0)
      let compare = min(value & 0x7FFF, top)
      return (value & 0x8000 != 0 ? compare : top - compare) * 1024 / top
    }
  }

  /// The pin of an output; `nil` where none is connected.
  func pin(_ output: Int) -> BoardDescription.Pin? {
    let value = registers[0x560 + 4 * UInt32(output)]
    return value & 0x8000_0000 != 0 ? nil : BoardDescription.Pin(Int(value >> 5 & 1), Int(value & 0x1F))
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x200, 0x500...0x56C: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x004: if value != 0 { stop(&context) }
    case 0x008, 0x00C: if value != 0 { start(Int(offset - 0x008) / 4, &context) }
    case 0x010: break
    case 0x200, 0x500...0x56C: registers[offset] = value
    default: return false
    }
    return true
  }

  private mutating func stop(_ context: inout BlockContext) {
    generation &+= 1
    playing = nil
    events.raise(0x104, &context)
  }

  private mutating func start(_ sequence: Int, _ context: inout BlockContext) {
    generation &+= 1
    playing = Playing(sequence: sequence, since: context.cycle)
    events.raise(0x108 + 4 * UInt32(sequence), &context)
    context.schedule.add(
      .pwm, UInt8(sequence), at: context.cycle + length(of: sequence), generation: generation)
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation else { return }
    let sequence = Int(action)
    let base = Self.base(sequence)
    _ = access.read(Int(registers[base + 4] & 0x7FFF) * 2, from: registers[base], memory, &context)
    events.raise(0x110 + 4 * UInt32(sequence), &context)
    let shortcuts = registers[0x200]
    let loops = registers[0x514] != 0
    if loops, sequence == 1 { events.raise(0x11C, &context) }
    if shortcuts >> UInt32(sequence) & 1 != 0 {
      stop(&context)
    } else if loops, sequence == 0 {
      start(1, &context)
    } else if sequence == 1, shortcuts & 4 != 0 {
      start(0, &context)
    } else if sequence == 1, shortcuts & 8 != 0 {
      start(1, &context)
    }
  }
}
