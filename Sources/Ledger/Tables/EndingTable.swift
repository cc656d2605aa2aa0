/// The table of the ends of runs. A run without a row was killed, or goes on.
struct EndingTable {
  static let table = (
    name: "ledger_endings",
    creation: """
    CREATE TABLE ledger_endings (
      sequence BIGINT PRIMARY KEY, run TEXT NOT NULL, ended BIGINT NOT NULL, status BIGINT NOT NULL)
    """
  )

  let store: any LedgerStore

  /// Adds the end of a run: when, in microseconds since 1970, and with which exit status. A run that goes on after it
  /// was killed may end more than once.
  func insert(_ run: String, at ended: Int64, status: Int32) throws(LedgerFailure) {
    _ = try store.run(
      "INSERT INTO ledger_endings (sequence, run, ended, status) VALUES (?, ?, ?, ?)",
      [
        .integer(try store.nextSequence(in: "ledger_endings")), .text(run), .integer(ended), .integer(Int64(status)),
      ])
  }

  /// The last exit status of each run, by its name.
  func statuses() throws(LedgerFailure) -> [String: Int64] {
    var statuses: [String: Int64] = [:]
    for row in try store.run("SELECT run, status FROM ledger_endings ORDER BY sequence", []) {
      statuses[try row.text(0)] = try row.integer(1)
    }
    return statuses
  }
}
