/// The versions of a ledger's tables.
///
/// A migration and its number take effect in one transaction, so a ledger is always of one version.
package enum LedgerSchema {
  /// Makes version 1 from an empty database, version 2 from version 1, and so on: tables, which are sealed, and the
  /// statements that create them.
  struct Migration {
    var tables: [(name: String, creation: String)]
  }

  static let migrations: [Migration] = [
    Migration(tables: [
      RunTable.table, EndingTable.table, AttemptTable.table, VerdictTable.table, StatementTable.table,
      FigureTable.table,
    ]),
    Migration(tables: [WaiverTable.table, QualificationTable.table]),
    Migration(tables: [SessionTable.table]),
  ]

  private static let versions = (
    name: "ledger_migrations",
    creation: """
    CREATE TABLE ledger_migrations (
      version BIGINT PRIMARY KEY, program TEXT NOT NULL, applied BIGINT NOT NULL)
    """
  )

  /// Brings a ledger to the last of `migrations`, the version that this program knows. `program` and `now`, in
  /// microseconds since 1970, are kept with it. An empty database becomes a ledger where `makes` says so.
  static func prepare(
    _ store: any LedgerStore, makes: Bool = true, program: String, now: Int64,
    _ migrations: [Migration] = migrations
  ) throws(LedgerFailure) {
    try store.transaction { () throws(LedgerFailure) in
      let found = try version(store)
      let known = Int64(migrations.count)
      guard found ?? 0 <= known else { throw .newer(ledger: store.name, found: found ?? 0, known: known) }
      if found == nil {
        guard makes else { throw .empty(ledger: store.name) }
        try make(versions, store)
      }
      for number in (found ?? 0)..<known {
        for table in migrations[Int(number)].tables { try make(table, store) }
        _ = try store.run(
          "INSERT INTO ledger_migrations (version, program, applied) VALUES (?, ?, ?)",
          [.integer(number + 1), .text(program), .integer(now)])
      }
    }
  }

  private static func make(_ table: (name: String, creation: String), _ store: any LedgerStore) throws(LedgerFailure) {
    try store.run(table.creation)
    for statement in store.sealing(table.name) { try store.run(statement) }
  }

  /// The version of a ledger; `nil` where it has no tables yet.
  private static func version(_ store: any LedgerStore) throws(LedgerFailure) -> Int64? {
    guard try store.hasTable(versions.name) else { return nil }
    return try store.run("SELECT MAX(version) FROM ledger_migrations", []).first?.optionalInteger(0) ?? 0
  }
}

extension LedgerStore {
  /// The next number of a table's rows. Numbers order rows as they were committed, whatever clocks say; only one
  /// transaction at a time asks for one.
  func nextSequence(in table: String) throws(LedgerFailure) -> Int64 {
    try run("SELECT COALESCE(MAX(sequence), 0) + 1 FROM \(table)", []).first?.integer(0) ?? 1
  }
}
