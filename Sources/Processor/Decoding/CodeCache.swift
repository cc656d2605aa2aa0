/// A run of operations that are executed one after the other: it ends at an instruction that always branches, at the end
/// of a page, or when it is long enough. Conditional branches leave it in the middle.
struct CodeBlock {
  let operations: UnsafePointer<Operation>
  let count: Int
  /// Operations from the first on whose coverage is already noted.
  var covered = 0

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
  private static let chunk = 8192
  private static let headers = 2048

  /// The blocks of a page, by half-word.
  typealias Table = UnsafeMutablePointer<UnsafeMutablePointer<CodeBlock>?>

  /// The tables of all slots; nil where nothing was decoded.
  let tables: UnsafeMutablePointer<Table?>
  private let slots: Int
  private var sources: [(slot: Int, page: Page)] = []
  private var isSource: [Bool]
  private var chunks: [UnsafeMutablePointer<Operation>] = []
  private var used = 0
  private var headerChunks: [UnsafeMutablePointer<CodeBlock>] = []
  private var usedHeaders = 0
  /// Where loops were found last; odd where none was.
  @exclusivity(unchecked) private var spinHeads = SIMD4<UInt32>(repeating: 1)
  private var nextSpinHead = 0
  /// Where single instructions are decoded that are not kept: those in RAM, and those in the middle of an IT block.
  let scratch: UnsafeMutablePointer<Operation>
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
    scratchBlock.initialize(to: CodeBlock(operations: UnsafePointer(scratch), count: 1))
  }

  deinit {
    forget()
    tables.deallocate()
    scratch.deallocate()
    prefixes.deallocate()
    scratchBlock.deallocate()
  }

  /// Whether the memory still has the pages that were decoded.
  func isValid(for storage: MemoryStorage) -> Bool {
    slots == storage.pages.count && sources.allSatisfy { storage.pages[$0.slot] === $0.page }
  }

  /// Notes that operations were decoded from a page.
  func use(slot: Int, of storage: MemoryStorage) {
    guard !isSource[slot], let page = storage.pages[slot] else { return }
    isSource[slot] = true
    sources.append((slot, page))
  }

  /// Keeps a block. Its last operation is not counted: it only leaves.
  func keep(_ operations: [Operation], slot: Int, address: UInt32) -> UnsafeMutablePointer<CodeBlock> {
    if used + operations.count > Self.chunk || chunks.isEmpty {
      chunks.append(.allocate(capacity: Self.chunk))
      used = 0
    }
    if usedHeaders == Self.headers || headerChunks.isEmpty {
      headerChunks.append(.allocate(capacity: Self.headers))
      usedHeaders = 0
    }
    let start = chunks[chunks.count - 1] + used
    for (index, operation) in operations.enumerated() { (start + index).initialize(to: operation) }
    used += operations.count
    let header = headerChunks[headerChunks.count - 1] + usedHeaders
    header.initialize(to: CodeBlock(operations: UnsafePointer(start), count: operations.count - 1))
    usedHeaders += 1
    table(slot)[Int((address & 0xFFF) >> 1)] = header
    return header
  }

  /// The first operations of a longer block, with what leaves it behind them. Valid until it is asked for the next time.
  func prefix(_ block: UnsafeMutablePointer<CodeBlock>, _ count: Int) -> UnsafePointer<Operation> {
    let length = max(0, min(count, block.pointee.count, Self.longestPrefix))
    prefixes.update(from: block.pointee.operations, count: length)
    let following = block.pointee.operations[length]
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
  var isFull: Bool { chunks.count * Self.chunk >= Self.limit }

  /// Forgets all blocks.
  func forget() {
    for slot in 0..<slots {
      tables[slot]?.deallocate()
      tables[slot] = nil
    }
    for index in isSource.indices { isSource[index] = false }
    sources.removeAll()
    for chunk in chunks { chunk.deallocate() }
    for chunk in headerChunks { chunk.deallocate() }
    chunks.removeAll()
    headerChunks.removeAll()
    used = 0
    usedHeaders = 0
  }

  private func table(_ slot: Int) -> Table {
    if let table = tables[slot] { return table }
    let table = Table.allocate(capacity: Page.size / 2)
    table.initialize(repeating: nil, count: Page.size / 2)
    tables[slot] = table
    return table
  }
}
