import Processor

/// SPIM0 (0x40003000): the way to the flash for records.
struct SPIMaster: ChipBlock {
  private var events = EventRegisters(interrupt: 3)
  private var registers = PlainRegisters()
  /// What came back, until the transfer's time is over.
  private var answer: [UInt8] = []

  private let access = DirectAccess("SPIM0")
  /// The bits that TXD.MAXCNT and RXD.MAXCNT have.
  private let countMask: UInt32

  private static let begin: UInt8 = 0
  private static let end: UInt8 = 1

  init(_ chip: BoardDescription.Chip) { countMask = chip.transferMask }

  /// Cycles for eight bits; 8 MHz where the rate makes no sense.
  private var octetTime: UInt64 {
    let rate = registers[0x524]
    return rate == 0 ? 64 : max(1, 64 * (1 << 31) / UInt64(rate))
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x200, 0x500...0x5C0: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x010: if value != 0 { context.schedule.add(.spim, Self.begin, at: context.cycle, generation: 0) }
    case 0x014: if value != 0 { events.raise(0x104, &context) }
    case 0x01C, 0x020: break
    case 0x538, 0x548: registers[offset] = value & countMask
    case 0x200, 0x500...0x5C0: registers[offset] = value
    default: return false
    }
    return true
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    if action == Self.end {
      access.write(answer, to: registers[0x534], &memory, &context)
      registers[0x53C] = UInt32(answer.count)
      events.raise(0x110, &context)
      events.raise(0x120, &context)
      events.raise(0x118, &context)
      return
    }
    let sent = access.read(Int(registers[0x548]), from: registers[0x544], memory, &context)
    let wanted = Int(registers[0x538])
    let count = max(sent.count, wanted)
    let filler = [UInt8](repeating: UInt8(truncatingIfNeeded: registers[0x5C0]), count: count - sent.count)
    answer = Array(parts.storage.exchange(sent + filler, at: context.cycle).prefix(wanted))
    registers[0x54C] = UInt32(sent.count)
    events.raise(0x14C, &context)
    context.schedule.add(
      .spim, Self.end, at: context.cycle + UInt64(count) * octetTime + 64, generation: 0)
  }
}
