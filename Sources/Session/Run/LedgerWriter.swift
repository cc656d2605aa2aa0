import Ledger
import Runner
import ScenarioLanguage
import Synchronization
import Timeline
import Verdicts

/// Writes one run into a ledger, each row before anybody is told of it.
///
/// The first row that cannot be written ends the run: its scenario becomes a bench error, and no further one begins.
package final class LedgerWriter: Sendable {
  /// What is known of a run besides its plan.
  package struct Subject: Sendable {
    /// The name of the run.
    package var run: String
    /// Who is responsible for it.
    package var operatorName: String
    /// Name, version and origin of the program.
    package var program: String
    /// A digest of what judges: the catalogue of requirements and the declared defects.
    package var rules: String
    /// The bench session for which the run counts; `nil` for the open one of its bench, if any.
    package var session: String?

    package init(run: String, operatorName: String, program: String, rules: String) {
      self.run = run
      self.operatorName = operatorName
      self.program = program
      self.rules = rules
    }
  }

  private let ledger: RunLedger
  private let subject: Subject
  private let fingerprints: ScenarioFingerprints
  private let failure = Mutex<LedgerFailure?>(nil)
  private let joined = Mutex<SessionPulse?>(nil)

  /// A writer for the run that `subject` names, with the fingerprints of its scenarios.
  package init(_ ledger: RunLedger, _ subject: Subject, _ fingerprints: ScenarioFingerprints) {
    self.ledger = ledger
    self.subject = subject
    self.fingerprints = fingerprints
  }

  /// Why a row could not be written; `nil` as long as all were.
  package var trouble: LedgerFailure? { failure.withLock { $0 } }

  /// Microseconds since 1970 by the machine's clock.
  var now: Int64 { ledger.now() }

  /// What writes how long the run keeps a bench session busy; `nil` where it counts for none.
  var pulse: SessionPulse? { joined.withLock { $0 } }

  /// Writes what is known before the first scenario. Returns what there is to tell of a bench session.
  func begin(_ plan: RunPlan, _ heading: RunReport, _ bench: BenchRecord?) throws(LedgerFailure) -> RunEvent? {
    let parts = (bench?.parts ?? []).map { "\($0.name) \($0.identity)" }
    let run = LedgerRun(
      id: subject.run, program: subject.program, target: heading.target, firmware: plan.firmware, rules: subject.rules,
      seed: heading.seed, bench: bench.map { $0.place ?? "without a name" },
      instruments: parts.joined(separator: "; "), operatorName: subject.operatorName, host: heading.host, started: now)
    let joined = try ledger.begin(run, session: subject.session, on: bench?.place)
    guard let (session, stream) = joined else { return nil }
    if let stream { beat(stream, in: session, plan.settings) }
    return .session(session)
  }

  private func beat(_ stream: String, in session: BenchSession, _ settings: RunSettings) {
    let isReal = settings.hardware != nil || settings.application != nil
    let pulse = SessionPulse(stream, isReal: isReal) { [weak self, ledger, subject] beat, isLast in
      guard let self, trouble == nil else { return }
      _ = note { () throws(LedgerFailure) in
        try ledger.beat(beat, isLast: isLast, in: session.id, by: subject.operatorName)
      }
    }
    joined.withLock { $0 = pulse }
  }

  /// Writes an attempt, by its number among all attempts at the scenario in repetition `turn`. Returns why that is
  /// impossible.
  func attempted(
    _ scenario: Scenario, turn: Int, number: Int, _ report: ScenarioReport, began: Int64
  ) -> BenchTrouble? {
    note { () throws(LedgerFailure) in
      try ledger.add(
        LedgerAttempt(
          key: key(scenario, turn), number: number, scenarioHash: fingerprints[scenario],
          verdict: report.verdict.kind.rawValue, reason: report.verdict.reason,
          traceHash: report.traceHash?.description, began: began, ended: now))
    }
  }

  /// Writes what all attempts at a scenario come to. Returns why that is impossible.
  func concluded(_ scenario: Scenario, turn: Int, _ report: ScenarioReport) -> BenchTrouble? {
    let verdict = LedgerVerdict(
      key: key(scenario, turn), scenarioHash: fingerprints[scenario], verdict: report.verdict.kind.rawValue,
      reason: report.verdict.reason, attempts: report.attempts.map(\.kind.rawValue),
      traceHash: report.traceHash?.description, recorded: now)
    return note { () throws(LedgerFailure) in
      try ledger.add(
        verdict, RequirementStatement.of(report),
        [
          Figure("virtual-time", report.virtualDuration.wholeNanoseconds, "ns"),
          Figure("wall-time", report.wallDuration.wholeNanoseconds, "ns"),
        ] + report.figures)
    }
  }

  /// Writes that the run ended.
  func end(_ status: ExitCode) {
    guard trouble == nil else { return }
    _ = note { () throws(LedgerFailure) in try ledger.end(subject.run, status: status.rawValue) }
  }

  private func key(_ scenario: Scenario, _ turn: Int) -> ResultKey {
    ResultKey(run: subject.run, scenario: scenario.id, cell: scenario.cell.description, repetition: turn)
  }

  private func note(_ write: () throws(LedgerFailure) -> Void) -> BenchTrouble? {
    do { try write() } catch {
      failure.withLock { $0 = $0 ?? error }
      return BenchTrouble(error.description)
    }
    return nil
  }
}
