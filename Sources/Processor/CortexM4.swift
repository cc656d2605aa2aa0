/// A Cortex-M4F: the ARMv7E-M architecture with single-precision floating point and three bits of priority, as the nRF52
/// series has it, with its memory.
///
/// A processor is a value: it can be copied, compared and resumed. It has no clock but its own: one instruction is one
/// cycle, and entering or leaving an exception takes none. It knows neither peripherals nor what a supervisor call means.
package struct CortexM4: Sendable {
  /// What the owner decides once.
  package typealias Settings = ProcessorSettings

  /// Memory, which the host may change between runs.
  package var memory: Memory
  /// What the owner decided.
  package var settings: Settings
  /// Which instructions of the first read-only region were executed.
  package private(set) var coverage: Coverage
  /// Loads of RAM that nobody had written, while ``watchesUnwrittenReads`` is set: the first of each instruction.
  package private(set) var unwrittenReads: [UnwrittenRead] = []

  /// Instructions that were executed one by one: the cycles of runs, without those of loops that were passed over.
  package private(set) var executedInstructions: UInt64 = 0
  /// Whether the last run ended in a loop that changes nothing. Unless something from outside comes (an interrupt, SysTick,
  /// a write to memory or registers), every further run would do nothing but count cycles.
  package private(set) var isSpinning = false

  var state = CoreState()
  private var cache: CodeCache
  private var approval: CodeCache.Approval?
  private var coveredBlocks = CoveredBlocks()
  private var spinHeads = SpinHeads()

  /// A processor that was not reset yet.
  package init(memory: Memory, settings: Settings = Settings()) {
    self.memory = memory
    self.settings = settings
    coverage = Coverage(of: memory.regions.first { $0.kind == .readOnly })
    cache = CodeCache(slots: memory.storage.pages.count)
  }

  /// Executes until the cycle `limit` is reached or something happens that is the owner's. Never executes an instruction
  /// at or after `limit`.
  package mutating func run(until limit: UInt64, bus: inout some PeripheralBus) -> Stop {
    withUnsafeMutablePointer(to: &bus) { pointer in
      run(
        until: limit,
        door: BusDoor(
          read: { pointer.pointee.read($0, $1, at: $2) },
          write: { pointer.pointee.write($0, $1, $2, at: $3) },
          program: { pointer.pointee.program($0, $1, $2, at: $3) },
          interruptLines: { pointer.pointee.interruptLines }))
    }
  }

  private mutating func run(until limit: UInt64, door: BusDoor) -> Stop {
    let storage = memory.ownStorage()
    claimCache(for: storage)
    defer { cache.release() }
    state.fault = nil
    var taken = Coverage(of: nil)
    swap(&taken, &coverage)
    defer { swap(&taken, &coverage) }
    let base = taken.base
    var blocks = CoveredBlocks()
    swap(&blocks, &coveredBlocks)
    defer { swap(&blocks, &coveredBlocks) }
    blocks.prepare(for: cache)
    return blocks.withCounts { counts in
      taken.withBits { bits in
        var context = RunContext(
          state: state, windows: storage.windows, tables: cache.tables, block: cache.scratchBlock, limit: limit,
          storage: storage, cache: cache, settings: settings, door: door, spinHeads: spinHeads, covered: counts,
          coverage: bits, coverageBase: base, unwritten: unwrittenReads)
        return execute(&context)
      }
    }
  }

  /// Executes in a context, and takes over what it then holds.
  private mutating func execute(_ context: inout RunContext) -> Stop {
    let stop = withUnsafeMutablePointer(to: &context) { Core(UnsafeMutableRawPointer($0)).run() }
    executedInstructions += context.state.cycles - state.cycles - context.skipped
    state = context.state
    state.normalise()
    isSpinning = context.isSpinning && stop == .limit
    spinHeads = context.spinHeads
    if context.storage.watchesUnwritten { unwrittenReads = context.unwritten }
    return stop
  }

  /// Takes the decoded code that this processor shares with its copies, or code of its own where theirs does not fit or is
  /// in use.
  private mutating func claimCache(for storage: MemoryStorage) {
    if cache.claim() {
      approval = cache.approve(storage, approval)
      if approval != nil { return }
      cache.release()
    }
    cache = CodeCache(slots: storage.pages.count)
    approval = cache.claim() ? cache.approve(storage, nil) : nil
  }

  /// Whether loads of never-written RAM are noted in ``unwrittenReads``. Costs speed while RAM is young.
  package var watchesUnwrittenReads: Bool {
    get { memory.storage.watchesUnwritten }
    set { memory.ownStorage().setWatching(newValue) }
  }
}

extension CortexM4: Equatable {
  /// Two processors are equal when everything that a program can observe is: registers, exceptions, memory, cycles. What
  /// was noted for reports (coverage, unwritten reads) does not count.
  package static func == (one: CortexM4, other: CortexM4) -> Bool {
    one.state == other.state && one.settings == other.settings && one.memory == other.memory
  }
}
