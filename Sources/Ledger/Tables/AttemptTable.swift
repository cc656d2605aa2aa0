/// One attempt at a scenario, written when it has ended and before it is told to anybody.
package struct LedgerAttempt: Hashable, Sendable, Codable {
  /// What it is an attempt at.
  package var key: ResultKey
  /// Its number among the attempts, from 0.
  package var number: Int
  /// The digest of the scenario's source.
  package var scenarioHash: String
  /// How it ended, in one word.
  package var verdict: String
  /// Why, in one sentence; `nil` for a pass.
  package var reason: String?
  /// The hash of its trace; `nil` where it did not run.
  package var traceHash: String?
  /// When it began, in microseconds since 1970 by the machine's clock.
  package var began: Int64
  /// When it ended.
  package var ended: Int64

  package init(
    key: ResultKey, number: Int, scenarioHash: String, verdict: String, reason: String?, traceHash: String?,
    began: Int64, ended: Int64
  ) {
    self.key = key
    self.number = number
    self.scenarioHash = scenarioHash
    self.verdict = verdict
    self.reason = reason
    self.traceHash = traceHash
    self.began = began
    self.ended = ended
  }
}

/// The table of attempts.
struct AttemptTable {
  static let table = (
    name: "ledger_attempts",
    creation: """
    CREATE TABLE ledger_attempts (
      sequence BIGINT PRIMARY KEY, \(ResultKey.declaration), attempt BIGINT NOT NULL, scenario_hash TEXT NOT NULL,
      verdict TEXT NOT NULL, reason TEXT, trace_hash TEXT, began BIGINT NOT NULL, ended BIGINT NOT NULL,
      UNIQUE (\(ResultKey.columns), attempt))
    """
  )
  private static let columns =
    "\(ResultKey.columns), attempt, scenario_hash, verdict, reason, trace_hash, began, ended"

  let store: any LedgerStore

  /// Adds an attempt. One that is there already with the same result is not added again.
  ///
  /// - Throws: `contradiction` where it is there with another result.
  func insert(_ attempt: LedgerAttempt) throws(LedgerFailure) {
    let sql = "SELECT \(Self.columns) FROM ledger_attempts WHERE \(ResultKey.condition) AND attempt = ?"
    if let row = try store.run(sql, attempt.key.values + [.integer(Int64(attempt.number))]).first {
      let known = try Self.attempt(row)
      guard known.scenarioHash == attempt.scenarioHash, known.verdict == attempt.verdict,
        known.traceHash == attempt.traceHash
      else { throw .contradiction(run: attempt.key.run, scenario: attempt.key.name) }
      return
    }
    _ = try store.run(
      "INSERT INTO ledger_attempts (sequence, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [.integer(try store.nextSequence(in: "ledger_attempts"))] + attempt.key.values + [
        .integer(Int64(attempt.number)), .text(attempt.scenarioHash), .text(attempt.verdict), .text(attempt.reason),
        .text(attempt.traceHash), .integer(attempt.began), .integer(attempt.ended),
      ])
  }

  /// The attempts of a run, in the order in which they were written.
  func all(of run: String) throws(LedgerFailure) -> [LedgerAttempt] {
    try store.run("SELECT \(Self.columns) FROM ledger_attempts WHERE run = ? ORDER BY sequence", [.text(run)])
      .map(Self.attempt)
  }

  private static func attempt(_ row: LedgerRow) throws(LedgerFailure) -> LedgerAttempt {
    LedgerAttempt(
      key: try ResultKey(row), number: Int(try row.integer(4)), scenarioHash: try row.text(5),
      verdict: try row.text(6), reason: try row.optionalText(7), traceHash: try row.optionalText(8),
      began: try row.integer(9), ended: try row.integer(10))
  }
}
