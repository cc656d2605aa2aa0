import Processor

/// EGU2 (0x40016000), whose interrupt the SoftDevice uses to tell of events.
struct SoftwareInterrupts: ChipBlock {
  private var events = EventRegisters(interrupt: 22)

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? { events.read(offset) }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    guard offset < 0x40 else { return false }
    if value != 0 { events.raise(0x100 + offset, &context) }
    return true
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {}
}
