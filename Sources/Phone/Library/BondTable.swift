import Bytes
import HostStack

/// The table of bonds, one for each identity address.
struct BondTable {
  static let creation = [
    """
    CREATE TABLE bonds (
      identity INTEGER PRIMARY KEY,
      local_key BLOB CHECK (length(local_key) = 16),
      local_diversifier INTEGER,
      local_random INTEGER,
      local_key_size INTEGER,
      peer_key BLOB CHECK (length(peer_key) = 16),
      peer_diversifier INTEGER,
      peer_random INTEGER,
      peer_key_size INTEGER,
      resolving_key BLOB CHECK (length(resolving_key) = 16),
      secure_connections INTEGER NOT NULL CHECK (secure_connections IN (0, 1)),
      subscriptions BLOB NOT NULL
    )
    """
  ]

  let database: Database

  /// All bonds, by identity address.
  func all() throws(LibraryFailure) -> [Bond] {
    let sql = """
      SELECT identity, local_key, local_diversifier, local_random, local_key_size, peer_key, peer_diversifier,
        peer_random, peer_key_size, resolving_key, secure_connections, subscriptions FROM bonds ORDER BY identity
      """
    return try database.rows("list the bonds", sql) { row throws(LibraryFailure) in
      var bond = Bond(
        identity: try BluetoothAddress(row, 0), localKey: try Self.key(row, 1), peerKey: try Self.key(row, 5),
        peerIdentityResolvingKey: row.isNull(9) ? nil : try row.blob(9), secureConnections: try row.integer(10) == 1)
      bond.subscriptions = try Self.subscriptions(row, 11)
      return bond
    }
  }

  /// Keeps a bond in place of an older one with the same identity.
  func keep(_ bond: Bond) throws(LibraryFailure) {
    let values: [SQLValue] =
      [.integer(bond.identity.stored)] + Self.values(bond.localKey) + Self.values(bond.peerKey) + [
        .optional(bond.peerIdentityResolvingKey), .integer(bond.secureConnections ? 1 : 0),
        .blob(Self.octets(bond.subscriptions)),
      ]
    try database.run(
      "keep a bond", "INSERT OR REPLACE INTO bonds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
  }

  /// Forgets the bond with this identity, if there is one.
  func forget(_ identity: BluetoothAddress) throws(LibraryFailure) {
    try database.run("forget a bond", "DELETE FROM bonds WHERE identity = ?", [.integer(identity.stored)])
  }

  private static func values(_ key: LongTermKey?) -> [SQLValue] {
    guard let key else { return [.null, .null, .null, .null] }
    return [
      .blob(key.key), .integer(Int64(key.encryptedDiversifier)), .integer(Int64(bitPattern: key.randomNumber)),
      .integer(Int64(key.keySize)),
    ]
  }

  private static func key(_ row: borrowing Row, _ column: Int32) throws(LibraryFailure) -> LongTermKey? {
    if row.isNull(column) { return nil }
    return LongTermKey(
      key: try row.blob(column), encryptedDiversifier: try row.integer(column + 1, as: UInt16.self),
      randomNumber: UInt64(bitPattern: try row.integer(column + 2)),
      keySize: try row.integer(column + 3, as: UInt8.self)
    )
  }

  /// Four octets each: the handle, then the configuration, least significant octet first.
  private static func octets(_ subscriptions: [StoredSubscription]) -> [UInt8] {
    var writer = ByteWriter(capacity: subscriptions.count * 4)
    for subscription in subscriptions {
      writer.write(subscription.handle.rawValue)
      writer.write(subscription.subscription.rawValue)
    }
    return writer.bytes
  }

  private static func subscriptions(
    _ row: borrowing Row, _ column: Int32
  ) throws(LibraryFailure) -> [StoredSubscription] {
    let octets = try row.blob(column)
    guard octets.count.isMultiple(of: 4) else { throw row.damaged }
    return stride(from: 0, to: octets.count, by: 4).map { start in
      func number(_ offset: Int) -> UInt16 { UInt16(octets[start + offset]) | UInt16(octets[start + offset + 1]) << 8 }
      return StoredSubscription(
        handle: AttributeHandle(number(0)), subscription: Subscription(rawValue: number(2)))
    }
  }
}
