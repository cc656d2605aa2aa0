/// One run as the ledger keeps it, written before its first scenario.
package struct LedgerRun: Hashable, Sendable, Codable {
  /// The name of the run, unique in the ledger.
  package var id: String
  /// Name and version of the program.
  package var program: String
  /// What was tested: `simulated`, `image`, `hardware` or `app`.
  package var target: String
  /// The firmware that was tested: `image:` and its SHA-256, `profile:` and its name with planted faults, or what a
  /// bench says of its recorders; then, each after `; `, the conditions that are not as in a plain run.
  package var firmware: String
  /// What judged it: a digest of the catalogue of requirements and of the declared defects.
  package var rules: String
  /// The root seed.
  package var seed: UInt64
  /// The bench's name; `nil` for a simulated run.
  package var bench: String?
  /// How the parts of the bench identified themselves, in one line; empty for a simulated run.
  package var instruments: String
  /// Who is responsible for the run.
  package var operatorName: String
  /// Name of the machine.
  package var host: String
  /// Microseconds since 1970-01-01 00:00:00 UTC at which it began, by the machine's clock.
  package var started: Int64
  /// The place of the run in the ledger, from 1; 0 before it was written.
  package var sequence: Int64 = 0

  package init(
    id: String, program: String, target: String, firmware: String, rules: String, seed: UInt64, bench: String? = nil,
    instruments: String = "", operatorName: String, host: String, started: Int64
  ) {
    self.id = id
    self.program = program
    self.target = target
    self.firmware = firmware
    self.rules = rules
    self.seed = seed
    self.bench = bench
    self.instruments = instruments
    self.operatorName = operatorName
    self.host = host
    self.started = started
  }
}

/// The table of runs.
struct RunTable {
  static let table = (
    name: "ledger_runs",
    creation: """
    CREATE TABLE ledger_runs (
      sequence BIGINT PRIMARY KEY, run TEXT NOT NULL UNIQUE, program TEXT NOT NULL, target TEXT NOT NULL,
      firmware TEXT NOT NULL, rules TEXT NOT NULL, seed TEXT NOT NULL, bench TEXT, instruments TEXT NOT NULL, operator TEXT NOT NULL,
      host TEXT NOT NULL, started BIGINT NOT NULL)
    """
  )

  let store: any LedgerStore

  /// Adds a run. One of the same name and the same subject is the same run, which goes on.
  ///
  /// - Throws: `contradiction` where the name belongs to a run of something else.
  func insert(_ run: LedgerRun) throws(LedgerFailure) {
    if let known = try all().first(where: { $0.id == run.id }) {
      guard known.program == run.program, known.target == run.target, known.firmware == run.firmware,
        known.rules == run.rules, known.seed == run.seed
      else { throw .contradiction(run: run.id, scenario: "\(known.firmware), seed \(known.seed)") }
      return
    }
    _ = try store.run(
      """
      INSERT INTO ledger_runs (sequence, run, program, target, firmware, rules, seed, bench, instruments, operator,
        host, started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(try store.nextSequence(in: "ledger_runs")), .text(run.id), .text(run.program), .text(run.target),
        .text(run.firmware), .text(run.rules), .text(String(run.seed)), .text(run.bench), .text(run.instruments),
        .text(run.operatorName), .text(run.host), .integer(run.started),
      ])
  }

  /// All runs, in the order in which they were written.
  func all() throws(LedgerFailure) -> [LedgerRun] {
    let rows = try store.run(
      """
      SELECT run, program, target, firmware, rules, seed, bench, instruments, operator, host, started, sequence
      FROM ledger_runs ORDER BY sequence
      """, [])
    return try rows.map { row throws(LedgerFailure) in
      guard let seed = UInt64(try row.text(5)) else { throw row.damaged(5, "a seed") }
      var run = LedgerRun(
        id: try row.text(0), program: try row.text(1), target: try row.text(2), firmware: try row.text(3),
        rules: try row.text(4), seed: seed,
        bench: try row.optionalText(6), instruments: try row.text(7), operatorName: try row.text(8),
        host: try row.text(9), started: try row.integer(10))
      run.sequence = try row.integer(11)
      return run
    }
  }
}
