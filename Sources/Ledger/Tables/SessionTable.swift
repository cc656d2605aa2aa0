/// The table of bench sessions: what operators did, and how far the runs of a session were.
struct SessionTable {
  static let table = (
    name: "ledger_sessions",
    creation: """
    CREATE TABLE ledger_sessions (
      sequence BIGINT PRIMARY KEY, entry TEXT NOT NULL, session TEXT NOT NULL, deed TEXT NOT NULL,
      operator TEXT NOT NULL, bench TEXT, written BIGINT NOT NULL, stream TEXT, beat BIGINT, elapsed BIGINT,
      scenarios BIGINT, recordings BIGINT, UNIQUE (session, entry))
    """
  )
  private static let columns =
    "session, deed, operator, bench, written, stream, beat, elapsed, scenarios, recordings"

  let store: any LedgerStore

  /// Adds an entry. `key` is unique in the session; an entry that is there already is not added again.
  func insert(_ entry: SessionEntry, as key: String) throws(LedgerFailure) {
    _ = try store.run(
      """
      INSERT INTO ledger_sessions (sequence, entry, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """,
      [
        .integer(try store.nextSequence(in: "ledger_sessions")), .text(key), .text(entry.session),
        .text(entry.deed.rawValue), .text(entry.operatorName), .text(entry.bench), .integer(entry.written),
        .text(entry.beat?.stream), .integer(entry.beat?.number), .integer(entry.beat?.elapsed),
        .integer(entry.beat?.scenarios), .integer(entry.beat?.recordings),
      ])
  }

  /// The session in which an entry has this key; `nil` where there is none.
  func session(with key: String) throws(LedgerFailure) -> String? {
    try store.run("SELECT session FROM ledger_sessions WHERE entry = ? AND stream IS NULL", [.text(key)]).first?.text(0)
  }

  /// A number that no stream of a run has yet, from 1.
  func nextStream(of run: String) throws(LedgerFailure) -> Int64 {
    let begun = SessionEntry.Deed.runBegins.rawValue
    let streams = try store.run("SELECT stream FROM ledger_sessions WHERE deed = ?", [.text(begun)])
    let own = try streams.count { row throws(LedgerFailure) in try row.text(0).hasPrefix(run + "#") }
    return Int64(own) + 1
  }

  /// The names of all sessions in the order in which they were begun, or of those that have not ended.
  func names(onlyOpen: Bool) throws(LedgerFailure) -> [String] {
    let open = " AND session NOT IN (SELECT session FROM ledger_sessions WHERE deed = 'end')"
    let sql = "SELECT session FROM ledger_sessions WHERE deed = 'start'\(onlyOpen ? open : "") ORDER BY sequence"
    return try store.run(sql, []).map { row throws(LedgerFailure) in try row.text(0) }
  }

  /// A session, from its entries; `nil` where there is none of this name.
  func session(_ name: String) throws(LedgerFailure) -> BenchSession? {
    let sql = "SELECT \(Self.columns) FROM ledger_sessions WHERE session = ? ORDER BY sequence"
    var session: BenchSession?
    for row in try store.run(sql, [.text(name)]) {
      let entry = try Self.entry(row)
      if session == nil { session = BenchSession(entry) } else { session?.take(entry) }
    }
    return session
  }

  private static func entry(_ row: LedgerRow) throws(LedgerFailure) -> SessionEntry {
    guard let deed = SessionEntry.Deed(rawValue: try row.text(1)) else { throw row.damaged(1, "what happened") }
    func time(_ column: Int) throws(LedgerFailure) -> Int64 {
      let number = try row.integer(column)
      guard (0...SessionEntry.limit).contains(number) else { throw row.damaged(column, "a time") }
      return number
    }
    let stream = try row.optionalText(5)
    let beat = try stream.map { stream throws(LedgerFailure) in
      SessionBeat(
        stream: stream, number: try time(6), elapsed: try time(7), scenarios: try time(8), recordings: try time(9))
    }
    return SessionEntry(
      deed, of: try row.text(0), by: try row.text(2), on: try row.optionalText(3), at: try time(4), beat)
  }
}
