import Ledger
import ScenarioLanguage
import Verdicts

/// What a ledger holds of one firmware on one target, judged by the same program and the same rules. Results that belong to
/// another version of a scenario are not among them.
struct LedgerResults {
  /// What the results must be about.
  struct Subject: Sendable {
    var program: String
    var target: String
    var firmware: String
    var rules: String
    var seed: UInt64

    /// Whether a run is about it.
    func matches(_ run: LedgerRun) -> Bool {
      run.program == program && run.target == target && run.firmware == firmware && run.rules == rules
        && run.seed == seed
    }
  }

  /// One result, with what the scenario said.
  struct Result {
    var verdict: LedgerVerdict
    var statements: [RequirementStatement]
    /// What it measured, how long it took left out.
    var figures: [Figure]

    /// A row of the ledger with all that belongs to it.
    init(_ verdict: LedgerVerdict, _ statements: [RequirementStatement], _ figures: [Figure]) {
      self.verdict = verdict
      self.statements = statements
      self.figures = figures.filter { $0.unit != LedgerResults.unitOfTime }
    }

    /// Whether the device was judged. Where it was not, the scenario is tried again.
    var isDecided: Bool { !isBlocked && !isError }

    /// Whether the scenario could not be tried.
    var isBlocked: Bool { verdict.verdict == Verdict.Kind.blocked.rawValue }

    /// Whether the bench or the program failed.
    var isError: Bool {
      [Verdict.Kind.benchError, .harnessError].map(\.rawValue).contains(verdict.verdict)
    }

    /// Whether it stays although another result came later. The first one that judged does; without one the last that was
    /// blocked is told, and else the last error.
    func stays(before later: Result) -> Bool { isDecided || (isBlocked && later.isError) }
  }

  private struct Place: Hashable {
    var name: String
    var repetition: Int
  }

  private var results: [Place: Result] = [:]
  /// The machines on which the runs took place, in order of their names.
  private(set) var hosts: [String] = []

  /// Reads what a ledger holds about scenarios.
  ///
  /// - Throws: what the ledger throws.
  init(
    _ ledger: RunLedger, about subject: Subject, _ scenarios: [Scenario], _ fingerprints: ScenarioFingerprints
  ) throws(LedgerFailure) {
    let hashes = Dictionary(scenarios.map { ($0.name, fingerprints[$0]) }) { first, _ in first }
    for (run, _) in try ledger.runs() where subject.matches(run) {
      let said = Dictionary(grouping: try ledger.statements(of: run.id), by: \.key)
      let figures = Dictionary(grouping: try ledger.figures(of: run.id), by: \.key)
      if !hosts.contains(run.host) { hosts.append(run.host) }
      for verdict in try ledger.verdicts(of: run.id) where hashes[verdict.key.name] == verdict.scenarioHash {
        take(
          Result(
            verdict, (said[verdict.key] ?? []).map(\.statement), (figures[verdict.key] ?? []).map(\.figure)))
      }
    }
    hosts.sort()
  }

  /// Reads what a run that is about the same wrote last: a scenario in some repetitions.
  ///
  /// - Throws: what the ledger throws.
  mutating func take(
    _ scenario: Scenario, _ turns: Range<Int>, of run: String, from ledger: RunLedger
  ) throws(LedgerFailure) {
    for turn in turns {
      let key = ResultKey(run: run, scenario: scenario.id, cell: scenario.cell.description, repetition: turn)
      guard let (verdict, statements, figures) = try ledger.result(key) else { continue }
      take(Result(verdict, statements, figures))
    }
  }

  private mutating func take(_ result: Result) {
    let key = result.verdict.key
    let place = Place(name: key.name, repetition: key.repetition)
    if results[place]?.stays(before: result) != true { results[place] = result }
  }

  /// The unit of the figures that every scenario has: how long it took.
  private static let unitOfTime = "ns"

  /// The result of a scenario in one repetition, from 0; `nil` where there is none.
  subscript(scenario: Scenario, repetition: Int) -> Result? {
    results[Place(name: scenario.name, repetition: repetition)]
  }
}
