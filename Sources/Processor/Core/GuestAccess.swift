/// How a store ended.
enum StoreOutcome: UInt8 {
  /// Done; the next operation follows.
  case done
  /// Done, and the block has to be left behind this instruction.
  case leave
  /// Refused; the stop says why.
  case failed
}

/// The guest's loads and stores. Aligned accesses to pages that stand in the tables are made at once; everything else
/// takes the slow way.
extension Core {
  @inline(__always) private func readablePage(_ address: UInt32) -> UnsafeMutableRawPointer? {
    let window = context.pointee.windows + Int(address >> 28)
    let page = (address & 0x0FFF_FFFF) >> 12
    return page < window.pointee.count ? window.pointee.readable[Int(page)] : nil
  }

  @inline(__always) private func writablePage(_ address: UInt32) -> UnsafeMutableRawPointer? {
    let window = context.pointee.windows + Int(address >> 28)
    let page = (address & 0x0FFF_FFFF) >> 12
    return page < window.pointee.count ? window.pointee.writable[Int(page)] : nil
  }

  /// An aligned word of memory; nil where it has to be loaded the slow way.
  @inline(__always) func memoryWord(at address: UInt32) -> UInt32? {
    guard address & 3 == 0, let page = readablePage(address) else { return nil }
    return page.load(fromByteOffset: Int(address & 0xFFF), as: UInt32.self)
  }

  /// An aligned half-word of memory, not extended; nil where it has to be loaded the slow way.
  @inline(__always) func memoryHalfword(at address: UInt32) -> UInt32? {
    guard address & 1 == 0, let page = readablePage(address) else { return nil }
    return UInt32(page.load(fromByteOffset: Int(address & 0xFFF), as: UInt16.self))
  }

  /// An octet of memory, not extended; nil where it has to be loaded the slow way.
  @inline(__always) func memoryByte(at address: UInt32) -> UInt32? {
    guard let page = readablePage(address) else { return nil }
    return UInt32(page.load(fromByteOffset: Int(address & 0xFFF), as: UInt8.self))
  }

  /// Loads a word; nil when the run stops. `isStrict` is set for instructions that allow no unaligned address.
  @inline(__always) func readWord(_ address: UInt32, _ step: Step, isStrict: Bool = false) -> UInt32? {
    memoryWord(at: address) ?? readSlowly(address, .word, step, isStrict)
  }

  /// Loads a half-word, not extended.
  @inline(__always) func readHalfword(_ address: UInt32, _ step: Step, isStrict: Bool = false) -> UInt32? {
    memoryHalfword(at: address) ?? readSlowly(address, .halfword, step, isStrict)
  }

  /// Loads an octet, not extended.
  @inline(__always) func readByte(_ address: UInt32, _ step: Step) -> UInt32? {
    memoryByte(at: address) ?? readSlowly(address, .byte, step, false)
  }

  @inline(__always) private func mark(_ page: UnsafeMutableRawPointer, _ address: UInt32) {
    page.storeBytes(of: 1, toByteOffset: Page.size + Int((address & 0xFFF) >> 2), as: UInt8.self)
  }

  /// Writes an aligned word to memory; false where it has to be stored the slow way.
  @inline(__always) func setMemoryWord(at address: UInt32, _ value: UInt32) -> Bool {
    guard address & 3 == 0, let page = writablePage(address) else { return false }
    page.storeBytes(of: value, toByteOffset: Int(address & 0xFFF), as: UInt32.self)
    mark(page, address)
    return true
  }

