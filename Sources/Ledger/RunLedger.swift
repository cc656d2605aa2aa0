import Synchronization
import Verdicts

/// The record of every run: what was tested, with what, and what came of it. Rows are added and never changed.
///
/// It may be used from several threads; each operation is one transaction.
package final class RunLedger: Sendable {
  /// What a ledger is opened for.
  package enum Purpose: Sendable {
    /// Runs are added. A ledger that is not there is made, also of an empty file or database.
    case writing
    /// Runs are read. A ledger that is not there is a failure; so is an empty file or database.
    case reading
  }

  private let store: Mutex<any LedgerStore>
  /// Microseconds since 1970-01-01 00:00:00 UTC by the machine's clock.
  package let now: @Sendable () -> Int64

  /// Opens a ledger, and brings it to the version that this program knows.
  ///
  /// - Throws: why it cannot be opened; a ledger of a later version is refused.
  package convenience init(
    _ url: LedgerURL, for purpose: Purpose, program: String, now: @escaping @Sendable () -> Int64
  ) throws(LedgerFailure) {
    switch url {
    case .file(let path):
      try self.init(try SQLiteStore(path, makes: purpose == .writing), for: purpose, program: program, now: now)
    case .server(let address):
      try self.init(try PostgreSQLStore(address, called: "\(url)"), for: purpose, program: program, now: now)
    }
  }

  /// Takes a connection that was opened.
  init(
    _ store: sending any LedgerStore, for purpose: Purpose = .writing, program: String,
    now: @escaping @Sendable () -> Int64
  ) throws(LedgerFailure) {
    try LedgerSchema.prepare(store, makes: purpose == .writing, program: program, now: now())
    self.now = now
    self.store = Mutex(store)
  }

  /// Adds a run before its first scenario. One that is there already goes on.
  ///
  /// - Throws: `contradiction` where a run of that name tested something else.
  package func begin(_ run: LedgerRun) throws(LedgerFailure) {
    try transaction { store throws(LedgerFailure) in try RunTable(store: store).insert(run) }
  }

  /// Adds an attempt at a scenario.
  package func add(_ attempt: LedgerAttempt) throws(LedgerFailure) {
    try transaction { store throws(LedgerFailure) in try AttemptTable(store: store).insert(attempt) }
  }

  /// Adds a verdict with all that the scenario says about requirements, and what it measured. What is there already is
  /// not added again.
  package func add(
    _ verdict: LedgerVerdict, _ statements: [RequirementStatement], _ figures: [Figure]
  ) throws(LedgerFailure) {
    try transaction { store throws(LedgerFailure) in
      guard try VerdictTable(store: store).insert(verdict) else { return }
      try StatementTable(store: store).insert(statements, of: verdict.key)
      try FigureTable(store: store).insert(figures, of: verdict.key)
    }
  }

  /// Adds that a run ended, with its exit status.
  package func end(_ run: String, status: Int32) throws(LedgerFailure) {
    let ended = now()
    try transaction { store throws(LedgerFailure) in
      try EndingTable(store: store).insert(run, at: ended, status: status)
    }
  }

  /// All runs in the order in which they were written, each with its last exit status; `nil` where it has not ended.
  package func runs() throws(LedgerFailure) -> [(run: LedgerRun, status: Int64?)] {
    try transaction { store throws(LedgerFailure) in
      let statuses = try EndingTable(store: store).statuses()
      return try RunTable(store: store).all().map { ($0, statuses[$0.id]) }
    }
  }

  /// The attempts of a run, in the order in which they were written.
  package func attempts(of run: String) throws(LedgerFailure) -> [LedgerAttempt] {
    try transaction { store throws(LedgerFailure) in try AttemptTable(store: store).all(of: run) }
  }

  /// The verdicts of a run, in the order in which they were written.
  package func verdicts(of run: String) throws(LedgerFailure) -> [LedgerVerdict] {
    try transaction { store throws(LedgerFailure) in try VerdictTable(store: store).all(of: run) }
  }

  /// A verdict, with what the scenario says about requirements in its order, and what it measured; `nil` where there is
  /// none of that key.
  package func result(
    _ key: ResultKey
  ) throws(LedgerFailure) -> (verdict: LedgerVerdict, statements: [RequirementStatement], figures: [Figure])? {
    try transaction { store throws(LedgerFailure) in
      guard let verdict = try VerdictTable(store: store).one(key) else { return nil }
      return (verdict, try StatementTable(store: store).all(of: key), try FigureTable(store: store).all(of: key))
    }
  }

  /// The verdicts of a scenario over all runs, in the order in which they were written.
  package func verdicts(about scenario: String) throws(LedgerFailure) -> [LedgerVerdict] {
    try transaction { store throws(LedgerFailure) in try VerdictTable(store: store).all(about: scenario) }
  }

  /// What the scenarios of a run say about requirements; what one scenario says is in its order.
  package func statements(
    of run: String
  ) throws(LedgerFailure) -> [(key: ResultKey, statement: RequirementStatement)] {
    try transaction { store throws(LedgerFailure) in try StatementTable(store: store).all(of: run) }
  }

  /// What all runs say about a requirement.
  package func statements(
    about requirement: String
  ) throws(LedgerFailure) -> [(key: ResultKey, statement: RequirementStatement)] {
    try transaction { store throws(LedgerFailure) in try StatementTable(store: store).all(about: requirement) }
  }

  /// A figure in all runs.
  package func figures(named name: String) throws(LedgerFailure) -> [(key: ResultKey, figure: Figure)] {
    try transaction { store throws(LedgerFailure) in try FigureTable(store: store).all(named: name) }
  }

  /// The names of all figures, in order.
  package func figureNames() throws(LedgerFailure) -> [String] {
    try transaction { store throws(LedgerFailure) in try FigureTable(store: store).names() }.sorted()
  }

  /// Keeps the document of a qualification, and the waivers that it saw on a day.
  package func keep(
    _ document: String, of firmware: String, _ waivers: [Waiver], on today: String
  ) throws(LedgerFailure) {
    let recorded = now()
    try transaction { store throws(LedgerFailure) in
      try QualificationTable(store: store).insert(firmware, at: recorded, document)
      try WaiverTable(store: store).insert(waivers, of: firmware, on: today)
    }
  }

  /// The last document about a firmware; `nil` where there is none.
  package func qualification(of firmware: String) throws(LedgerFailure) -> String? {
    try transaction { store throws(LedgerFailure) in try QualificationTable(store: store).last(about: firmware) }
  }

  /// The last document about each firmware but one, oldest first.
  package func qualifications(but firmware: String) throws(LedgerFailure) -> [String] {
    try transaction { store throws(LedgerFailure) in try QualificationTable(store: store).lastOfEach(but: firmware) }
  }

  /// Takes in all runs of another ledger. What is here already is not added again.
  package func takeAll(from other: RunLedger) throws(LedgerFailure) {
    for (run, status) in try other.runs() {
      try begin(run)
      for attempt in try other.attempts(of: run.id) { try add(attempt) }
      let said = Dictionary(grouping: try other.statements(of: run.id), by: \.key)
      let figures = Dictionary(grouping: try other.figures(of: run.id), by: \.key)
      for verdict in try other.verdicts(of: run.id) {
        try add(
          verdict, (said[verdict.key] ?? []).map(\.statement), (figures[verdict.key] ?? []).map(\.figure))
      }
      if let status { try end(run.id, status: Int32(clamping: status)) }
    }
  }

  /// The figures of a run.
  package func figures(
    of run: String
  ) throws(LedgerFailure) -> [(key: ResultKey, figure: Figure)] {
    try transaction { store throws(LedgerFailure) in try FigureTable(store: store).all(of: run) }
  }

  /// Performs one transaction.
  func transaction<Value: Sendable>(
    _ body: @Sendable (any LedgerStore) throws(LedgerFailure) -> Value
  ) throws(LedgerFailure) -> Value {
    try store.withLock { store throws(LedgerFailure) in
      let connection = store
      return try connection.transaction { () throws(LedgerFailure) in try body(connection) }
    }
  }
}
