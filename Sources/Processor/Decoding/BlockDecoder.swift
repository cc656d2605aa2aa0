/// Decoding of blocks where the cache has none.
extension Core {
  /// Decodes the block at an address; nil, with a stop set, where nothing can be executed.
  @inline(never) func decodeBlock(at pc: UInt32) -> UnsafeMutablePointer<CodeBlock>? {
    guard context.pointee.state.isThumb else { return refuseFetch(.invalidState, pc) }
    if pc >> 29 == 2 || pc >= 0xA000_0000 { return refuseFetch(.executeNever, pc) }
    let storage = context.pointee.storage
    guard let slot = storage.slot(of: pc) else { return refuseFetch(.executeUnmapped, pc) }
    let isData = storage.kind(ofSlot: slot) == .readWrite
    if isData {
      if context.pointee.settings.stopsAtDataExecution { return refuseFetch(.executeData, pc) }
      if context.pointee.state.firstDataExecution == nil { context.pointee.state.firstDataExecution = pc }
    }
    let it = context.pointee.state.itState
    if isData || it != 0 { return decodeSingly(at: pc, it) }
    return decodeSeries(at: pc, slot)
  }

  private func refuseFetch(_ kind: ProcessorFault.Kind, _ pc: UInt32) -> UnsafeMutablePointer<CodeBlock>? {
    stop(ProcessorFault(kind, programCounter: pc, address: pc))
    return nil
  }

  private func decodeSingly(at pc: UInt32, _ it: UInt8) -> UnsafeMutablePointer<CodeBlock>? {
    let cache = context.pointee.cache
    let (operation, inner) = decode(at: pc, it)
    return cache.keepForOnce(operation, inner: inner, end(behind: operation))
  }

  private func decodeSeries(at pc: UInt32, _ slot: Int) -> UnsafeMutablePointer<CodeBlock>? {
    let cache = context.pointee.cache
    var operations: [Operation] = []
    var inner: [Handler] = []
    var address = pc
    var it: UInt8 = 0
    repeat {
      var (operation, handler) = decode(at: address, it)
      operation.index = UInt8(truncatingIfNeeded: operations.count)
      operations.append(operation)
      inner.append(handler)
      address &+= operation.length
      it = operation.itAfter
    } while !operations[operations.count - 1].endsBlock && mayGoOn(address, it, from: pc, operations.count)
    cache.use(slot: slot, of: context.pointee.storage)
    if address &- 1 >> 12 != pc >> 12, let slot = context.pointee.storage.slot(of: address &- 1) {
      cache.use(slot: slot, of: context.pointee.storage)
    }
    operations.append(end(behind: operations[operations.count - 1]))
    return cache.keep(operations, inner: inner, slot: slot, address: pc)
  }

  /// Whether a block has another operation. Blocks end where a page ends, but never within an IT block: what is entered
  /// there has to be decoded each time.
  private func mayGoOn(_ address: UInt32, _ it: UInt8, from pc: UInt32, _ count: Int) -> Bool {
    if it == 0 { return count < CodeBlock.longest && address >> 12 == pc >> 12 }
    return context.pointee.storage.slot(of: address).map { context.pointee.storage.kind(ofSlot: $0) } == .readOnly
  }

  /// What leaves a block that ends without a branch.
  private func end(behind last: Operation) -> Operation {
    var operation = Operation(Handlers.endOfBlock)
    operation.index = last.index + 1
    operation.address = last.address &+ last.length
    operation.itBefore = last.itAfter
    return operation
  }

  /// An operation, and what it does when the condition of its IT block holds.
  private func decode(at address: UInt32, _ it: UInt8) -> (Operation, inner: Handler) {
    let constants = ConstantSource(storage: context.pointee.storage, cache: context.pointee.cache)
    guard let first = memoryHalfword(address) else { return (missing(address, it), inner: Handlers.missing) }
    var encoding = Encoding(address: address, word: first, isWide: false, it: it, constants: constants)
    if first >> 11 >= 0x1D {
      guard let second = memoryHalfword(address &+ 2) else { return (missing(address, it), inner: Handlers.missing) }
      encoding = Encoding(
        address: address, word: first << 16 | second, isWide: true, it: it, constants: constants)
    }
    return place(encoding.decode(), encoding)
  }

  /// An instruction with a half at an address where nothing is mapped.
  private func missing(_ address: UInt32, _ it: UInt8) -> Operation {
    var operation = Operation(Handlers.missing)
    operation.address = address
    operation.length = 2
    operation.itBefore = it
    operation.itAfter = it
    operation.endsBlock = true
    return operation
  }

  private func memoryHalfword(_ address: UInt32) -> UInt32? {
    guard let low = memoryByte(address), let high = memoryByte(address &+ 1) else { return nil }
    return low | high << 8
  }

  /// Adds address, length, and what the IT block has to say.
  private func place(_ decoded: Operation, _ encoding: Encoding) -> (Operation, inner: Handler) {
    var operation = decoded
    operation.address = encoding.address
    operation.length = encoding.length
    operation.itBefore = encoding.it
    if encoding.isInIT {
      operation.itAfter = encoding.it & 7 == 0 ? 0 : encoding.it & 0xE0 | encoding.it << 1 & 0x1F
      operation.condition = encoding.it >> 4
      if operation.condition < 14 {
        operation.handler = Handlers.conditional
        operation.endsBlock = false
      }
    } else if !encoding.isWide, encoding.word & 0xFF00 == 0xBF00, encoding.word & 0xF != 0 {
      operation.itAfter = UInt8(encoding.word & 0xFF)
    }
    return (operation, inner: decoded.handler)
  }
}
