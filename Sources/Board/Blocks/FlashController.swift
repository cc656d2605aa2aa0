import Processor

/// NVMC (0x4001E000): the chip's flash as firmware without a SoftDevice reaches it. It is always ready; erasing a page
/// takes effect at once.
struct FlashController: ChipBlock {
  private var configuration: UInt32 = 0
  private var page: UInt32 = 0
  /// Whether the guest may erase: CONFIG is EEN.
  private var mayErase: Bool { configuration & 3 == 2 }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    switch offset {
    case 0x400, 0x408: 1
    case 0x504: configuration
    default: nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    switch offset {
    case 0x504: configuration = value
    case 0x508:
      page = value
      if mayErase { context.schedule.add(.nvmc, 0, at: context.cycle, generation: 0) }
    default: return false
    }
    return true
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    // Where no flash is, nothing is erased, as on the chip.
    try? memory.load([UInt8](repeating: 0xFF, count: 4096), at: page & ~0xFFF)
  }
}
