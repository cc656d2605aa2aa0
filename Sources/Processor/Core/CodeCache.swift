/// A run of operations that are executed one after the other: it ends at an instruction that always branches, at the end
/// of a page, or when it is long enough. Conditional branches leave it in the middle.
struct CodeBlock {
  let operations: UnsafePointer<Operation>
  let count: Int
  /// Operations from the first on whose coverage is already noted.
  var covered = 0
  /// What the operations in IT blocks do when their condition holds, by the place of the operation.
  let inner: UnsafePointer<Handler>
  /// Where the program went from here, last and before that; an odd address where no block is. It saves looking up
  /// the block of an address in tables that fit no cache.
  private(set) var lastAddress: UInt32 = 1
  private(set) var earlierAddress: UInt32 = 1
  private(set) var last: UnsafeMutablePointer<CodeBlock>?
  private(set) var earlier: UnsafeMutablePointer<CodeBlock>?

  init(operations: UnsafePointer<Operation>, count: Int, inner: UnsafePointer<Handler>) {
    self.operations = operations
    self.count = count
    self.inner = inner
  }

  /// The block at an address, if the program went there from here lately.
  @inline(__always) func successor(at address: UInt32) -> UnsafeMutablePointer<CodeBlock>? {
    if address == lastAddress { return last }
    return address == earlierAddress ? earlier : nil
  }

  /// Notes that the program went to a block.
  mutating func follow(by block: UnsafeMutablePointer<CodeBlock>, at address: UInt32) {
    (earlierAddress, earlier) = (lastAddress, last)
    (lastAddress, last) = (address, block)
  }

  /// Operations in a block, unless it ends with an IT block: that one is completed.
  static let longest = 32
}

/// Decoded code of read-only pages, by address.
///
/// The cache holds every page that it decoded from. A memory that writes such a page gets a copy of it first, so that the
/// cache finds out by looking whether the memory still has the same pages.
final class CodeCache: @unchecked Sendable {
  /// Operations after which everything is forgotten, so that a guest that jumps everywhere costs no more than this.
  static let limit = 1 << 19
  private static let chunk = 1 << 18

  /// The blocks of a page, by half-word.
  typealias Table = UnsafeMutablePointer<UnsafeMutablePointer<CodeBlock>?>

  /// The tables of all slots; nil where nothing was decoded.
  let tables: UnsafeMutablePointer<Table?>
  private let slots: Int
  private var sources: [(slot: Int, page: Page)] = []
  /// The state of the memory that was found to have all of them.
  private var approved: MemoryStorage.ContentMark?
  private var isSource: [Bool]
  private var chunks: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var operationCount = 0
  /// Where loops were found last; odd where none was.
  @exclusivity(unchecked) private var spinHeads = SIMD4<UInt32>(repeating: 1)
  private var nextSpinHead = 0
  /// Where single instructions are decoded that are not kept: those in RAM, and those in the middle of an IT block.
  private let scratch: UnsafeMutablePointer<Operation>
  private let scratchInner: UnsafeMutablePointer<Handler>
  let scratchBlock: UnsafeMutablePointer<CodeBlock>

  /// Where the beginnings of blocks are put that are not executed as a whole.
  private let prefixes: UnsafeMutablePointer<Operation>
  private static let longestPrefix = CodeBlock.longest + 4

  /// A cache for a memory with this many slots.
  init(slots: Int) {
    self.slots = slots
    tables = .allocate(capacity: slots)
    tables.initialize(repeating: nil, count: slots)
    isSource = Array(repeating: false, count: slots)
    scratch = .allocate(capacity: 2)
    scratch.initialize(repeating: Operation(Handlers.endOfBlock), count: 2)
    prefixes = .allocate(capacity: Self.longestPrefix + 1)
    prefixes.initialize(repeating: Operation(Handlers.endOfBlock), count: Self.longestPrefix + 1)
    scratchBlock = .allocate(capacity: 1)
    scratchInner = .allocate(capacity: 1)
    scratchInner.initialize(to: Handlers.endOfBlock)
    scratchBlock.initialize(
      to: CodeBlock(operations: UnsafePointer(scratch), count: 1, inner: UnsafePointer(scratchInner)))
  }

  deinit {
    forget()
    tables.deallocate()
    scratch.deallocate()
    scratchInner.deallocate()
    prefixes.deallocate()
    scratchBlock.deallocate()
  }

