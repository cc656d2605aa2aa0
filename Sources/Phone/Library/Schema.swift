/// The versions of the library's tables.
///
/// A migration and its number take effect in one transaction, so a library is always of one version.
enum Schema {
  /// Marks a database as a phone's library: the letters `DBPL`.
  static let applicationIdentifier: Int64 = 0x4442_504C

  /// The statements that make version 1 from an empty database, version 2 from version 1, and so on.
  private static let migrations: [[String]] = [
    RecordTable.creation + TombstoneTable.creation + BondTable.creation + PairedRecorderTable.creation
      + ConnectionHistoryTable.creation + OwnAddressTable.creation,
    RefusedFirmwareTable.creation + InstalledFirmwareTable.creation + PendingUpdateTable.creation,
    RecordTable.listening,
  ]

  /// The version that this program knows.
  static var version: Int64 { Int64(migrations.count) }

  /// An empty library of this version, made once: its statements would be a quarter of what a short scenario costs.
  /// `nil` where it cannot be made, and the failure then shows where the first library is prepared.
  private static let emptyLibrary: [UInt8]? = {
    guard let database = try? Database(.memory, gate: nil), (try? migrate(database)) != nil else { return nil }
    return database.image
  }()

  /// Sets a new connection up and brings its database to the version that this program knows.
  ///
  /// A database in memory is empty, so it becomes a copy of an empty library.
  static func prepare(_ database: Database, at location: LibraryLocation) throws(LibraryFailure) {
    if location == .memory, let emptyLibrary {
      try database.load("prepare the library", emptyLibrary)
    } else {
      for setting in fileSettings { try database.run("set up the library", setting) }
    }
    for setting in settings { try database.run("set up the library", setting) }
    try migrate(database)
  }

  /// The pages that a library takes; an emptied one keeps them.
  static func pages(of database: Database) throws(LibraryFailure) -> Int64 { try number(database, "PRAGMA page_count") }

  /// Removes everything from a library in memory, so that it is as a new one.
  static func empty(_ database: Database) throws(LibraryFailure) {
    try database.rollBack("empty the library")
    try database.transaction("empty the library") { () throws(LibraryFailure) in
      // One of them is SQLite's own, and has the numbers that were given out.
      let tables = try database.rows(
        "empty the library", "SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table'"
      ) { row throws(LibraryFailure) in try row.text(0) }
      for table in tables { try database.run("empty the library", "DELETE FROM \(table)") }
    }
  }

  private static func migrate(_ database: Database) throws(LibraryFailure) {
    try database.transaction("prepare the library") { () throws(LibraryFailure) in
      let found = try number(database, "PRAGMA user_version")
      guard found <= version else { throw .newerSchema(found: found, known: version) }
      try requireLibrary(database, isNew: found == 0)
      for migration in migrations[Int(max(0, found))...] {
        for statement in migration { try database.run("migrate the library", statement) }
      }
      guard found < version else { return }
      try database.run("migrate the library", "PRAGMA application_id = \(applicationIdentifier)")
      try database.run("migrate the library", "PRAGMA user_version = \(version)")
    }
  }

  private static let fileSettings = [
    // One program at a time: a second one is refused at once instead of seeing a moving library.
    "PRAGMA locking_mode = EXCLUSIVE",
    // What was removed is overwritten in the journal too.
    "PRAGMA journal_mode = TRUNCATE",
    "PRAGMA synchronous = FULL",
  ]

  private static let settings = [
    // What was removed is overwritten.
    "PRAGMA secure_delete = ON",
    // The file may come from elsewhere: nothing in its schema is run.
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
  ]

  private static func requireLibrary(_ database: Database, isNew: Bool) throws(LibraryFailure) {
    if isNew {
      guard try number(database, "SELECT count(*) FROM sqlite_master") == 0 else { throw .notALibrary }
    } else {
      guard try number(database, "PRAGMA application_id") == applicationIdentifier else { throw .notALibrary }
    }
  }

  private static func number(_ database: Database, _ sql: String) throws(LibraryFailure) -> Int64 {
    let answer = try database.rows("examine the library", sql) { row throws(LibraryFailure) in try row.integer(0) }
    guard let number = answer.first else { throw .damaged(operation: "examine the library") }
    return number
  }
}
