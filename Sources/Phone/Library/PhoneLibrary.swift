import Bytes
import Charts
import DictofunProtocol
import HostStack

/// Everything that a phone remembers: records, bonds, the paired recorder, the history of its connections and the
/// firmware of recorders.
///
/// It is a reference to one SQLite database, and survives the application that uses it. Each method is one
/// transaction or one statement, so whenever the program is killed, it has happened completely or not at all.
///
/// The phone knows a listed record when identifier and size agree and it was in every complete list in between. So a
/// record and a tombstone carry a mark, *listed*: set when it is found, cleared for good by the first complete list
/// without it. An identifier without a marked entry names a new record.
public final class PhoneLibrary {
  let database: Database
  let recordTable: RecordTable
  private let tombstoneTable: TombstoneTable
  private let bondTable: BondTable
  private let pairedRecorderTable: PairedRecorderTable
  private let historyTable: ConnectionHistoryTable
  private let ownAddressTable: OwnAddressTable
  private let refusedFirmwareTable: RefusedFirmwareTable
  private let installedFirmwareTable: InstalledFirmwareTable
  private let pendingUpdateTable: PendingUpdateTable
  /// Where its database came from and returns to; `nil` for one of its own.
  private let stock: LibraryStock?
  /// What happened to its entries since it was opened.
  private var entryLog = TransitionLog()
  /// The chart on which its entries move.
  var entryChart = RecordEntry.chart

  /// Opens the library, or makes an empty one. `gate` sees every statement, from the first.
  ///
  /// Throws `file` where the file cannot be made private, `notALibrary` and `newerSchema` where it is not a library of
  /// this program, and `database` for anything else, such as another program that has it open.
  public convenience init(
    _ location: LibraryLocation = .memory, gate: StatementGate? = nil
  ) throws(LibraryFailure) {
    let database = try Database(location, gate: gate)
    try Schema.prepare(database, at: location)
    self.init(database, of: nil)
  }

  /// Makes an empty library in memory, on a database of a stock.
  public convenience init(from stock: LibraryStock) throws(LibraryFailure) {
    self.init(try stock.lend(), of: stock)
  }

  private init(_ database: Database, of stock: LibraryStock?) {
    self.database = database
    self.stock = stock
    recordTable = RecordTable(database: database)
    tombstoneTable = TombstoneTable(database: database)
    bondTable = BondTable(database: database)
    pairedRecorderTable = PairedRecorderTable(database: database)
    historyTable = ConnectionHistoryTable(database: database)
    ownAddressTable = OwnAddressTable(database: database)
    refusedFirmwareTable = RefusedFirmwareTable(database: database)
    installedFirmwareTable = InstalledFirmwareTable(database: database)
    pendingUpdateTable = PendingUpdateTable(database: database)
  }

  deinit { stock?.takeBack(database) }
}

extension PhoneLibrary {
  /// What happened to its entries since it was opened, statements that failed later included.
  package var chartLog: ChartLog { ChartLog(entryChart.name, entryLog) }

  /// The state of an entry after an event. Throws `impossible` where the chart has no such transition.
  private func move(
    _ state: LibraryEntryState, on event: LibraryEntryEvent
  ) throws(LibraryFailure) -> LibraryEntryState {
    var state = state
    guard entryChart.move(&state, on: event, &entryLog) else {
      throw .impossible("\(event.words) of a record that is \(state.words)")
    }
    return state
  }
}

// MARK: - Records

/// The consequences of a complete list.
package struct ListPlan: Hashable, Sendable {
  /// Identifiers whose size must be asked for: new records, and known ones whose content never arrived. In the order
  /// of the list.
  package var unfinished: [RecordIdentifier]
  /// Records that are here or were removed, as far as their size still agrees. In the order of the list.
  package var settled: [SettledRecord]
  /// Entries of the list that repeat an identifier; the recorder serves only the first of them.
  package var duplicateCount: Int
}

/// A listed record that needs no download if the recorder still gives it the same size.
package struct SettledRecord: Hashable, Sendable {
  /// Its identifier.
  package var identifier: RecordIdentifier
  /// Its size when it was downloaded or removed, in octets.
  package var size: UInt32
  /// Whether it was removed from the phone.
  package var isRemoved: Bool
}

/// Whether a record whose size is known is downloaded.
package enum DownloadDecision: Hashable, Sendable {
  /// Its content must be downloaded, from its first octet, into the record of this number.
  case download(RecordNumber)
  /// It is here already.
  case present(RecordNumber)
  /// It was removed from the phone and is never downloaded again.
  case removed
}

extension PhoneLibrary {
  /// All records, newest first by the time in their identifiers, ties by arrival.
  package func records() throws(LibraryFailure) -> [LibraryRecord] {
    RecordOrder.newestFirst(try recordTable.all())
  }

  /// The record with this number. Throws `unknownRecord` where there is none.
  package func record(_ number: RecordNumber) throws(LibraryFailure) -> LibraryRecord {
    try recordTable.record(number)
  }