  /// Whether the memory still has the pages that were decoded.
  func isValid(for storage: MemoryStorage) -> Bool {
    if approved == storage.readOnlyContent { return true }
    guard slots == storage.pages.count, sources.allSatisfy({ storage.pages[$0.slot] === $0.page }) else { return false }
    approved = storage.readOnlyContent
    return true
  }

  /// Notes that operations were decoded from a page.
  func use(slot: Int, of storage: MemoryStorage) {
    guard !isSource[slot], let page = storage.pages[slot] else { return }
    isSource[slot] = true
    sources.append((slot, page))
  }

  /// Keeps a block. Its last operation is not counted: it only leaves.
  func keep(
    _ operations: [Operation], inner: [Handler], slot: Int, address: UInt32
  ) -> UnsafeMutablePointer<CodeBlock> {
    // Header, operations and what conditions guard stand together, in the order in which they are read.
    let start = MemoryLayout<CodeBlock>.stride
    let guarded = start + operations.count * MemoryLayout<Operation>.stride
    let place = room(for: guarded + inner.count * MemoryLayout<Handler>.stride)
    let kept = (place + start).bindMemory(to: Operation.self, capacity: operations.count)
    for (index, operation) in operations.enumerated() { (kept + index).initialize(to: operation) }
    let keptInner = (place + guarded).bindMemory(to: Handler.self, capacity: inner.count)
    for (index, handler) in inner.enumerated() { (keptInner + index).initialize(to: handler) }
    let header = place.bindMemory(to: CodeBlock.self, capacity: 1)
    header.initialize(
      to: CodeBlock(
        operations: UnsafePointer(kept), count: operations.count - 1, inner: UnsafePointer(keptInner)))
    operationCount += operations.count
    table(slot)[Int((address & 0xFFF) >> 1)] = header
    return header
  }

  /// Room that nobody uses yet; every block is far smaller than a chunk.
  private func room(for size: Int) -> UnsafeMutableRawPointer {
    if chunks.isEmpty || used + size > Self.chunk {
      chunks.append(.allocate(byteCount: Self.chunk, alignment: 64))
      used = 0
    }
    defer { used += (size + 15) & ~15 }
    return chunks[chunks.count - 1] + used
  }

  /// Makes a block of an instruction that is decoded each time. Valid until it is asked for the next time.
  func keepForOnce(_ operation: Operation, inner: Handler, _ end: Operation) -> UnsafeMutablePointer<CodeBlock> {
    scratch[0] = operation
    scratch[1] = end
    scratchInner[0] = inner
    scratchBlock.pointee.covered = 0
    return scratchBlock
  }

  /// Whether a block is kept.
  func keeps(_ block: UnsafeMutablePointer<CodeBlock>) -> Bool { block != scratchBlock }

  /// The first operations of a longer block, with what leaves it behind them. Valid until it is asked for the next time.
  func prefix(_ block: UnsafeMutablePointer<CodeBlock>, _ count: Int) -> UnsafePointer<Operation> {
    let length = max(0, min(count, block.pointee.count, Self.longestPrefix))
    prefixes.update(from: block.pointee.operations, count: length)
    let following = block.pointee.operations[length]
    prefixes[length].index = UInt8(truncatingIfNeeded: length)
    prefixes[length].address = following.address
    prefixes[length].itBefore = following.itBefore
    prefixes[length].handler = Handlers.endOfBlock
    return UnsafePointer(prefixes)
  }

  /// Whether a loop at an address has been found to change nothing. It says nothing about the next time.
  @inline(__always) func spins(at address: UInt32) -> Bool { any(spinHeads .== address) }

  /// Notes that the loop at an address changed nothing.
  func noteSpin(at address: UInt32) {
    guard !spins(at: address) else { return }
    spinHeads[nextSpinHead] = address
    nextSpinHead = (nextSpinHead + 1) % spinHeads.scalarCount
  }

  /// Whether so much was decoded that it is time to start anew.
  var isFull: Bool { operationCount >= Self.limit }

  /// Forgets all blocks.
  func forget() {
    for slot in 0..<slots {
      tables[slot]?.deallocate()
      tables[slot] = nil
    }
    for index in isSource.indices { isSource[index] = false }
    sources.removeAll()
    for chunk in chunks { chunk.deallocate() }
    chunks.removeAll()
    used = 0
    operationCount = 0
  }

  private func table(_ slot: Int) -> Table {
    if let table = tables[slot] { return table }
    let table = Table.allocate(capacity: Page.size / 2)
    table.initialize(repeating: nil, count: Page.size / 2)
    tables[slot] = table
    return table
  }
}
