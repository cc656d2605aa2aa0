/// A page of memory: its octets, and behind them one mark for each word that was ever written.
///
/// Pages are shared between copies of a memory. Whoever wants to write makes sure first that nobody else holds the page.
final class Page: @unchecked Sendable {
  /// Octets of content.
  static let size = 4096
  /// One mark a word.
  static let marks = size / 4

  let base: UnsafeMutableRawPointer

  /// A page filled with one octet and never written.
  init(fill: UInt8) {
    base = .allocate(byteCount: Self.size + Self.marks, alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: fill, count: Self.size)
    (base + Self.size).initializeMemory(as: UInt8.self, repeating: 0, count: Self.marks)
  }

  init(copying other: Page) {
    base = .allocate(byteCount: Self.size + Self.marks, alignment: 16)
    base.copyMemory(from: other.base, byteCount: Self.size + Self.marks)
  }

  deinit { base.deallocate() }

  /// Whether two pages hold the same octets and the same marks.
  func hasSameContent(as other: Page) -> Bool {
    if self === other { return true }
    let count = (Self.size + Self.marks) / 8
    let mine = base.assumingMemoryBound(to: UInt64.self)
    let theirs = other.base.assumingMemoryBound(to: UInt64.self)
    for index in 0..<count where mine[index] != theirs[index] { return false }
    return true
  }
}
