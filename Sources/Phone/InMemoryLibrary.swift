import Bytes
import DictofunProtocol
import HostStack

/// A library that forgets with its process: the plainest form of the rules that every ``PhoneLibrary`` keeps.
public final class InMemoryLibrary: PhoneLibrary {
  private struct Entry {
    var record: LibraryRecord
    var content: [UInt8]?
  }

  private var currentPairing: RecorderPairing?
  private var entries: [Entry] = []
  private var nextSerial: Int64 = 1
  private var changes: [ConnectionHistory.Entry] = []

  /// An empty library.
  public init() {}

  /// The pairing as it was set last.
  public func pairing() throws(LibraryFailure) -> RecorderPairing? { currentPairing }

  /// Replaces the pairing.
  public func setPairing(_ pairing: RecorderPairing?) throws(LibraryFailure) { currentPairing = pairing }

  /// Every record and tombstone, newest identifier first.
  public func records() throws(LibraryFailure) -> [LibraryRecord] {
    entries.map(\.record).sorted { left, right in
      left.identifier == right.identifier ? left.serial > right.serial : left.identifier > right.identifier
    }
  }

  /// The octets of a record, found by its serial number.
  public func content(of record: LibraryRecord) throws(LibraryFailure) -> [UInt8]? {
    entries.first { $0.record.serial == record.serial }?.content
  }

  /// Takes records that the list lacks out of the comparison for good.
  public func observeList(
    _ identifiers: [RecordIdentifier], of recorder: BluetoothAddress
  ) throws(LibraryFailure) {
    let listed = Set(identifiers)
    for index in entries.indices where entries[index].record.recorder == recorder {
      if !listed.contains(entries[index].record.identifier) { entries[index].record.isListed = false }
    }
  }

  /// Compares with the records still listed, by identifier and size.
  public func standing(
    of identifier: RecordIdentifier, octets: UInt32, in recorder: BluetoothAddress
  ) throws(LibraryFailure) -> RecordStanding {
    guard let index = listedEntry(identifier, recorder, octets: octets) else { return .new }
    return entries[index].record.isRemoved ? .removed : .held
  }

  /// Compares with the records still listed, by identifier alone.
  public func isKnown(
    _ identifier: RecordIdentifier, in recorder: BluetoothAddress
  ) throws(LibraryFailure) -> Bool {
    listedEntry(identifier, recorder, octets: nil) != nil
  }

  /// Adds a record or replaces the same one.
  public func store(
    _ identifier: RecordIdentifier, content: [UInt8], of recorder: BluetoothAddress, at time: LocalSeconds
  ) throws(LibraryFailure) {
    let octets = UInt32(clamping: content.count)
    if let index = listedEntry(identifier, recorder, octets: octets) {
      entries[index].content = content
      entries[index].record.isRemoved = false
      entries[index].record.storedAt = time
      return
    }
    while let index = listedEntry(identifier, recorder, octets: nil) { entries[index].record.isListed = false }
    let record = LibraryRecord(
      serial: nextSerial, recorder: recorder, identifier: identifier, octets: octets, storedAt: time)
    nextSerial += 1
    entries.append(Entry(record: record, content: content))
  }

  /// Drops the octets and keeps the entry as a tombstone.
  public func remove(_ record: LibraryRecord) throws(LibraryFailure) {
    guard let index = entries.firstIndex(where: { $0.record.serial == record.serial }) else { return }
    entries[index].content = nil
    entries[index].record.isRemoved = true
  }

  /// Adds to the history and drops the oldest entry where it is full.
  public func append(_ entry: ConnectionHistory.Entry) throws(LibraryFailure) {
    if changes.count >= ConnectionHistory.maximumCount { changes.removeFirst() }
    changes.append(entry)
  }

  /// The last entries of the history, newest first.
  public func history(limit: Int) throws(LibraryFailure) -> [ConnectionHistory.Entry] {
    changes.suffix(max(0, limit)).reversed()
  }

  private func listedEntry(_ identifier: RecordIdentifier, _ recorder: BluetoothAddress, octets: UInt32?) -> Int? {
    entries.firstIndex {
      $0.record.isListed && $0.record.identifier == identifier && $0.record.recorder == recorder
        && (octets == nil || $0.record.octets == octets)
    }
  }
}
