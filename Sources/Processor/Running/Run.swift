/// The loop of a run: exceptions, then a block of operations, and again.
extension Core {
  func run() -> Stop {
    var spin = SpinDetector()
    context.pointee.state.expireTimer()
    while true {
      if context.pointee.mustLook, let stop = look() { return stop }
      let cycles = context.pointee.state.cycles
      let horizon = context.pointee.horizon
      if cycles >= horizon {
        if cycles >= context.pointee.limit { return .limit }
        context.pointee.state.expireTimer()
        context.pointee.isSpinning = false
        context.pointee.mustLook = true
        continue
      }
      guard let block = block() else { continue }
      context.pointee.block = block
      context.pointee.state.itState = 0
      if horizon - cycles >= UInt64(truncatingIfNeeded: block.pointee.count) {
        execute(block.pointee.operations)
      } else {
        execute(context.pointee.cache.prefix(block, Int(truncatingIfNeeded: horizon - cycles)))
      }
      if context.pointee.executed > covered(block) { cover(block) }
      if context.pointee.wentBackward, context.pointee.settings.skipsSpinning { spin.visit(self) }
    }
  }

  @inline(__always) private func execute(_ first: UnsafePointer<Operation>) {
    first.pointee.handler(UnsafeMutableRawPointer(context), UnsafeRawPointer(first))
  }

  /// What has to be looked at now and then: stops, returns from exceptions, sleep, pending exceptions.
  @inline(never) private func look() -> Stop? {
    if let stop = context.pointee.takeStop() { return stop }
    if context.pointee.state.isLockedUp { return .lockup }
    if let fault = context.pointee.state.resetFault {
      context.pointee.state.fault = fault
      return .fault(fault)
    }
    context.pointee.mustLook = false
    context.pointee.findHorizon()
    if context.pointee.state.pendingReturn != 0 {
      returnFromException()
      if let stop = context.pointee.takeStop() { return stop }
    }
    if let stop = sleepOn() { return stop }
    let exception = context.pointee.state.exceptionToTake
    if exception != 0 { take(exception) }
    return context.pointee.takeStop()
  }

  /// Returns the stop of a processor that sleeps on; wakes it if there is a reason to.
  private func sleepOn() -> Stop? {
    switch context.pointee.state.sleep {
    case .awake: return nil
    case .forEvent:
      guard context.pointee.state.hasEvent || context.pointee.state.exceptionToTake != 0 else {
        return sleeping(.waitForEvent)
      }
      context.pointee.state.hasEvent = false
    case .forInterrupt:
      guard context.pointee.state.wakesFromInterrupt else { return sleeping(.waitForInterrupt) }
    }
    context.pointee.state.sleep = .awake
    return nil
  }

  private func sleeping(_ stop: Stop) -> Stop? {
    context.pointee.mustLook = true
    return stop
  }

  /// The block at the program counter; nil, with a stop set, where nothing can be executed.
  @inline(__always) private func block() -> UnsafeMutablePointer<CodeBlock>? {
    let pc = context.pointee.state.registers[15]
    if let previous = context.pointee.previous, context.pointee.state.itState == 0, context.pointee.state.isThumb,
      let block = previous.pointee.successor(at: pc)
    {
      context.pointee.previous = block
      return block
    }
    return findBlock(at: pc)
  }

  /// The block at an address, from the tables or decoded, noted as one that follows the last one.
  @inline(never) private func findBlock(at pc: UInt32) -> UnsafeMutablePointer<CodeBlock>? {
    if context.pointee.cache.isFull {
      context.pointee.cache.forget()
      context.pointee.previous = nil
      context.pointee.covered.update(repeating: 0)
    }
    guard let block = knownBlock(at: pc) ?? decodeBlock(at: pc) else { return nil }
    let previous = context.pointee.previous
    context.pointee.previous = context.pointee.cache.keeps(block) ? block : nil
    if context.pointee.previous != nil { previous?.pointee.follow(by: block, at: pc) }
    return block
  }

  private func knownBlock(at pc: UInt32) -> UnsafeMutablePointer<CodeBlock>? {
    let window = context.pointee.windows + Int(pc >> 28)
    let page = (pc & 0x0FFF_FFFF) >> 12
    guard page < window.pointee.count, context.pointee.state.itState == 0, context.pointee.state.isThumb else {
      return nil
    }
    return context.pointee.tables[window.pointee.firstSlot &+ Int(page)]?[Int((pc & 0xFFF) >> 1)]
  }

  /// Operations of a block that are noted.
  @inline(__always) private func covered(_ block: UnsafeMutablePointer<CodeBlock>) -> Int {
    let number = block.pointee.number
    return number < context.pointee.covered.count ? Int(context.pointee.covered[number]) : 0
  }

  /// Notes which half-words were executed.
  @inline(never) private func cover(_ block: UnsafeMutablePointer<CodeBlock>) {
    let size = UInt32(truncatingIfNeeded: context.pointee.coverage.count * 128)
    for index in covered(block)..<context.pointee.executed where index < block.pointee.count {
      let operation = block.pointee.operations[index]
      for offset in stride(from: 0, to: operation.length, by: 2) {
        let place = operation.address &+ offset &- context.pointee.coverageBase
        guard place < size else { continue }
        context.pointee.coverage[Int(place >> 7)] |= 1 << UInt64(place >> 1 & 63)
      }
    }
    let number = block.pointee.number
    guard number < context.pointee.covered.count else { return }
    context.pointee.covered[number] = UInt8(truncatingIfNeeded: context.pointee.executed)
  }
}

extension RunContext {
  /// Finds the cycle at which executing has to pause: the limit, or SysTick before it.
  mutating func findHorizon() { horizon = min(limit, state.system.timer.due ?? limit) }
}