  /// The content of a record, `nil` while it is missing. Throws `unknownRecord` where the record does not exist.
  package func content(of number: RecordNumber) throws(LibraryFailure) -> [UInt8]? {
    try recordTable.content(of: number)
  }

  /// The tombstones of removed records, in the order in which they were found.
  package func tombstones() throws(LibraryFailure) -> [Tombstone] { try tombstoneTable.all() }

  /// Takes a complete list of a recorder's files: records that are not in it are gone, and a later record with
  /// the same identifier is new.
  package func take(
    completeList identifiers: [RecordIdentifier], from recorder: BluetoothAddress
  ) throws(LibraryFailure) -> ListPlan {
    try database.transaction("take a list") { () throws(LibraryFailure) in
      let present = Set(identifiers)
      var settled: [RecordIdentifier: SettledRecord] = [:]
      for record in try recordTable.listed(by: recorder) {
        if !present.contains(record.identifier) {
          _ = try move(LibraryEntryState(record), on: .leftOutOfList)
          try recordTable.unlist(record.number)
        } else if record.isComplete {
          settled[record.identifier] = SettledRecord(
            identifier: record.identifier, size: record.size, isRemoved: false)
        }
      }
      for tombstone in try tombstoneTable.listed(by: recorder) {
        if !present.contains(tombstone.identifier) {
          _ = try move(.removed, on: .leftOutOfList)
          try tombstoneTable.unlist(tombstone.number)
        } else {
          settled[tombstone.identifier] = SettledRecord(
            identifier: tombstone.identifier, size: tombstone.size, isRemoved: true)
        }
      }
      return Self.plan(identifiers, settled)
    }
  }

  private static func plan(
    _ identifiers: [RecordIdentifier], _ settled: [RecordIdentifier: SettledRecord]
  ) -> ListPlan {
    var seen: Set<RecordIdentifier> = []
    let distinct = identifiers.filter { seen.insert($0).inserted }
    return ListPlan(
      unfinished: distinct.filter { settled[$0] == nil }, settled: distinct.compactMap { settled[$0] },
      duplicateCount: identifiers.count - distinct.count)
  }

  /// Takes the size of a record that a recorder has, in octets, and says whether to download it.
  package func take(
    size: UInt32, of identifier: RecordIdentifier, from recorder: BluetoothAddress
  ) throws(LibraryFailure) -> DownloadDecision {
    try database.transaction("take a size") { () throws(LibraryFailure) in
      if let tombstone = try tombstoneTable.listed(identifier, by: recorder) {
        let next = try move(.removed, on: tombstone.size == size ? .sizeTold : .otherSizeTold)
        if next == .removed { return .removed }
        try tombstoneTable.unlist(tombstone.number)
      }
      if let record = try recordTable.listed(identifier, by: recorder) {
        let isSame = record.size == size
        switch try move(LibraryEntryState(record), on: isSame ? .sizeTold : .otherSizeTold) {
        case .present: return .present(record.number)
        case .awaited:
          if !isSame { try recordTable.setSize(of: record.number, to: size) }
          return .download(record.number)
        default: try recordTable.unlist(record.number)
        }
      }
      _ = try move(.unknown, on: .sizeTold)
      return .download(try recordTable.insert(identifier, size: size, from: recorder))
    }
  }

  /// Stores the whole content of a record, which is complete from then on; storing it again changes nothing.
  ///
  /// Throws `wrongSize` where it does not have the announced size, and `unknownRecord` where the record was removed
  /// meanwhile.
  package func store(_ content: [UInt8], in number: RecordNumber, at time: WallTime) throws(LibraryFailure) {
    try database.transaction("store a record") { () throws(LibraryFailure) in
      let record = try recordTable.record(number)
      guard content.count == Int(record.size) else {
        throw .wrongSize(announced: record.size, arrived: content.count)
      }
      _ = try move(LibraryEntryState(record), on: .contentArrived)
      if !record.isComplete { try recordTable.complete(number, content: content, at: time) }
    }
  }

  /// Removes a record: its content is overwritten, and a tombstone keeps it from being downloaded again. Throws
  /// `unknownRecord` where the record does not exist.
  package func remove(_ number: RecordNumber, at time: WallTime) throws(LibraryFailure) {
    try database.transaction("remove a record") { () throws(LibraryFailure) in
      let record = try recordTable.record(number)
      _ = try move(LibraryEntryState(record), on: .removedByUser)
      try tombstoneTable.insert(record, at: time)
      try recordTable.delete(number)
    }
  }
}

// MARK: - Recorder and bonds

extension PhoneLibrary {
  /// The recorder that the phone is paired with.
  package func pairedRecorder() throws(LibraryFailure) -> PairedRecorder? { try pairedRecorderTable.current() }

