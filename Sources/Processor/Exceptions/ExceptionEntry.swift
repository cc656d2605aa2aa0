/// Taking an exception (Armv7-M Architecture Reference Manual, B1.5.6): a frame of 8 words, or of 26 with floating-point
/// registers, which are always stacked at once.
extension Core {
  /// Takes a pending exception. Leaves everything as it was and stops when frame or vector cannot be accessed.
  func take(_ exception: Int) {
    let ignoresStack = context.pointee.state.ignoresStackErrors
    context.pointee.state.ignoresStackErrors = false
    let vectorAddress = context.pointee.state.system.vectorTable &+ UInt32(exception) * 4
    let pc = context.pointee.state.registers[15]
    guard let vector = memoryWord(vectorAddress) else {
      if exception == ExceptionNumber.hardFault { return lockUp() }
      return stop(ProcessorFault(.vector, programCounter: pc, address: vectorAddress))
    }
    guard pushFrame(isForced: ignoresStack) else {
      if exception == ExceptionNumber.hardFault { return lockUp() }
      return stop(ProcessorFault(.stacking, programCounter: pc, address: context.pointee.state.registers[13]))
    }
    enter(exception, at: vector)
  }

  /// Writes the frame and moves the stack pointer. Changes nothing and returns false if the frame cannot be written, unless
  /// it is forced: then only the stack pointer moves.
  private func pushFrame(isForced: Bool) -> Bool {
    let hasFloats = state.control & 4 != 0
    let size: UInt32 = hasFloats ? 0x68 : 0x20
    let alignment: UInt32 = hasFloats || state.system.configuration & 0x200 != 0 ? 4 : 0
    let stack = state.registers[13]
    let frame = (stack &- size) & ~alignment
    guard isWritable(frame), isWritable(frame &+ size &- 4) else {
      if isForced { context.pointee.state.registers[13] = frame }
      return isForced
    }
    for index in 0..<4 { storeWord(frame &+ UInt32(index) * 4, state.registers[index]) }
    storeWord(frame &+ 16, state.registers[12])
    storeWord(frame &+ 20, state.registers[14])
    storeWord(frame &+ 24, state.registers[15])
    storeWord(frame &+ 28, state.programStatus & ~0x200 | (stack & alignment) << 7)
    if hasFloats {
      for index in 0..<16 { storeWord(frame &+ 32 &+ UInt32(index) * 4, state.floats[index]) }
      storeWord(frame &+ 0x60, state.fpscr)
      context.pointee.state.system.floatContextAddress = frame &+ 0x20
    }
    context.pointee.state.registers[13] = frame
    return true
  }

  private func enter(_ exception: Int, at vector: UInt32) {
    var link: UInt32 = 0xFFFF_FFE1
    if state.control & 4 == 0 { link |= 0x10 }
    if state.exception == 0 { link |= state.control & 2 != 0 ? 0xC : 8 }
    context.pointee.state.withBankedStacks { state in
      state.exception = UInt32(exception)
      state.control &= ~6
    }
    context.pointee.state.registers[14] = link
    context.pointee.state.registers[15] = vector & ~1
    context.pointee.state.isThumb = vector & 1 != 0
    context.pointee.state.itState = 0
    context.pointee.state.isExclusive = false
    context.pointee.state.hasEvent = true
    context.pointee.state.sleep = .awake
    context.pointee.state.interrupts.setPending(exception, false)
    context.pointee.state.interrupts.setActive(exception, true)
    context.pointee.mustLook = true
  }

  /// The processor is dead: a fault where no fault can be handled (B1.5.15).
  func lockUp() {
    context.pointee.state.isLockedUp = true
    context.pointee.end(with: .lockup)
  }

  /// A word of memory for frames and vectors; nil where nothing is mapped.
  func memoryWord(_ address: UInt32) -> UInt32? {
    if let value = memoryWord(at: address) { return value }
    guard address & 3 == 0, let slot = context.pointee.storage.slot(of: address),
      let page = context.pointee.storage.content(ofSlot: slot)
    else { return nil }
    return page.load(fromByteOffset: Int(address & 0xFFF), as: UInt32.self)
  }

  private func isWritable(_ address: UInt32) -> Bool {
    guard address & 3 == 0, let slot = context.pointee.storage.slot(of: address) else { return false }
    return context.pointee.storage.kind(ofSlot: slot) == .readWrite
  }

  private func storeWord(_ address: UInt32, _ value: UInt32) {
    if setMemoryWord(at: address, value) { return }
    guard let slot = context.pointee.storage.slot(of: address) else { return }
    store(value, .word, address, slot)
  }
}
