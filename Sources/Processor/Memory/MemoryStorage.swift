import Synchronization

/// The tables behind ``Memory``: which page backs which address, and which pages may be written without asking.
///
/// The upper four bits of an address choose a window, the rest a page of that window. A window's table of readable pages
/// has an address for each mapped page. Its table of writable pages has one only for RAM pages that no other memory
/// shares, so that the first store to a shared page takes the slow way and copies it.
final class MemoryStorage: @unchecked Sendable {
  struct Window {
    var readable: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    var writable: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// Pages that the tables cover, from the window's first address.
    var count: UInt32
    /// Where the window's first page stands in `pages`.
    var firstSlot: Int
  }

  static let windowCount = 16

  /// Changes whenever a page of a read-only region may have changed.
  private(set) var readOnlyContent = ChangeMark()
  let regions: [MemoryRegion]
  let windows: UnsafeMutablePointer<Window>
  private let tables: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let slots: Int
  /// From the first to the last page that the guest may write.
  private let writableSlots: Range<Int>
  /// The page of each slot; nil where no region maps one.
  @exclusivity(unchecked) private(set) var pages: [Page?]
  private let kinds: [MemoryRegion.Kind]
  /// Set by whoever copied this storage: its pages are shared since.
  private let isShared = Atomic<Bool>(false)
  /// Whether reads of never-written words take the slow way, where they are noted.
  @exclusivity(unchecked) private(set) var watchesUnwritten = false

  init(regions: [MemoryRegion]) throws(MemoryFault) {
    try Self.check(regions)
    var counts = [Int](repeating: 0, count: Self.windowCount)
    for region in regions {
      let window = Int(region.base >> 28)
      counts[window] = max(counts[window], (Int(region.base & 0x0FFF_FFFF) + region.size) / Page.size)
    }
    var pages: [Page?] = []
    var kinds: [MemoryRegion.Kind] = []
    for window in 0..<Self.windowCount {
      let first = pages.count
      pages.append(contentsOf: repeatElement(nil, count: counts[window]))
      kinds.append(contentsOf: repeatElement(.readOnly, count: counts[window]))
      for region in regions where Int(region.base >> 28) == window {
        let blank = Page(fill: region.fill)
        let start = first + Int(region.base & 0x0FFF_FFFF) / Page.size
        for slot in start..<start + region.size / Page.size {
          pages[slot] = blank
          kinds[slot] = region.kind
        }
      }
    }
    self.regions = regions
    self.pages = pages
    self.kinds = kinds
    slots = pages.count
    writableSlots = (kinds.firstIndex(of: .readWrite) ?? 0)..<(kinds.lastIndex(of: .readWrite).map { $0 + 1 } ?? 0)
    (windows, tables) = Self.makeTables(counts)
    fillTables()
  }

  private init(copying other: MemoryStorage) {
    regions = other.regions
    pages = other.pages
    kinds = other.kinds
    slots = other.slots
    writableSlots = other.writableSlots
    watchesUnwritten = other.watchesUnwritten
    (windows, tables) = Self.makeTables((0..<Self.windowCount).map { Int(other.windows[$0].count) })
    fillTables()
  }

  deinit {
    windows.deallocate()
    tables.deallocate()
  }

  /// A storage of its own with the same content. From now on both share every page.
  func copy() -> MemoryStorage {
    isShared.store(true, ordering: .releasing)
    return MemoryStorage(copying: self)
  }

  /// To be called before a series of accesses: forgets which pages may be written at once if a copy was made.
  func reclaim() {
    if isShared.exchange(false, ordering: .acquiringAndReleasing) { disown() }
  }

  /// Makes every first store to a page take the slow way again.
  func disown() {
    for slot in writableSlots { tables[slots + slot] = nil }
  }

