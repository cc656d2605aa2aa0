/// What all attempts at one scenario come to.
package struct LedgerVerdict: Hashable, Sendable, Codable {
  /// What it is the verdict of.
  package var key: ResultKey
  /// The digest of the scenario's source.
  package var scenarioHash: String
  /// The verdict, in one word.
  package var verdict: String
  /// Why, in one sentence; `nil` for a pass.
  package var reason: String?
  /// The verdicts of its attempts in order, as words.
  package var attempts: [String]
  /// The hash of the trace that decided; `nil` where there is none.
  package var traceHash: String?
  /// When it was written, in microseconds since 1970 by the machine's clock.
  package var recorded: Int64

  package init(
    key: ResultKey, scenarioHash: String, verdict: String, reason: String?, attempts: [String], traceHash: String?,
    recorded: Int64
  ) {
    self.key = key
    self.scenarioHash = scenarioHash
    self.verdict = verdict
    self.reason = reason
    self.attempts = attempts
    self.traceHash = traceHash
    self.recorded = recorded
  }
}

/// The table of verdicts.
struct VerdictTable {
  static let table = (
    name: "ledger_verdicts",
    creation: """
    CREATE TABLE ledger_verdicts (
      sequence BIGINT PRIMARY KEY, \(ResultKey.declaration), scenario_hash TEXT NOT NULL, verdict TEXT NOT NULL,
      reason TEXT, attempts TEXT NOT NULL, trace_hash TEXT, recorded BIGINT NOT NULL,
      UNIQUE (\(ResultKey.columns)))
    """
  )
  private static let columns =
    "\(ResultKey.columns), scenario_hash, verdict, reason, attempts, trace_hash, recorded"

  let store: any LedgerStore

  /// Adds a verdict. Returns whether it was not there yet.
  ///
  /// - Throws: `contradiction` where the ledger holds another one.
  func insert(_ verdict: LedgerVerdict) throws(LedgerFailure) -> Bool {
    if let known = try one(verdict.key) {
      guard known.scenarioHash == verdict.scenarioHash, known.verdict == verdict.verdict,
        known.traceHash == verdict.traceHash
      else { throw .contradiction(run: verdict.key.run, scenario: verdict.key.name) }
      return false
    }
    _ = try store.run(
      "INSERT INTO ledger_verdicts (sequence, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [.integer(try store.nextSequence(in: "ledger_verdicts"))] + verdict.key.values + [
        .text(verdict.scenarioHash), .text(verdict.verdict), .text(verdict.reason),
        .text(verdict.attempts.joined(separator: " ")), .text(verdict.traceHash), .integer(verdict.recorded),
      ])
    return true
  }

  /// The verdict of that key; `nil` where there is none.
  func one(_ key: ResultKey) throws(LedgerFailure) -> LedgerVerdict? {
    try select(ResultKey.condition, key.values).first
  }

  /// The verdicts of a run, in the order in which they were written.
  func all(of run: String) throws(LedgerFailure) -> [LedgerVerdict] {
    try select("run = ?", [.text(run)])
  }

  /// The verdicts of a scenario over all runs, in the order in which they were written.
  func all(about scenario: String) throws(LedgerFailure) -> [LedgerVerdict] {
    try select("scenario = ?", [.text(scenario)])
  }

  private func select(_ condition: String, _ values: [LedgerValue]) throws(LedgerFailure) -> [LedgerVerdict] {
    try store.run("SELECT \(Self.columns) FROM ledger_verdicts WHERE \(condition) ORDER BY sequence", values)
      .map(Self.verdict)
  }

  private static func verdict(_ row: LedgerRow) throws(LedgerFailure) -> LedgerVerdict {
    LedgerVerdict(
      key: try ResultKey(row), scenarioHash: try row.text(4), verdict: try row.text(5),
      reason: try row.optionalText(6), attempts: try row.text(7).split(separator: " ").map(String.init),
      traceHash: try row.optionalText(8), recorded: try row.integer(9))
  }
}
