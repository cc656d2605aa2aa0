import DictofunProtocol

/// One entry of the recorder's file table.
struct StoredRecord: Hashable, Sendable {
  /// The record's name.
  var identifier: RecordIdentifier
  /// Octets in flash so far; whole pages only, until the record is finished.
  var content: [UInt8]
  /// Whether its size was written, which is the last step of making a record.
  var isFinished: Bool
  /// Whether all of it was sent at least once.
  var isDelivered = false
  /// Whether the phone said that it has everything, after this was sent.
  var isConfirmed = false

  /// Octets that count as occupied: the exact size, or what an unfinished record has taken from the flash.
  var occupiedBytes: Int { isFinished ? content.count : FileSystemGeometry.extent(ofFileSize: content.count) }
}

/// The recorder's flash: files one after the other, a table of descriptors, no way to erase one file alone.
///
/// Every change is a sequence of operations on the flash. Each of them happens or does not, and power can fail at each.
/// A record counts only when its size has been written.
struct RecordStorage: Hashable, Sendable {
  /// All entries of the table, in the order they were made.
  private(set) var entries: [StoredRecord] = []
  /// Bytes of flash from the first file to the end of the last.
  private var usedBytes = FileSystemGeometry.tableBytes
  /// Index of the entry that is being written.
  private(set) var openEntry: Int?

  /// Operations on the flash since the recorder was made.
  private(set) var operationCount = 0
  /// How many operations are left before power fails; the one after them does not happen.
  private(set) var operationsBeforePowerFails: Int?
  /// Whether power failed at an operation; nothing is written any more.
  private(set) var hasPowerFailed = false
  /// Whether power failed since the file system was mounted last.
  private var wasCut = false
  /// Whether an erasure was begun and not ended.
  private(set) var isErasing = false

  /// Used octets above which the flash is nearly full: nine tenths, as the firmware has it.
  private static let nearlyFullBytes = FileSystemGeometry.capacityBytes / 10 * 9

  /// An empty, formatted flash.
  init() {}

  /// A flash as it was left without power: its entries, whether one was being written or an operation failed, and
  /// whether an erasure was begun and not ended.
  init(entries: [StoredRecord], wasCut: Bool, isErasing: Bool) {
    self.entries = entries
    self.wasCut = wasCut
    self.isErasing = isErasing
    usedBytes += entries.reduce(0) { $0 + FileSystemGeometry.extent(ofFileSize: $1.content.count) }
  }

  /// Whether power went while something was being written.
  var isInterrupted: Bool { wasCut || hasPowerFailed || openEntry != nil }

  // MARK: Power

  /// Lets power fail at an operation: the first from now when `skipping` is 0.
  mutating func failPower(skipping operations: Int) { operationsBeforePowerFails = operations }

  /// Power is back.
  mutating func regainPower() {
    if hasPowerFailed { wasCut = true }
    hasPowerFailed = false
  }

  /// The firmware starts: what was not finished stays unfinished, a half erased flash is formatted. Where a cut
  /// during an operation `losesRecords`, the whole flash is.
  mutating func mount(losesRecords: Bool) {
    regainPower()
    let wasCut = openEntry != nil || wasCut
    self.wasCut = false
    if let openEntry { usedBytes += FileSystemGeometry.extent(ofFileSize: entries[openEntry].content.count) }
    openEntry = nil
    if isErasing || wasCut && losesRecords { erase() }
  }

  /// Power went while the recorder was on, at no operation in particular.
  mutating func powerLost() {
    hasPowerFailed = true
    operationsBeforePowerFails = nil
  }

  /// Whether the next operation happens, on this flash or on the chip's own.
  mutating func operate() -> Bool {
    guard !hasPowerFailed else { return false }
    if let left = operationsBeforePowerFails {
      guard left > 0 else {
        powerLost()
        return false
      }
      operationsBeforePowerFails = left - 1
    }
    operationCount += 1
    return true
  }

  // MARK: Making records

  /// Octets that a new record may have.
  var roomForRecord: Int {
    guard entries.count < FileSystemGeometry.maximumFiles else { return 0 }
    return max(0, FileSystemGeometry.capacityBytes - usedBytes - FileSystemGeometry.pageBytes)
  }

  /// Puts a new entry into the table. Returns whether there is room and power for it.
  mutating func create(_ identifier: RecordIdentifier) -> Bool {
    precondition(openEntry == nil, "one record is written at a time")
    guard roomForRecord >= FileSystemGeometry.pageBytes, operate() else { return false }
    openEntry = entries.count
    entries.append(StoredRecord(identifier: identifier, content: [], isFinished: false))
    return true
  }

