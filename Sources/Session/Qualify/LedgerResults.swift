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

    /// Whether the device was judged, or never can be on this target.
    var isDecided: Bool {
      ![Verdict.Kind.benchError, .harnessError].map(\.rawValue).contains(verdict.verdict)
    }
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
        let measured = (figures[verdict.key] ?? []).map(\.figure).filter { $0.unit != Self.unitOfTime }
        let result = Result(
          verdict: verdict, statements: (said[verdict.key] ?? []).map(\.statement),
          figures: measured.map { Figure($0.name, $0.value, $0.unit) })
        let place = Place(name: verdict.key.name, repetition: verdict.key.repetition)
        // The first result that judged stays; a bench error only holds the place of one.
        if results[place] == nil || (result.isDecided && results[place]?.isDecided == false) {
          results[place] = result
        }
      }
    }
    hosts.sort()
  }

  /// The unit of the figures that every scenario has: how long it took.
  private static let unitOfTime = "ns"

  /// The result of a scenario in one repetition, from 0; `nil` where there is none.
  subscript(scenario: Scenario, repetition: Int) -> Result? {
    results[Place(name: scenario.name, repetition: repetition)]
  }
}
