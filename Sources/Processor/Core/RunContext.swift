/// What the handlers of instructions reach through one pointer while a run goes on.
struct RunContext {
  /// First, so that the registers stand where the context does.
  var state: CoreState
  var windows: UnsafeMutablePointer<MemoryStorage.Window>
  /// The blocks of each slot.
  let tables: UnsafeMutablePointer<CodeCache.Table?>
  /// The block being executed.
  var block: UnsafeMutablePointer<CodeBlock>
  /// The kept block that was executed last; nil if there was none in this run, or if it is not kept.
  var previous: UnsafeMutablePointer<CodeBlock>?
  /// Operations executed of the block that was left last.
  var executed = 0
  /// Where the run ends.
  let limit: UInt64
  /// Where executing has to pause: the limit, or SysTick before it.
  var horizon: UInt64 = 0
  private(set) var stop: Stop?
  /// Whether an exception may have become pending, priorities have changed, or the run ends.
  var mustLook = true
  /// Whether the branch that ended the block went backward.
  var wentBackward = false
  /// Counts what a spinning loop would not do: accesses to the bus, reads of clocks.
  var touches: UInt64 = 0
  var storeLog = StoreLog()
  /// Whether the loop being executed changes nothing. Only what comes from outside ends it.
  var isSpinning = false
  /// Cycles passed over in such loops.
  var skipped: UInt64 = 0
  let storage: MemoryStorage
  let cache: CodeCache
  let settings: ProcessorSettings
  let door: BusDoor
  /// Where loops were found that change nothing.
  var spinHeads: SpinHeads
  /// Operations of each block that are noted in `coverage`.
  let covered: UnsafeMutableBufferPointer<UInt8>
  let coverage: UnsafeMutableBufferPointer<UInt64>
  let coverageBase: UInt32
  var unwritten: [UnwrittenRead]

  /// Ends the run behind the block that is being executed.
  mutating func end(with stop: Stop) {
    self.stop = stop
    mustLook = true
  }

  /// Takes what ends the run.
  mutating func takeStop() -> Stop? {
    defer { stop = nil }
    return stop
  }
}

/// The bus of a run, behind calls. Only accesses outside of memory come here, and stores to read-only memory.
struct BusDoor {
  let read: (UInt32, AccessWidth, UInt64) -> BusRead
  let write: (UInt32, AccessWidth, UInt32, UInt64) -> BusWrite
  let program: (UInt32, AccessWidth, UInt32, UInt64) -> BusWrite
  let interruptLines: () -> UInt64
}