  /// Writes a page or, at the end, less. Returns whether power held.
  @discardableResult
  mutating func append(_ page: [UInt8]) -> Bool {
    guard let openEntry else { preconditionFailure("a page belongs to a record that is being written") }
    precondition(page.count <= FileSystemGeometry.pageBytes, "a page has 256 octets at most")
    guard operate() else { return false }
    entries[openEntry].content += page
    return true
  }

  /// Ends the record that is being written: its size makes it count. Returns it when power held.
  mutating func finish() -> StoredRecord? {
    guard let openEntry else { preconditionFailure("only a record that is being written can be finished") }
    guard operate() else { return nil }
    entries[openEntry].isFinished = true
    usedBytes += FileSystemGeometry.extent(ofFileSize: entries[openEntry].content.count)
    self.openEntry = nil
    return entries[openEntry]
  }

  /// Puts a finished record into the flash as if it had been made before; it is left out where it does not fit.
  mutating func place(_ identifier: RecordIdentifier, _ content: [UInt8]) -> Bool {
    let extent = FileSystemGeometry.extent(ofFileSize: content.count)
    guard entries.count < FileSystemGeometry.maximumFiles, usedBytes + extent <= FileSystemGeometry.capacityBytes
    else { return false }
    usedBytes += extent
    entries.append(StoredRecord(identifier: identifier, content: content, isFinished: true))
    return true
  }

  // MARK: Reading

  /// Index of the first finished record of that name.
  func index(of identifier: RecordIdentifier, includingUnfinished: Bool = false) -> Int? {
    entries.firstIndex { $0.identifier == identifier && ($0.isFinished || includingUnfinished) }
  }

  /// Finished records, in the order they were made.
  var finished: [StoredRecord] { entries.filter(\.isFinished) }

  /// What the file system says of itself: unfinished records take room and are not counted.
  var status: FileSystemStatus {
    let occupied = entries.reduce(FileSystemGeometry.tableBytes) { $0 + $1.occupiedBytes }
    return FileSystemStatus(
      freeBytes: UInt32(clamping: FileSystemGeometry.capacityBytes - occupied),
      occupiedBytes: UInt32(clamping: occupied),
      fileCount: UInt32(clamping: entries.count(where: \.isFinished)))
  }

  // MARK: Delivery

  /// Notes that all of a record was sent.
  mutating func markDelivered(_ index: Int) {
    guard !entries[index].isDelivered, operate() else { return }
    entries[index].isDelivered = true
  }

  /// Notes that the phone has everything it was sent. Returns how many records that newly confirms.
  mutating func confirmDelivered(includingUnsent: Bool = false) -> Int {
    var count = 0
    for index in entries.indices
    where (entries[index].isDelivered || includingUnsent) && !entries[index].isConfirmed {
      guard operate() else { return count }
      entries[index].isConfirmed = true
      count += 1
    }
    return count
  }

  /// Gives every record that was sent a name one second later.
  mutating func renameDelivered() {
    for index in entries.indices where entries[index].isDelivered {
      guard let date = entries[index].identifier.date else { continue }
      entries[index].identifier = RecordIdentifier(date.adding(seconds: 1))
    }
  }

  // MARK: Making room

  /// Whether the flash should be formatted when the recorder switches itself off.
  func wantsFormat(_ profile: RecorderProfile) -> Bool {
    if profile.faults.storage.erasesUnconfirmed, entries.contains(where: \.isDelivered),
      !entries.contains(where: \.isConfirmed)
    {
      return true
    }
    // The published firmware counts what records have, not the pages that they take, and never finds too many of them.
    let isNearlyFull =
      switch profile.policies.format {
      case .confirmedOnly:
        usedBytes > Self.nearlyFullBytes || entries.count >= FileSystemGeometry.maximumFiles
      case .nearlyFull: status.occupiedBytes > Self.nearlyFullBytes
      }
    guard isNearlyFull else { return false }
    if profile.faults.storage.formatsWhenOneIsConfirmed, entries.contains(where: \.isConfirmed) { return true }
    switch profile.policies.format {
    case .confirmedOnly: return entries.allSatisfy { $0.isConfirmed || !$0.isFinished }
    case .nearlyFull: return true
    }
  }

  /// Erases all files: the table first, then the rest. Returns how many records are gone, or `nil` when power
  /// failed on the way. With `keepsRoom`, a fault, what they took stays taken.
  mutating func format(keepsRoom: Bool = false) -> Int? {
    guard operate() else { return nil }
    isErasing = true
    guard operate() else { return nil }
    let count = entries.count(where: \.isFinished)
    let taken = usedBytes
    erase()
    if keepsRoom { usedBytes = taken }
    return count
  }

  private mutating func erase() {
    entries = []
    usedBytes = FileSystemGeometry.tableBytes
    isErasing = false
  }
}
