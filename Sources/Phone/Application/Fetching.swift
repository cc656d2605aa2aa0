import Bytes
import DictofunProtocol
import HostStack

/// The rest of a sync.
struct SyncPlan {
  /// One listed record.
  struct Entry {
    var identifier: RecordIdentifier
    /// The size with which the library knows it; `nil` for one that is new or was never finished.
    var settledSize: UInt32?
  }

  var summary = SyncSummary()
  /// Records whose size is still to be asked for, the next one last.
  var remaining: [Entry] = []
  /// The first record's failure; the sync goes on with the others and then ends with it.
  var firstFailure: PhoneFailure?
}

extension RecordSelection {
  /// The record meant among these; `nil` where there is none.
  func choose(from identifiers: [RecordIdentifier]) -> RecordIdentifier? {
    switch self {
    case .newest: RecordOrder.newestFirst(identifiers).first
    case .oldest: RecordOrder.newestFirst(identifiers).last
    case .identifier(let text): identifiers.first { $0.description == text }
    }
  }

  /// The record meant among these, newest first; `nil` where there is none.
  func choose(from records: [LibraryRecord]) -> LibraryRecord? {
    switch self {
    case .newest: records.first
    case .oldest: records.last
    case .identifier(let text): records.first { $0.identifier.description == text }
    }
  }

  /// The selection as text.
  var description: String {
    switch self {
    case .newest: "newest"
    case .oldest: "oldest"
    case .identifier(let text): text
    }
  }
}

extension PhoneApplication {
  /// Begins an operation on one record of the recorder. The list is needed for newest and oldest, and for an
  /// identifier that is not sixteen digits.
  mutating func beginSelecting(_ selection: RecordSelection, _ effects: inout ApplicationEffects) {
    guard case .identifier(let text) = selection, let identifier = RecordIdentifier(text) else {
      return beginExchange(.listFiles, at: .listing, &effects)
    }
    beginExchange(.fileInformation(identifier), at: .sizing(identifier), &effects)
  }

  /// A request of the running operation was answered.
  mutating func operationAnswered(_ answer: FileExchange.Answer, _ effects: inout ApplicationEffects) {
    guard let running else { preconditionFailure("an exchange ends while no operation runs") }
    switch (running.stage, answer) {
    case (.listing, .list(let identifiers)): listed(identifiers, running.operation, &effects)
    case (.sizing(let identifier), .size(let size)): sized(identifier, size, running, &effects)
    case (.fetching(let identifier, let number), .record(let octets)):
      fetched(identifier, number, octets, &effects)
    case (.checkingSpace, .fileSystem(let status)):
      if case .sync = running.operation { return beginExchange(.receiveComplete, at: .finishing, &effects) }
      let result = PhoneResult.fileSystem(
        free: status.freeBytes, occupied: status.occupiedBytes, count: status.fileCount)
      finish(.success(result), &effects)
    case (.writing, .written): finish(.success(.done), &effects)
    case (.finishing, .written): allowAnswer(configuration.timeouts.finish, &effects)
    default: preconditionFailure("an exchange ended in the answer to another request")
    }
  }

  /// A request of the running operation failed.
  mutating func operationFailed(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    guard let running else { preconditionFailure("an exchange ends while no operation runs") }
    guard case .sync = running.operation else { return fail(failure, &effects) }
    switch (running.stage, failure) {
    // If one record cannot be opened, the others may still be fine: the recorder may have it open.
    case (.sizing, .recordNotFound), (.sizing, .fileSystemCorrupt), (.sizing, .status), (.fetching, .recordNotFound),
      (.fetching, .fileSystemCorrupt), (.fetching, .status):
      self.running?.plan.firstFailure = running.plan.firstFailure ?? failure
      syncNext(&effects)
    default: fail(failure, &effects)
    }
  }

  // MARK: List

  private mutating func listed(
    _ identifiers: [RecordIdentifier], _ operation: PhoneOperation, _ effects: inout ApplicationEffects
  ) {
    guard let link else { preconditionFailure("a list without a link") }
    let plan: ListPlan
    do throws(LibraryFailure) {
      plan = try configuration.library.take(completeList: identifiers, from: link.identity)
    } catch {
      return fail(.library(error.description), &effects)
    }
    switch operation {
    case .inform(let selection), .download(let selection):
      guard let identifier = selection.choose(from: identifiers) else {
        return fail(.recordNotFound(selection.description), &effects)
      }
      beginExchange(.fileInformation(identifier), at: .sizing(identifier), &effects)
    case .sync: beginSync(identifiers, plan, &effects)
    default: finish(.success(.records(identifiers.map(\.description))), &effects)
    }
  }

