import Bytes

/// One change of the connection to a recorder, as the phone shows it.
public struct ConnectionStatusEntry: Hashable, Sendable {
  /// The change.
  public enum Status: Hashable, Sendable {
    /// A connection was made.
    case connected
    /// The connection became encrypted.
    case secured
    /// The connection ended; the reason is a controller error code (Core Specification Vol 1, Part F).
    case disconnected(reason: UInt8)
    /// A connection was tried and not made; the reason is a controller error code.
    case failed(reason: UInt8)
    /// The recorder was paired.
    case paired
    /// The recorder was unpaired.
    case unpaired
  }

  /// The recorder's identity address.
  public var recorder: BluetoothAddress
  /// The change.
  public var status: Status
  /// When it changed.
  public var at: WallTime

  /// A change of the connection to a recorder.
  public init(recorder: BluetoothAddress, status: Status, at: WallTime) {
    self.recorder = recorder
    self.status = status
    self.at = at
  }
}

/// The table of connection statuses, which survives restarts. It keeps the latest entries only.
struct ConnectionHistoryTable {
  /// Entries that are kept.
  static let limit = 1000

  static let creation = [
    """
    CREATE TABLE connection_history (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      recorder INTEGER NOT NULL,
      status INTEGER NOT NULL,
      reason INTEGER NOT NULL,
      at INTEGER NOT NULL
    )
    """
  ]

  let database: Database

  /// The kept entries, the oldest first.
  func all() throws(LibraryFailure) -> [ConnectionStatusEntry] {
    let sql = "SELECT recorder, status, reason, at FROM connection_history ORDER BY number"
    return try database.rows("list the connection history", sql) { row throws(LibraryFailure) in
      let code = try row.integer(1, as: UInt8.self)
      guard let status = ConnectionStatusEntry.Status(code: code, reason: try row.integer(2, as: UInt8.self)) else {
        throw row.damaged
      }
      return ConnectionStatusEntry(
        recorder: try BluetoothAddress(row, 0), status: status,
        at: WallTime(nanosecondsSinceEpoch: try row.integer(3)))
    }
  }

  /// Adds an entry, and removes the oldest beyond the limit.
  func append(_ entry: ConnectionStatusEntry) throws(LibraryFailure) {
    let (code, reason) = entry.status.stored
    try database.run(
      "note the connection status",
      "INSERT INTO connection_history (recorder, status, reason, at) VALUES (?, ?, ?, ?)",
      [
        .integer(entry.recorder.stored), .integer(Int64(code)), .integer(Int64(reason)),
        .integer(entry.at.nanosecondsSinceEpoch),
      ])
    try database.run(
      "shorten the connection history", "DELETE FROM connection_history WHERE number <= ?",
      [.integer(database.lastInsertedRow - Int64(Self.limit))])
  }
}

extension ConnectionStatusEntry.Status {
  fileprivate var stored: (code: UInt8, reason: UInt8) {
    switch self {
    case .connected: (1, 0)
    case .secured: (2, 0)
    case .disconnected(let reason): (3, reason)
    case .failed(let reason): (4, reason)
    case .paired: (5, 0)
    case .unpaired: (6, 0)
    }
  }

  fileprivate init?(code: UInt8, reason: UInt8) {
    switch code {
    case 1: self = .connected
    case 2: self = .secured
    case 3: self = .disconnected(reason: reason)
    case 4: self = .failed(reason: reason)
    case 5: self = .paired
    case 6: self = .unpaired
    default: return nil
    }
  }
}
