/// A paged address space with value semantics: a copy costs nothing until one of the two is written, and then one page
/// at a time.
///
/// What stands here is the way of the host (DMA, loaders, answers to supervisor calls): it takes any address and any
/// length, and throws where a guest would have met a bus fault. The processor reads and writes the same pages.
package struct Memory: Sendable {
  /// Octets in a page, the unit of copying.
  package static let pageSize = Page.size

  private(set) var storage: MemoryStorage

  /// Makes a memory of regions. Throws `layout` when one is empty, overlaps another one, is not a multiple of the page size
  /// or crosses a 256 MiB boundary.
  package init(regions: [MemoryRegion]) throws(MemoryFault) {
    storage = try MemoryStorage(regions: regions)
  }

  /// The regions, in the order given.
  package var regions: [MemoryRegion] { storage.regions }

  /// Changes whenever a read-only region may have changed, such as flash by whoever programs it. Two equal values mean equal
  /// contents of a memory and its copies; the numbers themselves mean nothing and differ from run to run.
  package var readOnlyVersion: UInt64 { storage.readOnlyContent.number }

  /// Returns `count` octets from an address on. Throws `unmapped` with the first address that no region holds.
  package func read(_ address: UInt32, count: Int) throws(MemoryFault) -> [UInt8] {
    guard count > 0 else { return [] }
    try check(address, count, mayWriteReadOnly: true)
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    try forEachPiece(of: address, count) { (slot, offset, _, length) throws(MemoryFault) in
      guard let base = storage.content(ofSlot: slot) else { return }
      octets.append(contentsOf: UnsafeRawBufferPointer(start: base + offset, count: length))
    }
    return octets
  }

  /// Returns the octet at an address. Throws `unmapped`.
  package func readByte(_ address: UInt32) throws(MemoryFault) -> UInt8 {
    guard let slot = storage.slot(of: address), let base = storage.content(ofSlot: slot) else {
      throw MemoryFault(.unmapped, at: address)
    }
    return base.load(fromByteOffset: Int(address & 0xFFF), as: UInt8.self)
  }

  /// Returns the little-endian half-word at an address of any alignment. Throws `unmapped`.
  package func readHalfword(_ address: UInt32) throws(MemoryFault) -> UInt16 {
    UInt16(try readByte(address)) | UInt16(try readByte(address &+ 1)) << 8
  }

  /// Returns the little-endian word at an address of any alignment. Throws `unmapped`.
  package func readWord(_ address: UInt32) throws(MemoryFault) -> UInt32 {
    UInt32(try readHalfword(address)) | UInt32(try readHalfword(address &+ 2)) << 16
  }

  /// Writes octets to RAM; all of them or, when it throws, none. Throws `unmapped` or `readOnly` with the first address
  /// that cannot be written.
  package mutating func write(_ octets: [UInt8], at address: UInt32) throws(MemoryFault) {
    try check(address, octets.count, mayWriteReadOnly: false)
    try put(octets, at: address)
  }

  /// Writes octets to any region, flash as well; all of them or, when it throws, none. Throws `unmapped`.
  package mutating func load(_ octets: [UInt8], at address: UInt32) throws(MemoryFault) {
    try check(address, octets.count, mayWriteReadOnly: true)
    try put(octets, at: address)
  }

  /// Writes one octet to RAM. Throws `unmapped` or `readOnly`.
  package mutating func writeByte(_ value: UInt8, at address: UInt32) throws(MemoryFault) {
    try write([value], at: address)
  }

  /// Writes a little-endian half-word to RAM, at any alignment. Throws `unmapped` or `readOnly`.
  package mutating func writeHalfword(_ value: UInt16, at address: UInt32) throws(MemoryFault) {
    try write([UInt8(truncatingIfNeeded: value), UInt8(value >> 8)], at: address)
  }

  /// Writes a little-endian word to RAM, at any alignment. Throws `unmapped` or `readOnly`.
  package mutating func writeWord(_ value: UInt32, at address: UInt32) throws(MemoryFault) {
    try write((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }, at: address)
  }

  /// Whether the word that holds an address was ever written, by the guest or the host; false where nothing is mapped.
  package func isWritten(_ address: UInt32) -> Bool {
    guard let slot = storage.slot(of: address), let base = storage.content(ofSlot: slot) else { return false }
    return base.load(fromByteOffset: Page.size + Int(address & 0xFFF) / 4, as: UInt8.self) != 0
  }

  /// Forgets what stands in RAM, as when power was gone: all of it holds its first content and counts as never written.
  package mutating func clearRAM() { ownStorage().clearWritable() }

  /// The storage for a series of guest accesses: this memory's own, with its pages copied when they are first written.
  mutating func ownStorage() -> MemoryStorage {
    if isKnownUniquelyReferenced(&storage) {
      storage.reclaim()
    } else {
      storage = storage.copy()
    }
    return storage
  }

  private mutating func put(_ octets: [UInt8], at address: UInt32) throws(MemoryFault) {
    let storage = ownStorage()
    try forEachPiece(of: address, octets.count) { (slot, offset, done, length) throws(MemoryFault) in
      guard let base = storage.ownedPage(ofSlot: slot) else { return }
      octets.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(start: base + offset, count: length)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[done..<done + length]))
      }
      (base + Page.size + offset / 4).initializeMemory(
        as: UInt8.self, repeating: 1, count: (offset + length + 3) / 4 - offset / 4)
    }
  }

  private func check(_ address: UInt32, _ count: Int, mayWriteReadOnly: Bool) throws(MemoryFault) {
    try forEachPiece(of: address, count) { (slot, offset, done, _) throws(MemoryFault) in
      if !mayWriteReadOnly, storage.kind(ofSlot: slot) == .readOnly {
        throw MemoryFault(.readOnly, at: address &+ UInt32(truncatingIfNeeded: done))
      }
    }
  }

  /// Walks over the pages that a span touches: slot, offset in the page, octets before it, octets in it.
  private func forEachPiece(
    of address: UInt32, _ count: Int, _ body: (Int, Int, Int, Int) throws(MemoryFault) -> Void
  ) throws(MemoryFault) {
    var done = 0
    while done < count {
      let (position, hasWrapped) = Int(address).addingReportingOverflow(done)
      guard !hasWrapped, position <= Int(UInt32.max) else { throw MemoryFault(.unmapped, at: 0) }
      let place = UInt32(position)
      guard let slot = storage.slot(of: place) else { throw MemoryFault(.unmapped, at: place) }
      let offset = Int(place & 0xFFF)
      let length = min(count - done, Page.size - offset)
      try body(slot, offset, done, length)
      done += length
    }
  }
}

extension Memory: Equatable {
  /// Two memories are equal when they have the same regions with the same octets, and the same words were written.
  package static func == (one: Memory, other: Memory) -> Bool {
    if one.storage === other.storage { return true }
    guard one.regions == other.regions else { return false }
    return zip(one.storage.pages, other.storage.pages).allSatisfy { mine, theirs in
      guard let mine, let theirs else { return mine == nil && theirs == nil }
      return mine.hasSameContent(as: theirs)
    }
  }
}