  /// Writes an aligned half-word to memory; false where it has to be stored the slow way.
  @inline(__always) func setMemoryHalfword(at address: UInt32, _ value: UInt32) -> Bool {
    guard address & 1 == 0, let page = writablePage(address) else { return false }
    page.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: Int(address & 0xFFF), as: UInt16.self)
    mark(page, address)
    return true
  }

  /// Writes an octet to memory; false where it has to be stored the slow way.
  @inline(__always) func setMemoryByte(at address: UInt32, _ value: UInt32) -> Bool {
    guard let page = writablePage(address) else { return false }
    page.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: Int(address & 0xFFF), as: UInt8.self)
    mark(page, address)
    return true
  }

  @inline(__always) func writeWord(
    _ address: UInt32, _ value: UInt32, _ step: Step, isStrict: Bool = false
  ) -> StoreOutcome {
    setMemoryWord(at: address, value) ? .done : writeSlowly(address, .word, value, step, isStrict)
  }

  @inline(__always) func writeHalfword(
    _ address: UInt32, _ value: UInt32, _ step: Step, isStrict: Bool = false
  ) -> StoreOutcome {
    setMemoryHalfword(at: address, value) ? .done : writeSlowly(address, .halfword, value & 0xFFFF, step, isStrict)
  }

  @inline(__always) func writeByte(_ address: UInt32, _ value: UInt32, _ step: Step) -> StoreOutcome {
    setMemoryByte(at: address, value) ? .done : writeSlowly(address, .byte, value & 0xFF, step, false)
  }

  /// Where `count` aligned words can be read one after the other; nil where they need the slow way.
  @inline(__always) func readableWords(_ address: UInt32, _ count: UInt32) -> UnsafeMutableRawPointer? {
    guard address & 3 == 0, (address & 0xFFF) + count * 4 <= 4096, let page = readablePage(address) else { return nil }
    return page + Int(address & 0xFFF)
  }

  /// Where `count` aligned words can be written one after the other, marked as written; nil where they need the slow way.
  @inline(__always) func writableWords(_ address: UInt32, _ count: UInt32) -> UnsafeMutableRawPointer? {
    guard address & 3 == 0, (address & 0xFFF) + count * 4 <= 4096, let page = writablePage(address) else { return nil }
    let first = Page.size + Int((address & 0xFFF) >> 2)
    for index in 0..<Int(count) { page.storeBytes(of: 1, toByteOffset: first &+ index, as: UInt8.self) }
    return page + Int(address & 0xFFF)
  }

  /// Goes on behind a store.
  @inline(__always) func finish(_ outcome: StoreOutcome, _ step: Step) {
    outcome == .done ? next(step) : finishSlowly(outcome, step)
  }

  @inline(never) private func finishSlowly(_ outcome: StoreOutcome, _ step: Step) {
    outcome == .failed ? leaveBefore(step) : leaveBehind(step)
  }

  // MARK: The slow way

  @inline(never) private func readSlowly(
    _ address: UInt32, _ width: AccessWidth, _ step: Step, _ isStrict: Bool
  ) -> UInt32? {
    if address & UInt32(width.rawValue - 1) != 0 {
      guard mayBeUnaligned(address, isStrict) else { return failedRead(.unaligned, step, address) }
      var value: UInt32 = 0
      for index in 0..<UInt32(width.rawValue) {
        guard let octet = memoryByte(address &+ index) else { return failedRead(.readUnmapped, step, address) }
        value |= octet << (8 * index)
      }
      noteUnwritten(address, width, step)
      return value
    }
    if let slot = context.pointee.storage.slot(of: address),
      let page = context.pointee.storage.content(ofSlot: slot)
    {
      noteUnwritten(address, width, step)
      return Self.value(page, Int(address & 0xFFF), width)
    }
    if address >> 20 == 0xE00 { return readSystem(address, width, step) }
    touch()
    switch context.pointee.door.read(address, width, cycle(at: step)) {
    case .value(let value): return width == .word ? value : value & (1 << (8 * UInt32(width.rawValue)) - 1)
    case .fault: return failedRead(.readUnmapped, step, address)
    }
  }

  @inline(never) private func writeSlowly(
    _ address: UInt32, _ width: AccessWidth, _ value: UInt32, _ step: Step, _ isStrict: Bool
  ) -> StoreOutcome {
    if address & UInt32(width.rawValue - 1) != 0 {
      guard mayBeUnaligned(address, isStrict) else { return failedWrite(.unaligned, step, address) }
      return writeUnaligned(address, width, value, step)
    }
    if let slot = context.pointee.storage.slot(of: address) {
      guard context.pointee.storage.kind(ofSlot: slot) == .readWrite else {
        touch()
        let outcome = context.pointee.door.program(address, width, value, cycle(at: step))
        return finished(outcome, .writeReadOnly, step, address)
      }
      store(value, width, address, slot)
      return .done
    }
    if address >> 20 == 0xE00 { return writeSystem(address, width, value, step) }
    touch()
    let outcome = context.pointee.door.write(address, width, value, cycle(at: step))
    return finished(outcome, .writeUnmapped, step, address)
  }

  /// What becomes of a store that the bus has answered; `kind` is the fault of one that it refused.
  private func finished(
    _ outcome: BusWrite, _ kind: ProcessorFault.Kind, _ step: Step, _ address: UInt32
  ) -> StoreOutcome {
    switch outcome {
    case .done: return .done
    case .attention:
      context.pointee.end(with: .attention)
      return .leave
    case .fault: return failedWrite(kind, step, address)
    }
  }

  private func writeUnaligned(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, _ step: Step) -> StoreOutcome {
    let count = UInt32(width.rawValue)
    for index in 0..<count {
      guard let slot = context.pointee.storage.slot(of: address &+ index) else {
        return failedWrite(.writeUnmapped, step, address)
      }
      guard context.pointee.storage.kind(ofSlot: slot) == .readWrite else {
        return failedWrite(.writeReadOnly, step, address)
      }
    }
    for index in 0..<count {
      guard let slot = context.pointee.storage.slot(of: address &+ index) else { continue }
      store(value >> (8 * index) & 0xFF, .byte, address &+ index, slot)
    }
    return .done
  }

  /// Writes to a mapped RAM page, which may have to be copied first, and keeps the log of stores.
  func store(_ value: UInt32, _ width: AccessWidth, _ address: UInt32, _ slot: Int) {
    let isLogging = context.pointee.storeLog.isOn
    guard let page = context.pointee.storage.ownedPage(ofSlot: slot, staysOpen: !isLogging) else { return }
    let offset = Int(address & 0xFFF)
    if isLogging {
      context.pointee.storeLog.note(address & ~3, page.load(fromByteOffset: offset & ~3, as: UInt32.self))
    }
    switch width {
    case .byte: page.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
    case .halfword: page.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: offset, as: UInt16.self)
    case .word: page.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
    }
    mark(page, address)
  }

  private func mayBeUnaligned(_ address: UInt32, _ isStrict: Bool) -> Bool {
    let isDevice = address >> 29 == 2 || address >= 0xA000_0000
    return !isStrict && !isDevice && context.pointee.state.system.configuration & 8 == 0
  }

  /// The octet of memory at an address; nil where nothing is mapped.
  func memoryByte(_ address: UInt32) -> UInt32? {
    guard let slot = context.pointee.storage.slot(of: address),
      let page = context.pointee.storage.content(ofSlot: slot)
    else { return nil }
    return Self.value(page, Int(address & 0xFFF), .byte)
  }

  private static func value(_ page: UnsafeMutableRawPointer, _ offset: Int, _ width: AccessWidth) -> UInt32 {
    switch width {
    case .byte: UInt32(page.load(fromByteOffset: offset, as: UInt8.self))
    case .halfword: UInt32(page.load(fromByteOffset: offset, as: UInt16.self))
    case .word: page.load(fromByteOffset: offset, as: UInt32.self)
    }
  }

  private func noteUnwritten(_ address: UInt32, _ width: AccessWidth, _ step: Step) {
    guard context.pointee.storage.watchesUnwritten, context.pointee.unwritten.count < UnwrittenRead.limit,
      context.pointee.storage.isUnwrittenRAM(address)
    else { return }
    let read = UnwrittenRead(address: address, width: width, programCounter: step.address)
    if !context.pointee.unwritten.contains(where: { $0.programCounter == step.address }) {
      context.pointee.unwritten.append(read)
    }
  }

  private func failedRead(_ kind: ProcessorFault.Kind, _ step: Step, _ address: UInt32) -> UInt32? {
    refuse(kind, step, address)
    return nil
  }

  private func failedWrite(_ kind: ProcessorFault.Kind, _ step: Step, _ address: UInt32) -> StoreOutcome {
    refuse(kind, step, address)
    return .failed
  }

  /// Notes the fault of an access and leaves the block in front of its instruction.
  func refuse(_ kind: ProcessorFault.Kind, _ step: Step, _ address: UInt32) {
    stop(ProcessorFault(kind, programCounter: step.address, address: address))
  }

  /// Notes that the guest did what a spinning loop would not do.
  func touch() { context.pointee.touches &+= 1 }
}