  /// New records come first, so that a short meeting ends with as many of them as possible; then the sizes of known
  /// ones are compared, because an identifier can come again.
  private mutating func beginSync(
    _ identifiers: [RecordIdentifier], _ plan: ListPlan, _ effects: inout ApplicationEffects
  ) {
    var unfinished = RecordOrder.newestFirst(plan.unfinished)
    if has(.sortsOldestFirst) { unfinished.reverse() }
    // A record at which two syncs ended must not keep the others from arriving.
    let bad = troubledRecords.filter { $0.times >= Self.troubleLimit }.map(\.identifier)
    unfinished = unfinished.filter { !bad.contains($0) } + unfinished.filter(bad.contains)
    let settled = configuration.policies.nothingNew == .saysNothing ? [] : plan.settled
    let entries =
      unfinished.map { SyncPlan.Entry(identifier: $0) }
      + settled.map { SyncPlan.Entry(identifier: $0.identifier, settledSize: $0.size) }
    running?.plan.summary.listed = identifiers.count
    running?.plan.remaining = entries.reversed()
    syncNext(&effects)
  }

  /// After how many syncs that ended at a record it is tried last.
  static let troubleLimit = 2
  /// Records that are remembered for their trouble.
  private static let troubledRecordLimit = 256

  /// An operation failed: a record that was being fetched is remembered.
  mutating func noteTrouble(of operation: RunningOperation) {
    guard case .sync = operation.operation else { return }
    let identifier: RecordIdentifier
    switch operation.stage {
    case .sizing(let sized): identifier = sized
    case .fetching(let fetched, _): identifier = fetched
    default: return
    }
    if let index = troubledRecords.firstIndex(where: { $0.identifier == identifier }) {
      troubledRecords[index].times += 1
    } else if troubledRecords.count < Self.troubledRecordLimit {
      troubledRecords.append((identifier, 1))
    }
  }

  /// Goes on with the next record of a sync, or ends it.
  private mutating func syncNext(_ effects: inout ApplicationEffects) {
    if let entry = running?.plan.remaining.popLast() {
      return beginExchange(.fileInformation(entry.identifier), at: .sizing(entry.identifier), &effects)
    }
    guard let running, case .sync(_, let finishes) = running.operation else {
      preconditionFailure("a sync goes on that does not run")
    }
    if let failure = running.plan.firstFailure { return fail(failure, &effects) }
    let isSilent = configuration.policies.nothingNew == .saysNothing && running.plan.summary.downloaded == 0
    guard finishes, !isSilent else { return finish(.success(.synced(running.plan.summary)), &effects) }
    beginExchange(.fileSystemStatus, at: .checkingSpace, &effects)
  }

  // MARK: Size

  private mutating func sized(
    _ identifier: RecordIdentifier, _ size: UInt32, _ running: RunningOperation, _ effects: inout ApplicationEffects
  ) {
    guard let link else { preconditionFailure("a size without a link") }
    if case .inform = running.operation { return finish(.success(.size(size)), &effects) }
    let decision: DownloadDecision
    do throws(LibraryFailure) {
      decision = try configuration.library.take(size: size, of: identifier, from: link.identity)
    } catch {
      return fail(.library(error.description), &effects)
    }
    var isSync = false
    if case .sync = running.operation { isSync = true }
    switch decision {
    case .download where isTakenForRemoved(identifier, size, link, &effects): syncNext(&effects)
    case .download(let number) where isTakenForKept(identifier, number, link, &effects): syncNext(&effects)
    case .download(let number): fetch(identifier, size, into: number, &effects)
    case .present(let number) where !isSync || has(.redownloadsEverything):
      fetch(identifier, size, into: number, &effects)
    case .present: syncNext(&effects)
    case .removed where has(.requestsRemovedRecords): fetch(identifier, size, into: nil, &effects)
    case .removed where isSync: syncNext(&effects)
    // A record that the user removed is not fetched again, not even by name.
    case .removed: fail(.noSuchRecord, &effects)
    }
  }

