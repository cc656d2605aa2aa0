import Processor

/// SAADC (0x40007000): measures half of the battery's voltage against 3.6 V.
struct Converter: ChipBlock {
  private var events = EventRegisters(interrupt: 7)
  private var registers = PlainRegisters()

  private let access = DirectAccess("SAADC")

  private static let sample: UInt8 = 0
  /// Cycles of acquisition and conversion: 12 µs.
  private static let conversionTime: UInt64 = 768
  private static let fullScaleMillivolts = 3600

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x400: return 0
    case 0x500...0x634: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000: if value != 0 { events.raise(0x100, &context) }
    case 0x004:
      if value != 0 {
        context.schedule.add(.saadc, Self.sample, at: context.cycle + Self.conversionTime, generation: 0)
      }
    case 0x008: if value != 0 { events.raise(0x114, &context) }
    case 0x00C: if value != 0 { events.raise(0x110, &context) }
    case 0x500...0x634: registers[offset] = value
    default: return false
    }
    return true
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    let bits = 8 + 2 * min(registers[0x5F0], 3)
    let top = 1 << Int(bits)
    // To the nearest step, as a converter without an error of its own.
    let steps = (parts.batteryMillivolts * top + Self.fullScaleMillivolts) / (2 * Self.fullScaleMillivolts)
    let value = UInt16(min(top - 1, max(0, steps)))
    access.write(
      [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)], to: registers[0x62C], &memory, &context)
    registers[0x634] = 1
    events.raise(0x108, &context)
    events.raise(0x10C, &context)
    events.raise(0x104, &context)
  }
}
