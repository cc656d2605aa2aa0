import Processor

/// Flash, 0x28 and 0x29 (`nrf_soc.h`): one operation at a time, told of by an event when it is done.
extension SoftDeviceHost {
  static let pageSize: UInt32 = 4096
  /// The calls that change flash.
  package static let flashCalls: ClosedRange<UInt8> = 0x28...0x29

  /// The operation on flash that goes on; power can fail in it.
  package var flashOperation: FlashOperation? { state.flash }

  /// 0x28 `sd_flash_page_erase`: erases the page of this number.
  mutating func eraseFlash(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 < settings.variant.flashSize / Self.pageSize else { throw .invalidAddress }
    let address = call.r0 * Self.pageSize
    guard address >= settings.variant.applicationStart, !isProtected(address, octets: Self.pageSize) else {
      throw .forbidden
    }
    try begin(FlashOperation(kind: .erase, address: address, begin: call.cycle), &processor)
  }

  /// 0x29 `sd_flash_write`: destination, source, words.
  mutating func writeFlash(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r2 > 0, call.r2 <= Self.pageSize / 4 else { throw .invalidLength }
    let size = settings.variant.flashSize
    guard call.r0 % 4 == 0, call.r1 % 4 == 0, call.r0 < size, call.r2 * 4 <= size - call.r0 else {
      throw .invalidAddress
    }
    guard call.r0 >= settings.variant.applicationStart, !isProtected(call.r0, octets: call.r2 * 4) else {
      throw .forbidden
    }
    let words = Int(call.r2)
    var operation = FlashOperation(kind: .write(words: words), address: call.r0, begin: call.cycle)
    operation.octets = try read(call.r1, words * 4, call, processor)
    operation.source = call.r1
    try begin(operation, &processor)
  }

  /// Whether firmware has write-protected any of these octets, of which there is at least one.
  private func isProtected(_ address: UInt32, octets: UInt32) -> Bool {
    let last = (address + octets - 1) / Self.pageSize
    return (address / Self.pageSize...last).contains { protectedPages.contains($0) }
  }

  /// Without an enabled SoftDevice the processor does it at once, and no event follows.
  private mutating func begin(_ operation: FlashOperation, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard state.flash == nil else { throw .busy }
    guard state.isEnabled else { return Self.apply(operation, words: operation.wordCount, &processor) }
    var operation = operation
    operation.number = nextNumber()
    state.flash = operation
    let due = operation.begin + duration(of: operation)
    output.completions.append(TimedCompletion(due: due, completion: .flash(operation.number)))
  }

  private func duration(of operation: FlashOperation) -> UInt64 {
    switch operation.kind {
    case .erase: settings.eraseCycles
    case .write(let words): UInt64(words) * settings.wordCycles
    }
  }

  mutating func completeFlash(_ number: UInt32, _ processor: inout CortexM4) {
    guard var operation = state.flash, operation.number == number else { return }
    state.flash = nil
    if case .write = operation.kind,
      let now = try? processor.memory.read(operation.source, count: operation.octets.count), now != operation.octets
    {
      note(.flashSourceChanged(address: operation.source))
      if settings.policies.flashSource == .atCompletion { operation.octets = now }
    }
    Self.apply(operation, words: operation.wordCount, &processor)
    if state.isEnabled { queue(.flashDone) }
  }

  /// How far the operation that goes on has come at a cycle, as far as a power cut would show, and the cycle at which it
  /// comes further; `nil` while there is none.
  package func flashProgress(at cycle: UInt64) -> (steps: UInt64, next: UInt64?)? {
    guard let operation = state.flash else { return nil }
    let passed = cycle > operation.begin ? cycle - operation.begin : 0
    switch operation.kind {
    case .erase: return passed > 0 ? (1, nil) : (0, operation.begin + 1)
    case .write(let words):
      let step = max(1, settings.wordCycles)
      let done = min(UInt64(words), passed / step)
      return (done, done < UInt64(words) ? operation.begin + (done + 1) * step : nil)
    }
  }

  /// Power fails at this cycle: flash keeps the words that were written by then. What follows is ``reset()``.
  package mutating func losePower(_ processor: inout CortexM4, at cycle: UInt64) {
    guard let operation = state.flash else { return }
    state.flash = nil
    let passed = cycle > operation.begin ? cycle - operation.begin : 0
    switch operation.kind {
    case .erase where settings.policies.interruptedErasure == .erased && passed > 0:
      Self.apply(operation, words: 0, &processor)
    case .erase: return
    case .write(let words):
      let done = Int(min(UInt64(words), passed / max(1, settings.wordCycles)))
      Self.apply(operation, words: done, &processor)
    }
  }

  private static func apply(_ operation: FlashOperation, words: Int, _ processor: inout CortexM4) {
    switch operation.kind {
    case .erase:
      try? processor.memory.load([UInt8](repeating: 0xFF, count: Int(pageSize)), at: operation.address)
    case .write:
      let new = operation.octets.prefix(words * 4)
      guard let old = try? processor.memory.read(operation.address, count: new.count) else { return }
      try? processor.memory.load(zip(old, new).map { $0 & $1 }, at: operation.address)
    }
  }
}

extension FlashOperation {
  fileprivate var wordCount: Int { if case .write(let words) = kind { words } else { 0 } }
}
