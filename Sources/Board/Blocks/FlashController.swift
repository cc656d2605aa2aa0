import Processor

/// NVMC and ACL (0x4001E000): the chip's flash as firmware without a SoftDevice reaches it, and the regions of it that are
/// write-protected until the next reset.
///
/// The processor stands still while a word is written or a page erased, so firmware always finds the controller ready.
struct FlashController: ChipBlock {
  private var configuration: UInt32 = 0
  private let chip: BoardDescription.Chip
  /// What is to be done to the flash, in order; those before `done` are.
  private var work: [FlashWork] = []
  private var done = 0
  /// When the operation that goes on is complete; `nil` while there is none.
  private(set) var due: UInt64?
  /// ADDR, SIZE and PERM of the protected regions.
  private var regions = [UInt32](repeating: 0, count: 3 * regionCount)

  /// What the factory wrote (FICR), which nobody changes.
  private static let factoryRegisters: Range<UInt32> = 0x1000_0000..<0x1000_1000
  /// What a build may write beside the flash (UICR). ERASEUICR erases it, ERASEPAGE does not.
  private static let userRegisters: Range<UInt32> = 0x1000_1000..<0x1000_2000
  private static let regionCount = 8
  /// ACL[n] is at 0x800 + 16 n.
  private static let regionRegisters: Range<UInt32> = 0x800..<0x880
  /// PERM: writing is disabled.
  private static let writeDisabled: UInt32 = 2

  init(_ chip: BoardDescription.Chip) { self.chip = chip }

  /// Whether the guest may erase: CONFIG is EEN.
  private var mayErase: Bool { configuration & 3 == 2 }
  /// Whether the guest may write: CONFIG is WEN.
  private var mayWrite: Bool { configuration & 3 == 1 }

  /// The operation that goes on.
  var current: FlashWork? { due == nil ? nil : work[done] }

  /// Whether a region with an address is write-protected.
  func isProtected(_ address: UInt32) -> Bool {
    (0..<Self.regionCount).contains { index in
      let start = regions[3 * index]
      return regions[3 * index + 2] & Self.writeDisabled != 0 && address >= start
        && UInt64(address) < UInt64(start) + UInt64(regions[3 * index + 1])
    }
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let index = Self.register(offset) { return regions[index] }
    return switch offset {
    case 0x400, 0x408: 1
    case 0x504: configuration
    default: nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if let index = Self.register(offset) {
      // Each register of a region is written once between resets.
      if regions[index] == 0 { regions[index] = value }
      return true
    }
    switch offset {
    case 0x504: configuration = value
    case 0x508: if mayErase { erase(value & ~0xFFF, &context) }
    case 0x514:
      if mayErase, value & 1 == 1 { begin([.erase(Self.userRegisters.lowerBound)], checked: false, &context) }
    default: return false
    }
    return true
  }

  /// Erases a page of flash; that of registers is told.
  private mutating func erase(_ page: UInt32, _ context: inout BlockContext) {
    if Self.factoryRegisters.contains(page) || Self.userRegisters.contains(page) {
      context.events.append(.flashProtected(address: page))
    } else {
      begin([.erase(page)], checked: true, &context)
    }
  }

  /// Takes a store to flash; whether it is one that the chip can do.
  mutating func program(
    _ address: UInt32, _ width: AccessWidth, _ value: UInt32, _ context: inout BlockContext
  ) -> Bool {
    guard mayWrite, width == .word, address % 4 == 0 else { return false }
    if Self.factoryRegisters.contains(address) {
      context.events.append(.flashProtected(address: address))
      return true
    }
    begin([.word(value, at: address)], checked: true, &context)
    return true
  }

  /// Does this after all that is to be done already. What is protected is left out where that is checked, and told.
  mutating func begin(_ new: [FlashWork], checked: Bool, _ context: inout BlockContext) {
    for operation in new {
      if checked, isProtected(operation.address) {
        context.events.append(.flashProtected(address: operation.address))
      } else {
        work.append(operation)
      }
    }
    if due == nil { beginNext(&context) }
  }

  private mutating func beginNext(_ context: inout BlockContext) {
    guard done < work.count else {
      work.removeAll(keepingCapacity: true)
      done = 0
      due = nil
      return
    }
    let isErasure = if case .erase = work[done] { true } else { false }
    let end = context.cycle + (isErasure ? chip.eraseCycles : chip.wordCycles)
    due = end
    context.schedule.add(.nvmc, 0, at: end, generation: 0)
    context.events.append(.flashOperationBegan(until: end))
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    guard due != nil else { return }
    // Where no flash is, nothing is changed, as on the chip.
    switch work[done] {
    case .erase(let page) where isChangeable(page):
      try? memory.load([UInt8](repeating: 0xFF, count: 4096), at: page)
    case .erase: break
    case .word(let value, let address):
      guard isChangeable(address), let old = try? memory.readWord(address) else { break }
      let new = old & value
      try? memory.load((0..<4).map { UInt8(truncatingIfNeeded: new >> ($0 * 8)) }, at: address)
    }
    done += 1
    beginNext(&context)
  }

  /// Whether flash stands at an address, or a user register.
  private func isChangeable(_ address: UInt32) -> Bool {
    address < UInt32(clamping: chip.flashSize) || Self.userRegisters.contains(address)
  }

  private static func register(_ offset: UInt32) -> Int? {
    guard regionRegisters.contains(offset), offset & 0xC != 0xC else { return nil }
    return Int((offset - 0x800) / 16) * 3 + Int(offset & 0xC) / 4
  }
}