  /// Remembers that a recorder is paired, with its bond. Throws `alreadyPaired` where another one is; the same one
  /// again only replaces its bond.
  package func pair(_ bond: Bond, at time: WallTime) throws(LibraryFailure) {
    try database.transaction("pair a recorder") { () throws(LibraryFailure) in
      if let current = try pairedRecorderTable.current() {
        guard current.identity == bond.identity else { throw .alreadyPaired(with: current.identity) }
      } else {
        try pairedRecorderTable.set(bond.identity, at: time)
        try historyTable.append(ConnectionStatusEntry(recorder: bond.identity, status: .paired, at: time))
      }
      try bondTable.keep(bond)
    }
  }

  /// Forgets the paired recorder and its bond; its records and tombstones stay. Does nothing where none is paired.
  package func unpair(at time: WallTime) throws(LibraryFailure) {
    try database.transaction("unpair the recorder") { () throws(LibraryFailure) in
      guard let current = try pairedRecorderTable.current() else { return }
      try bondTable.forget(current.identity)
      try pairedRecorderTable.clear()
      try historyTable.append(ConnectionStatusEntry(recorder: current.identity, status: .unpaired, at: time))
    }
  }

  /// The bonds, by identity address.
  package func bonds() throws(LibraryFailure) -> [Bond] { try bondTable.all() }

  /// Updates a known bond; an unknown one is not added.
  package func update(_ bond: Bond) throws(LibraryFailure) {
    try database.transaction("update a bond") { () throws(LibraryFailure) in
      guard try bondTable.all().contains(where: { $0.identity == bond.identity }) else { return }
      try bondTable.keep(bond)
    }
  }
}

// MARK: - Firmware

extension PhoneLibrary {
  /// The versions that the user refused, by recorder and version.
  package func refusedFirmware() throws(LibraryFailure) -> [RefusedFirmware] { try refusedFirmwareTable.all() }

  /// Whether the user refused this version on this recorder.
  package func isRefused(_ version: UInt32, on recorder: BluetoothAddress) throws(LibraryFailure) -> Bool {
    try refusedFirmwareTable.all().contains { $0.recorder == recorder && $0.version == version }
  }

  /// Remembers that the user refused a version on a recorder.
  package func refuse(_ version: UInt32, on recorder: BluetoothAddress, at time: WallTime) throws(LibraryFailure) {
    try refusedFirmwareTable.keep(version, on: recorder, at: time)
  }

  /// The firmware that this phone installed last, by recorder.
  package func installedReleases() throws(LibraryFailure) -> [InstalledRelease] { try installedFirmwareTable.all() }

  /// The firmware that this phone installed last on a recorder; `nil` where it never installed any.
  package func installedRelease(on recorder: BluetoothAddress) throws(LibraryFailure) -> InstalledRelease? {
    try installedFirmwareTable.all().first { $0.recorder == recorder }
  }

  /// The updates whose end is not known, by recorder.
  package func pendingUpdates() throws(LibraryFailure) -> [PendingUpdate] { try pendingUpdateTable.all() }

  /// The update of a recorder whose end is not known.
  package func pendingUpdate(of recorder: BluetoothAddress) throws(LibraryFailure) -> PendingUpdate? {
    try pendingUpdateTable.all().first { $0.recorder == recorder }
  }

  /// Remembers that an update begins, before the recorder is sent into its bootloader. It takes the place of an older
  /// one of the same recorder; its version is no longer refused.
  package func begin(_ update: PendingUpdate) throws(LibraryFailure) {
    try database.transaction("begin an update") { () throws(LibraryFailure) in
      try refusedFirmwareTable.forget(update.version, on: update.recorder)
      try pendingUpdateTable.keep(update)
    }
  }

  /// Remembers that the recorder runs its new firmware. Does nothing where none was begun.
  package func completeUpdate(of recorder: BluetoothAddress, at time: WallTime) throws(LibraryFailure) {
    try database.transaction("complete an update") { () throws(LibraryFailure) in
      guard let update = try pendingUpdate(of: recorder) else { return }
      try installedFirmwareTable.keep(
        InstalledRelease(recorder: recorder, version: update.version, name: update.name, installedAt: time))
      try pendingUpdateTable.forget(recorder)
    }
  }

  /// Forgets an update that failed: the recorder still runs its old firmware. Does nothing where none was begun.
  package func abandonUpdate(of recorder: BluetoothAddress) throws(LibraryFailure) {
    try pendingUpdateTable.forget(recorder)
  }
}

// MARK: - The phone itself

extension PhoneLibrary {
  /// The history of connections, oldest first; the latest thousand entries are kept.
  package func connectionHistory() throws(LibraryFailure) -> [ConnectionStatusEntry] { try historyTable.all() }

  /// Adds a change of a connection.
  package func note(_ entry: ConnectionStatusEntry) throws(LibraryFailure) {
    try database.transaction("note the connection status") { () throws(LibraryFailure) in
      try historyTable.append(entry)
    }
  }

  /// The phone's own static random address, if it has one yet.
  package func ownAddress() throws(LibraryFailure) -> BluetoothAddress? { try ownAddressTable.current() }

  /// Keeps the phone's own static random address; bonds depend on it.
  package func keep(ownAddress: BluetoothAddress) throws(LibraryFailure) { try ownAddressTable.set(ownAddress) }
}
