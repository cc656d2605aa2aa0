/// Returning from an exception (Armv7-M Architecture Reference Manual, B1.5.8).
extension Core {
  /// Bit n: the four lower bits of EXC_RETURN may be n.
  private static let returns: UInt32 = 1 << 1 | 1 << 9 | 1 << 13

  /// Acts on the EXC_RETURN value that was branched to.
  func returnFromException() {
    let value = context.pointee.state.pendingReturn
    let exception = Int(state.exception)
    guard value >> 5 == 0x7FF_FFFF, Self.returns >> (value & 0xF) & 1 != 0, state.interrupts.isActive(exception) else {
      return refuseReturn(value)
    }
    let toHandler = value & 8 == 0
    let nested = state.interrupts.activeCount
    guard toHandler ? nested > 1 : nested == 1 || state.system.configuration & 1 != 0 else {
      return refuseReturn(value)
    }
    let stack = toHandler || value & 4 == 0 ? state.mainStack : state.processStack
    let hasFloats = value & 0x10 == 0
    let size: UInt32 = hasFloats ? 0x68 : 0x20
    guard memoryWord(stack) != nil, memoryWord(stack &+ size &- 4) != nil, let status = memoryWord(stack &+ 28) else {
      return stop(ProcessorFault(.unstacking, programCounter: state.registers[15], address: stack))
    }
    guard toHandler == (status & 0x1FF != 0) else { return refuseReturn(value) }
    context.pointee.state.pendingReturn = 0
    leave(exception, value, status)
    popFrame(from: stack, size: size, status)
    if !toHandler, state.system.systemControl & 2 != 0 {
      context.pointee.state.sleep = .forInterrupt
    }
  }

  /// Deactivates the exception and changes mode and stack pointer.
  private func leave(_ exception: Int, _ value: UInt32, _ status: UInt32) {
    context.pointee.state.interrupts.setActive(exception, false)
    sampleLine(of: exception)
    if exception != ExceptionNumber.nonMaskable { context.pointee.state.faultmask = 0 }
    context.pointee.state.isExclusive = false
    context.pointee.state.hasEvent = true
    context.pointee.state.withBankedStacks { state in
      state.exception = status & 0x1FF
      state.control = state.control & 1 | (value & 0xC == 0xC ? 2 : 0) | (value & 0x10 == 0 ? 4 : 0)
    }
    context.pointee.mustLook = true
  }

  /// Makes an interrupt pending again whose handler returns while its line is still high.
  private func sampleLine(of exception: Int) {
    guard exception >= ExceptionNumber.firstInterrupt else { return }
    guard context.pointee.door.interruptLines() >> UInt64(exception - ExceptionNumber.firstInterrupt) & 1 != 0 else {
      return
    }
    context.pointee.state.interrupts.setPending(exception, true)
    signalPending()
  }

  private func popFrame(from stack: UInt32, size: UInt32, _ status: UInt32) {
    func word(_ offset: UInt32) -> UInt32 { memoryWord(stack &+ offset) ?? 0 }
    for index in 0..<4 { context.pointee.state.registers[index] = word(UInt32(index) * 4) }
    context.pointee.state.registers[12] = word(16)
    context.pointee.state.registers[14] = word(20)
    context.pointee.state.registers[15] = word(24) & ~1
    if size == 0x68 {
      for index in 0..<16 { context.pointee.state.floats[index] = word(32 + UInt32(index) * 4) }
      context.pointee.state.fpscr = word(0x60) & 0xF7C0_009F
    }
    let isAligned = size == 0x68 || context.pointee.state.system.configuration & 0x200 != 0
    let padding: UInt32 = isAligned ? status >> 7 & 4 : 0
    context.pointee.state.registers[13] = (stack &+ size) | padding
    context.pointee.state.programStatus = status
  }

  private func refuseReturn(_ value: UInt32) {
    stop(ProcessorFault(.invalidReturn, programCounter: context.pointee.state.registers[15], address: value))
  }
}