  /// Whether a fault takes a record for one that was removed.
  private mutating func isTakenForRemoved(
    _ identifier: RecordIdentifier, _ size: UInt32, _ link: Link, _ effects: inout ApplicationEffects
  ) -> Bool {
    let isByName = has(.takesNamesakesForRemoved)
    guard has(.removesFromAllRecorders) || has(.neverFreesNames) || isByName else { return false }
    let tombstones = consult(&effects) { library throws(LibraryFailure) in try library.tombstones() } ?? []
    let isElsewhere = has(.removesFromAllRecorders)
    return tombstones.contains {
      $0.identifier == identifier && ($0.size == size || isByName) && (isElsewhere || $0.recorder == link.identity)
    }
  }

  /// Whether a fault takes a record for another one of its name that is kept.
  private mutating func isTakenForKept(
    _ identifier: RecordIdentifier, _ number: RecordNumber, _ link: Link, _ effects: inout ApplicationEffects
  ) -> Bool {
    guard has(.takesNamesakesForKept) else { return false }
    let kept = consult(&effects) { library throws(LibraryFailure) in try library.records() } ?? []
    return kept.contains {
      $0.identifier == identifier && $0.recorder == link.identity && $0.number != number && $0.isComplete
    }
  }

  private mutating func fetch(
    _ identifier: RecordIdentifier, _ size: UInt32, into number: RecordNumber?, _ effects: inout ApplicationEffects
  ) {
    exchange.expect(identifier, size: size)
    beginExchange(.fileData(identifier), at: .fetching(identifier, number), &effects)
  }

  // MARK: Data

  private mutating func fetched(
    _ identifier: RecordIdentifier, _ number: RecordNumber?, _ octets: [UInt8], _ effects: inout ApplicationEffects
  ) {
    troubledRecords.removeAll { $0.identifier == identifier }
    if let number {
      do throws(LibraryFailure) {
        try configuration.library.store(octets, in: number, at: timeServer.clock.wallTime(at: now))
      } catch {
        return fail(.library(error.description), &effects)
      }
    }
    effects.append(
      .event(.recordStored(identifier: identifier.description, octets: UInt32(clamping: octets.count))))
    if let number {
      if has(.keepsPositionsByName) { inheritPosition(number, &effects) }
      askForTranscript(of: number, &effects)
    }
    showNewRecords(&effects)
    guard case .sync = running?.operation else {
      return finish(.success(.record(identifier: identifier.description, bytes: octets)), &effects)
    }
    running?.plan.summary.downloaded += 1
    running?.plan.summary.octets += octets.count
    syncNext(&effects)
  }

  /// Shows how much of the record has arrived.
  mutating func showProgress(_ effects: inout ApplicationEffects) {
    let inbox = exchange.inbox
    guard inbox.isOpen else { return }
    let claimed = has(.overstatesProgress) ? min(Int(inbox.size), inbox.received + 1024) : inbox.received
    effects.append(
      .event(
        .progress(identifier: inbox.identifier.description, received: UInt32(clamping: claimed), total: inbox.size)))
  }

  /// The fault of storing an interrupted transfer as complete: the missing part becomes silence.
  mutating func storeTruncated(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    if case .fetching(_, .some(let number)) = running?.stage, exchange.inbox.isOpen {
      let inbox = exchange.inbox
      let missing = max(0, Int(inbox.size) - inbox.received)
      let octets = exchange.takePart() + [UInt8](repeating: 0, count: missing)
      let time = timeServer.clock.wallTime(at: now)
      _ = consult(&effects) { library throws(LibraryFailure) in try library.store(octets, in: number, at: time) }
      effects.append(
        .event(.recordStored(identifier: inbox.identifier.description, octets: UInt32(clamping: octets.count))))
    }
    fail(failure, &effects)
  }

  // MARK: Library

  /// Removes a record from the library; needs no link.
  mutating func delete(_ selection: RecordSelection, _ effects: inout ApplicationEffects) {
    do throws(LibraryFailure) {
      let chosen = has(.removesOldest) && selection == .newest ? RecordSelection.oldest : selection
      guard let chosen = chosen.choose(from: try presentRecords()) else { return fail(.noSuchRecord, &effects) }
      try configuration.library.remove(chosen.number, at: timeServer.clock.wallTime(at: now))
      effects.append(.event(.recordDeleted(identifier: chosen.identifier.description, octets: chosen.size)))
    } catch {
      return fail(.library(error.description), &effects)
    }
    showNewRecords(&effects)
    finish(.success(.done), &effects)
  }
}
