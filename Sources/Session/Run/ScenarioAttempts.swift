import Verdicts
import Runner
import ScenarioLanguage

/// Makes all attempts at one scenario, each with its files.
struct ScenarioAttempts {
  private let scenario: Scenario
  private let turn: Int
  private let number: Int
  private let plan: RunPlan
  private let performer: any ScenarioPerformer
  private let files: any RunFiles
  private let references: ReferenceRuns?
  private let ledger: LedgerWriter?
  private let isNews: (ScenarioReport) -> Bool
  private let recover: (BenchTrouble) -> AttemptSequence.Recovery?
  /// The attempts of another bench, which failed in them.
  var earlier: [ScenarioReport] = []
  /// Whether all attempts, which are given, are left to another bench to go on with.
  var handsOver: ([ScenarioReport]) -> Bool = { _ in false }
  /// Told why files of a failed attempt cannot be written: its verdict does not say it.
  var lost: (any Error) -> Void = { _ in }

  /// Attempts in repetition `turn`, from 0, of the scenario at place `number` of the run. Failures are compared with
  /// `references`. Results are written into `ledger` before anything else. `isNews` tells of each attempt whether all of
  /// it is kept. `recover` brings the bench back after it failed; it returns `nil` where there is nothing to bring back.
  init(
    _ scenario: Scenario, turn: Int, number: Int, _ plan: RunPlan, _ performer: any ScenarioPerformer,
    _ files: any RunFiles, _ references: ReferenceRuns? = nil, ledger: LedgerWriter? = nil,
    isNews: @escaping (ScenarioReport) -> Bool, recover: @escaping (BenchTrouble) -> AttemptSequence.Recovery?
  ) {
    self.scenario = scenario
    self.turn = turn
    self.number = number
    self.plan = plan
    self.performer = performer
    self.files = files
    self.references = references
    self.ledger = ledger
    self.isNews = isNews
    self.recover = recover
  }

  /// Makes the attempts. Returns what they come to together, and whether one of them is news; `nil` where another bench
  /// goes on with them, and where the run was interrupted before the scenario began.
  func run() -> (report: ScenarioReport, isNews: Bool)? {
    var sequence = AttemptSequence(retries: plan.retries, after: earlier)
    var kept: (any AttemptFiles)?
    var hasNews = false
    var action = sequence.first
    while true {
      switch action {
      case .attempt(let count, let isAgain):
        let began = ledger?.now ?? 0
        guard let (told, isNews, files) = attempt(count, isAgain: isAgain) else { return nil }
        var report = told
        hasNews = hasNews || isNews
        let number = sequence.attempts.count
        if let trouble = ledger?.attempted(scenario, turn: turn, number: number, report, began: began) {
          report.verdict = .benchError(trouble)
        }
        action = sequence.ended(report, isAgain: isAgain, isInterrupted: isInterrupted)
        // What is reported of another bench has left its files there.
        if sequence.reportsLast || kept == nil { kept = files }
      case .recover(let trouble): action = sequence.recovered(recover(trouble), isInterrupted: isInterrupted)
      case .finish where handsOver(sequence.attempts): return nil
      case .finish: return (ended(sequence, hasNews ? kept : nil), hasNews)
      }
    }
  }

  private var isInterrupted: Bool { plan.settings.interruption.isRequested || ledger?.trouble != nil }

  private func ended(_ sequence: AttemptSequence, _ kept: (any AttemptFiles)?) -> ScenarioReport {
    guard var report = sequence.result else { preconditionFailure("a scenario ends after its first attempt") }
    // What an interruption ended is among the attempts and has no result, so that whoever goes on tries it again.
    let isCutShort = plan.settings.interruption.isRequested && report.verdict.kind == .benchError
    if let trouble = ledger?.trouble.map({ BenchTrouble($0.description) })
      ?? (isCutShort ? nil : ledger?.concluded(scenario, turn: turn, report))
    {
      report.verdict = .benchError(trouble)
    }
    do { try files.keep(kept, of: scenario, number: number) } catch {
      report.verdict = verdict(report.verdict, without: error)
    }
    return report
  }

  /// Makes one attempt, which is `nil` where the scenario never began. Its files are `nil` where none could be written.
  private func attempt(_ count: Int, isAgain: Bool) -> (ScenarioReport, isNews: Bool, (any AttemptFiles)?)? {
    var settings = plan.settings
    settings.repetition = AttemptNumber.of(turn: turn, retry: count)
    var attempt: (any AttemptFiles)?
    var trouble: (any Error)?
    let suffix = (earlier.isEmpty ? "" : ".other-bench") + (isAgain ? ".again" : "")
    do {
      attempt = try files.begin(scenario, settings.repetition, as: suffix.isEmpty ? nil : scenario.name + suffix)
    } catch { trouble = error }
    let live = references?.collector
    let recordings = ledger?.pulse?.observer()
    let observer = BothObservers.of(BothObservers.of(attempt, live), recordings)
    var report = performer.perform(scenario, settings, sinks: attempt?.sinks ?? [], observer: observer)
    recordings?.ended(report)
    // Its files go with those that hold them.
    if report.neverBegan { return nil }
    let isNews = isNews(report)
    if isNews {
      let difference = references?.difference(of: report, scenario, live: live)
      report.account?.take(difference)
    }
    // A capture that cannot be written takes no event log with it.
    do { report.capture = try attempt?.close(report, isNews: isNews) } catch { trouble = error }
    if let trouble { report.verdict = verdict(report.verdict, without: trouble) }
    return (report, isNews, attempt)
  }

  /// What a scenario came to whose reports cannot be written. A device that failed did so whatever becomes of the files.
  private func verdict(_ verdict: Verdict, without trouble: any Error) -> Verdict {
    guard case .failed = verdict else { return .benchError(BenchTrouble("cannot write the reports: \(trouble)")) }
    lost(trouble)
    return verdict
  }
}
