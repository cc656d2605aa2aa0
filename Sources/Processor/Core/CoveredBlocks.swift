/// How much of each decoded block a processor has executed and noted, so that it is noted once.
struct CoveredBlocks: Sendable {
  /// Blocks that may be decoded in a run before there is no room for them.
  private static let room = 1 << 10

  /// Operations from the first on, by the number of the block.
  private var counts: [UInt8] = []
  private var mark: ChangeMark?

  /// Makes room for the blocks of a cache, and forgets those of another one.
  mutating func prepare(for cache: CodeCache) {
    if mark != cache.blockMark {
      counts.removeAll(keepingCapacity: true)
      mark = cache.blockMark
    }
    let missing = cache.blockCount + Self.room / 2 - counts.count
    if missing > 0 { counts.append(contentsOf: repeatElement(0, count: missing + Self.room / 2)) }
  }

  mutating func withCounts<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
    counts.withUnsafeMutableBufferPointer { body($0) }
  }
}
