import Processor

/// One peripheral of the chip: registers that the guest reads and writes, and what happens behind them.
///
/// Registers are named by their offset in the block, as the product specification does. A register that is not modelled
/// answers `nil` or `false`, which the board reports by address.
protocol ChipBlock: Hashable, Sendable {
  /// Returns the register at an offset.
  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32?
  /// Takes a write to the register at an offset; whether there is one.
  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool
  /// Does what was scheduled.
  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext)
}

/// What blocks share: time, plans, and interrupt lines.
struct BlockContext: Hashable, Sendable {
  /// Cycles executed or skipped since the chip was made, 64 million a second.
  var cycle: UInt64 = 0
  var schedule = Schedule()
  /// Bit n: the line of interrupt n is high, because an event stands whose interrupt is enabled.
  private(set) var lines: UInt64 = 0
  /// Bit n: the line of interrupt n rose, which is to be told to the processor.
  private(set) var risen: UInt64 = 0
  /// What happened that others should know.
  var events: [BoardEvent] = []

  /// Drives the line of an interrupt.
  mutating func drive(interrupt: Int, high: Bool) {
    let bit: UInt64 = 1 << UInt64(interrupt)
    if high { risen |= bit & ~lines }
    lines = high ? lines | bit : lines & ~bit
  }

  /// The interrupts whose lines rose since it was asked last.
  mutating func takeRisen() -> UInt64 {
    defer { risen = 0 }
    return risen
  }
}

/// The event and interrupt registers that all blocks have alike (nRF52840 Product Specification, peripheral interface):
/// event n at 0x100 + 4 n, INTEN 0x300, INTENSET 0x304, INTENCLR 0x308. The line of the block's interrupt is high for as
/// long as an event stands whose interrupt is enabled: a handler that does not clear it is entered again.
struct EventRegisters: Hashable, Sendable {
  /// The interrupt of the block.
  let interrupt: Int
  private(set) var raised: UInt32 = 0
  private(set) var enabled: UInt32 = 0

  init(interrupt: Int) { self.interrupt = interrupt }

  /// Raises an event, by its offset.
  mutating func raise(_ offset: UInt32, _ context: inout BlockContext) {
    raised |= Self.bit(offset)
    drive(&context)
  }

  /// Lets the line of the interrupt follow.
  func drive(_ context: inout BlockContext) { context.drive(interrupt: interrupt, high: raised & enabled != 0) }

  func read(_ offset: UInt32) -> UInt32? {
    switch offset {
    case 0x100...0x17C: raised & Self.bit(offset) == 0 ? 0 : 1
    case 0x300, 0x304, 0x308: enabled
    default: nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    switch offset {
    case 0x100...0x17C: raised = value == 0 ? raised & ~Self.bit(offset) : raised | Self.bit(offset)
    case 0x300: enabled = value
    case 0x304: enabled |= value
    case 0x308: enabled &= ~value
    default: return false
    }
    drive(&context)
    return true
  }

  private static func bit(_ offset: UInt32) -> UInt32 { 1 << ((offset & 0x7C) / 4) }
}

/// Registers that only keep what was written, by their offset in a block of 4,096 octets.
struct PlainRegisters: Hashable, Sendable {
  private var values = [UInt32](repeating: 0, count: 1024)

  subscript(offset: UInt32) -> UInt32 {
    get { values[Self.index(offset)] }
    set { values[Self.index(offset)] = newValue }
  }

  private static func index(_ offset: UInt32) -> Int { Int(offset & 0xFFC) / 4 }
}
