import CLinux

/// How the C library hands out memory.
package enum Allocator {
  /// Lets large blocks come from memory that was used before. Unless it is told otherwise, glibc maps each block of more
  /// than 128 KiB anew, gives it back when it is freed, and each page costs a fault when it is first touched: that was a
  /// fifth of a long download, whose record grows through such blocks (mallopt(3)).
  package static func reusesLargeBlocks() {
    _ = mallopt(M_MMAP_THRESHOLD, largestBlock)
    // The limit that glibc takes for blocks of this size when it finds the threshold by itself.
    _ = mallopt(M_TRIM_THRESHOLD, 2 * largestBlock)
  }

  /// The most that glibc allows.
  private static let largestBlock: Int32 = 32 << 20
}