  /// The slot of an address; nil where nothing is mapped.
  func slot(of address: UInt32) -> Int? {
    let window = windows[Int(address >> 28)]
    let page = (address & 0x0FFF_FFFF) >> 12
    guard page < window.count, pages[window.firstSlot + Int(page)] != nil else { return nil }
    return window.firstSlot + Int(page)
  }

  /// Gives every page that the guest may write its first content: never written.
  func clearWritable() {
    for region in regions where region.kind == .readWrite {
      guard let first = slot(of: region.base) else { continue }
      let blank = Page(fill: region.fill)
      for slot in first..<first + region.size / Page.size { pages[slot] = blank }
    }
    disown()
    fillTables()
  }

  /// The kind of the region that a mapped slot belongs to.
  func kind(ofSlot slot: Int) -> MemoryRegion.Kind { kinds[slot] }

  /// The page of a mapped slot, for reading.
  func content(ofSlot slot: Int) -> UnsafeMutableRawPointer? { pages[slot]?.base }

  /// The page of a mapped slot, for writing: copied first if another memory holds it too. With `staysOpen` further stores
  /// of the guest go to it at once.
  func ownedPage(ofSlot slot: Int, staysOpen: Bool = true) -> UnsafeMutableRawPointer? {
    if !isKnownUniquelyReferenced(&pages[slot]) {
      guard let page = pages[slot] else { return nil }
      pages[slot] = Page(copying: page)
    }
    guard let base = pages[slot]?.base else { return nil }
    if kinds[slot] == .readOnly { readOnlyContent = ChangeMark() }
    tables[slot] = watchesUnwritten && hasUnwritten(base, slot) ? nil : base
    if staysOpen, kinds[slot] == .readWrite { tables[slots + slot] = base }
    return base
  }

  /// Whether an address lies in RAM and its word was never written.
  func isUnwrittenRAM(_ address: UInt32) -> Bool {
    guard let slot = slot(of: address), kinds[slot] == .readWrite, let base = content(ofSlot: slot) else {
      return false
    }
    return base.load(fromByteOffset: Page.size + Int(address & 0xFFF) / 4, as: UInt8.self) == 0
  }

  /// Starts or stops sending reads of RAM pages with never-written words the slow way.
  func setWatching(_ isOn: Bool) {
    watchesUnwritten = isOn
    fillTables()
  }

  private func fillTables() {
    for slot in 0..<slots {
      guard let base = pages[slot]?.base else { continue }
      tables[slot] = watchesUnwritten && hasUnwritten(base, slot) ? nil : base
    }
  }

  private func hasUnwritten(_ base: UnsafeMutableRawPointer, _ slot: Int) -> Bool {
    guard kinds[slot] == .readWrite else { return false }
    let marks = UnsafeRawBufferPointer(start: base + Page.size, count: Page.marks)
    return marks.contains(0)
  }

  private static func makeTables(
    _ counts: [Int]
  ) -> (UnsafeMutablePointer<Window>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    let slots = counts.reduce(0, +)
    let tables = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 2 * slots + 1)
    tables.initialize(repeating: nil, count: 2 * slots + 1)
    let windows = UnsafeMutablePointer<Window>.allocate(capacity: windowCount)
    var first = 0
    for (index, count) in counts.enumerated() {
      let window = Window(
        readable: tables + first, writable: tables + slots + first, count: UInt32(count), firstSlot: first)
      (windows + index).initialize(to: window)
      first += count
    }
    return (windows, tables)
  }

  private static func check(_ regions: [MemoryRegion]) throws(MemoryFault) {
    for (index, region) in regions.enumerated() {
      let offset = Int(region.base & 0x0FFF_FFFF)
      let fits =
        region.size > 0 && region.size % Page.size == 0 && offset % Page.size == 0
        && region.size <= 0x1000_0000 - offset
      let isAlone = regions[..<index].allSatisfy { other in
        Int(other.base) + other.size <= Int(region.base) || Int(region.base) + region.size <= Int(other.base)
      }
      if !fits || !isAlone { throw MemoryFault(.layout, at: region.base) }
    }
  }
}
