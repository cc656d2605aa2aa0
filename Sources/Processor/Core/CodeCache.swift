import Synchronization

/// A run of operations that are executed one after the other: it ends at an instruction that always branches, at the end
/// of a page, or when it is long enough. Conditional branches leave it in the middle.
struct CodeBlock {
  let operations: UnsafePointer<Operation>
  let count: Int
  /// Counts the blocks of a cache.
  let number: Int
  /// What the operations in IT blocks do when their condition holds, by the place of the operation.
  let inner: UnsafePointer<Handler>
  /// Where the program went from here, last and before that; an odd address where no block is. It saves looking up
  /// the block of an address in tables that fit no cache.
  private(set) var lastAddress: UInt32 = 1
  private(set) var earlierAddress: UInt32 = 1
  private(set) var last: UnsafeMutablePointer<CodeBlock>?
  private(set) var earlier: UnsafeMutablePointer<CodeBlock>?

  init(operations: UnsafePointer<Operation>, count: Int, inner: UnsafePointer<Handler>, number: Int) {
    self.operations = operations
    self.count = count
    self.number = number
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
/// A processor and its copies share it, as long as they have the pages that it was decoded from and are not executed at the
/// same time. The cache holds every such page. A memory that writes one gets a copy of it first, so that the cache finds out
/// by looking whether a memory still has the same pages. What is executed does not depend on what is in the cache.
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
  private var isSource: [Bool]
  /// Changes with `sources`.
  private var sourceMark = ChangeMark()
  /// Changes when all blocks are forgotten.
  private(set) var blockMark = ChangeMark()
  /// Blocks that were kept since.
  private(set) var blockCount = 0
  private let isInUse = Atomic<Bool>(false)
  private var chunks: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var operationCount = 0
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
      to: CodeBlock(operations: UnsafePointer(scratch), count: 1, inner: UnsafePointer(scratchInner), number: .max))
  }

  deinit {
    forget()
    tables.deallocate()
    scratch.deallocate()
    scratchInner.deallocate()
    prefixes.deallocate()
    scratchBlock.deallocate()
  }

  /// A memory and a cache that were found to fit.
  struct Approval: Equatable {
    fileprivate let content: ChangeMark
    fileprivate let sources: ChangeMark
  }

  /// Takes the cache for a run; false if another run has it. To be given back with ``release()``.
  func claim() -> Bool { !isInUse.exchange(true, ordering: .acquiring) }

  /// Gives the cache back.
  func release() { isInUse.store(false, ordering: .releasing) }

  /// Looks whether a memory has the pages that were decoded, unless that was found before. Nil if it does not.
  func approve(_ storage: MemoryStorage, _ earlier: Approval?) -> Approval? {
    let approval = Approval(content: storage.readOnlyContent, sources: sourceMark)
    if approval == earlier { return approval }
    let fits = slots == storage.pages.count && sources.allSatisfy { storage.pages[$0.slot] === $0.page }
    return fits ? approval : nil
  }

  /// Notes that operations were decoded from a page.
  func use(slot: Int, of storage: MemoryStorage) {
    guard !isSource[slot], let page = storage.pages[slot] else { return }
    isSource[slot] = true
    sources.append((slot, page))
    sourceMark = ChangeMark()
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
        operations: UnsafePointer(kept), count: operations.count - 1, inner: UnsafePointer(keptInner),
        number: blockCount))
    blockCount += 1
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
    blockCount = 0
    sourceMark = ChangeMark()
    blockMark = ChangeMark()
  }

  private func table(_ slot: Int) -> Table {
    if let table = tables[slot] { return table }
    let table = Table.allocate(capacity: Page.size / 2)
    table.initialize(repeating: nil, count: Page.size / 2)
    tables[slot] = table
    return table
  }
}
