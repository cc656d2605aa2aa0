import Bytes
import DictofunProtocol
import HostStack

/// What the phone keeps across restarts: records, what became of them, the pairing, and a history of connections.
///
/// Every call is one transaction: it has happened as a whole when it returns, and not at all when it throws. The
/// phone calls it from one event loop only and never on the path of a notification.
///
/// Records belong to the recorder they came from, because two recorders with dead clocks give the same identifiers.
/// The same record is the same identifier *and* size, not absent from a complete list in between; anything else is
/// another record (requirements APP-1.2.2.1 and APP-2.3.1 together).
public protocol PhoneLibrary: AnyObject {
  /// The paired recorder and its bond; `nil` while none is paired.
  func pairing() throws(LibraryFailure) -> RecorderPairing?

  /// Replaces the pairing; `nil` forgets it and its keys, but no record and no tombstone.
  func setPairing(_ pairing: RecorderPairing?) throws(LibraryFailure)

  /// Every record ever finished, removed ones included, newest identifier first; of one identifier, the one stored
  /// last first.
  func records() throws(LibraryFailure) -> [LibraryRecord]

  /// The octets of a record; `nil` where it is unknown or removed.
  func content(of record: LibraryRecord) throws(LibraryFailure) -> [UInt8]?

  /// Takes a complete list of a recorder: records of it that are missing here are no longer the same record when
  /// their identifier comes again.
  func observeList(_ identifiers: [RecordIdentifier], of recorder: BluetoothAddress) throws(LibraryFailure)

  /// What is known of a record that the recorder holds now.
  func standing(
    of identifier: RecordIdentifier, octets: UInt32, in recorder: BluetoothAddress
  ) throws(LibraryFailure) -> RecordStanding

  /// Whether anything is known of a record with this identifier that the recorder still holds; if not, it is new
  /// whatever its size.
  func isKnown(_ identifier: RecordIdentifier, in recorder: BluetoothAddress) throws(LibraryFailure) -> Bool

  /// Stores a finished record, its octets and its state together. A record of the same recorder, identifier and size
  /// that is still listed is replaced, tombstone included; one of another size stays, but is no longer listed.
  func store(
    _ identifier: RecordIdentifier, content: [UInt8], of recorder: BluetoothAddress, at time: LocalSeconds
  ) throws(LibraryFailure)

  /// Removes a record's octets and leaves its tombstone; nothing happens when it is removed already.
  func remove(_ record: LibraryRecord) throws(LibraryFailure)

  /// Adds to the history of connections; the oldest entries may go when there are more than
  /// ``ConnectionHistory/maximumCount``.
  func append(_ entry: ConnectionHistory.Entry) throws(LibraryFailure)

  /// The history of connections, newest first, at most `limit` entries.
  func history(limit: Int) throws(LibraryFailure) -> [ConnectionHistory.Entry]
}

/// The one recorder that a phone is paired with.
public struct RecorderPairing: Hashable, Sendable {
  /// Its identity address.
  public var recorder: BluetoothAddress
  /// What encrypts the next connection.
  public var bond: Bond

  public init(recorder: BluetoothAddress, bond: Bond) {
    self.recorder = recorder
    self.bond = bond
  }
}

/// A record that was finished at some time.
public struct LibraryRecord: Hashable, Sendable {
  /// Number of the record within the library; never given twice.
  public var serial: Int64
  /// Identity address of the recorder it came from.
  public var recorder: BluetoothAddress
  /// Its name.
  public var identifier: RecordIdentifier
  /// Its size in octets.
  public var octets: UInt32
  /// When it was finished, by the phone's clock.
  public var storedAt: LocalSeconds
  /// Whether the user removed it; only the tombstone is left.
  public var isRemoved: Bool
  /// Whether no complete list of its recorder lacked it since it was finished.
  public var isListed: Bool

  public init(
    serial: Int64, recorder: BluetoothAddress, identifier: RecordIdentifier, octets: UInt32, storedAt: LocalSeconds,
    isRemoved: Bool = false, isListed: Bool = true
  ) {
    self.serial = serial
    self.recorder = recorder
    self.identifier = identifier
    self.octets = octets
    self.storedAt = storedAt
    self.isRemoved = isRemoved
    self.isListed = isListed
  }
}

/// What the library knows of a record that a recorder holds.
public enum RecordStanding: Hashable, Sendable {
  /// It was never finished: it is to be fetched.
  case new
  /// It is in the library.
  case held
  /// The user removed it; it is never fetched again.
  case removed
}

/// What the phone remembers of its connections (requirement APP-1.1.2).
public enum ConnectionHistory {
  /// How many entries are kept at least.
  public static let maximumCount = 1000

  /// One change of the connection.
  public struct Entry: Hashable, Sendable {
    /// When, by the phone's clock.
    public var at: LocalSeconds
    /// What happened.
    public var change: Change
    /// The recorder's address.
    public var recorder: BluetoothAddress

    public init(at: LocalSeconds, change: Change, recorder: BluetoothAddress) {
      self.at = at
      self.change = change
      self.recorder = recorder
    }
  }

  /// What changed; the numbers are those of the store.
  public enum Change: Hashable, Sendable {
    /// The link was made; 1.
    case connected
    /// The link was encrypted; 2.
    case secured
    /// The link ended for this reason; 3.
    case disconnected(reason: UInt8)
    /// The recorder became the paired one; 4.
    case paired
    /// The recorder was forgotten; 5.
    case unpaired
    /// The connection could not be made for this reason; 6.
    case failed(reason: UInt8)
  }
}

/// Why the library could not do what was asked.
public struct LibraryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, such as `store a record`.
  public var operation: String
  /// What the store said.
  public var reason: String

  public init(operation: String, reason: String) {
    self.operation = operation
    self.reason = reason
  }

  /// Operation and reason in one line.
  public var description: String { "\(operation): \(reason)" }
}
