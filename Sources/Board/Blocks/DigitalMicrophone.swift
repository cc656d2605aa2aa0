import Processor

/// PDM (0x4001D000): writes what the microphone hears into buffers in RAM, one after the other.
struct DigitalMicrophone: ChipBlock {
  private var events = EventRegisters(interrupt: 29)
  private var registers = PlainRegisters()
  private var isRunning = false
  /// The buffer that is being filled: latched when it was begun.
  private var pointer: UInt32 = 0
  private var count: UInt32 = 0
  private var began: UInt64 = 0
  private var generation: UInt32 = 0

  private let access = DirectAccess("PDM")

  private static let bufferFull: UInt8 = 0
  private static let stopped: UInt8 = 1

  /// Cycles between two samples: the decimation ratio times the clock's divider, of 32 MHz.
  private var samplePeriod: UInt64 {
    let divider: UInt64 =
      switch registers[0x504] {
      case 0x0800_0000: 32
      case 0x0880_0000: 30
      case 0x0980_0000: 26
      case 0x0A00_0000: 25
      default: 31
      }
    return divider * 2 * (registers[0x520] & 1 == 1 ? 80 : 64)
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x500...0x564: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000:
      if value != 0 {
        isRunning = true
        beginBuffer(&context)
      }
    case 0x004:
      if value != 0 {
        isRunning = false
        generation &+= 1
        context.schedule.add(.pdm, Self.stopped, at: context.cycle + 100, generation: generation)
      }
    case 0x500...0x564: registers[offset] = value
    default: return false
    }
    return true
  }

  private mutating func beginBuffer(_ context: inout BlockContext) {
    generation &+= 1
    pointer = registers[0x560]
    count = max(1, registers[0x564] & 0x7FFF)
    began = context.cycle
    events.raise(0x100, &context)
    context.schedule.add(
      .pdm, Self.bufferFull, at: context.cycle + UInt64(count) * samplePeriod, generation: generation)
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard generation == self.generation else { return }
    if action == Self.stopped { return events.raise(0x104, &context) }
    var octets: [UInt8] = []
    octets.reserveCapacity(Int(count) * 2)
    for index in 0..<UInt64(count) {
      let sample = UInt16(bitPattern: parts.microphone.value(at: began + index * samplePeriod))
      octets.append(UInt8(truncatingIfNeeded: sample))
      octets.append(UInt8(sample >> 8))
    }
    access.write(octets, to: pointer, &memory, &context)
    events.raise(0x108, &context)
    beginBuffer(&context)
  }
}
