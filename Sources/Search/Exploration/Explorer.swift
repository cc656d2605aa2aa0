import Runner
import Timeline

/// Searches the schedules for one that fails: draws them, runs them, keeps those that reach something new and changes them
/// further.
///
/// What is drawn depends on the seed and on what earlier runs reached. Runs are drawn in batches, and a batch is counted as
/// a whole, so the number of threads makes no difference; time decides only how many batches there are.
package struct Explorer {
  /// How much is explored.
  package struct Plan: Sendable {
    /// The seed of all choices.
    package var seed: UInt64 = 1
    /// The number of runs; `nil` for as many as there is time.
    package var runs: Int?
    /// How many runs at a time.
    package var jobs = 1
    /// Behaviours of the published firmware that the recorder has, by their names in scenarios.
    package var published: [String] = []
    /// What the recorders run.
    package var scope = ScheduleScope.model
    /// What was asked for, in the words of the command line, for readers of the files.
    package var origin = "--seed 1"

    /// A plan with seed 1 and one thread, without end.
    package init() {}
  }

  /// What there is to tell while it goes on.
  package enum Event: Sendable {
    /// So much was done and reached.
    case progress(Progress, Corpus)
    /// A run failed for a reason that was not seen before, and is about to be made small.
    case failed(TrialFailure, run: Int)
    /// A failure was found, and made small.
    case found(Finding)
  }

  /// How far an exploration is.
  package struct Progress: Hashable, Sendable {
    /// The runs, without those that made findings small.
    package var runs = 0
    /// The transitions of state charts that were taken.
    package var transitions = 0
    /// The pairs of state and event that were seen.
    package var pairs = 0
    /// The schedules that reached something new and are changed further.
    package var kept = 0
    /// The different reasons of failures.
    package var findings = 0
    /// The runs that lacked something and say nothing.
    package var blocked = 0
    /// What the first of them lacked.
    package var lack: String?
    /// Whether runs were made, and none of them says anything.
    package var isAllBlocked: Bool { runs > 0 && blocked == runs }
  }

  private struct Draft: Sendable {
    let schedule: Schedule
    let number: Int
    let text: ScheduleText
  }

  private let plan: Plan
  private let trials: any ScheduleTrials

  package init(_ plan: Plan, _ trials: any ScheduleTrials) {
    self.plan = plan
    self.trials = trials
  }

  /// Explores until the plan is done or `isStopped` says so, which is asked between batches. Runs that somebody ended before
  /// their time count for nothing. Returns what was found and what was reached.
  package func run(
    isStopped: () -> Bool, _ tell: (Event) -> Void
  ) -> (findings: [Finding], corpus: Corpus, progress: Progress) {
    let generator = ScheduleGenerator(ChoiceSource(seed: plan.seed).stream("explore"), for: plan.scope)
    let reduction = FindingReduction(trials: trials, origin: plan.origin, scope: plan.scope)
    var corpus = Corpus()
    var findings: [Finding] = []
    var progress = Progress()
    while !isStopped() {
      let count = min(plan.scope.batch, (plan.runs ?? .max) - progress.runs)
      if count <= 0 { break }
      let drafts = (0..<count).map { draft(progress.runs + $0 + 1, generator, &corpus) }
      let outcomes = outcomes(of: drafts)
      let before = progress.runs
      for (draft, outcome) in zip(drafts, outcomes) where !outcome.isInterrupted {
        progress.runs += 1
        corpus.take(outcome.reached, outcome.executed, of: draft.schedule, keeps: outcome.isWhole)
        if let lack = outcome.lack {
          progress.blocked += 1
          progress.lack = progress.lack ?? lack
        }
        for failure in outcome.failures {
          if let known = findings.firstIndex(where: { $0.failure.cause == failure.cause }) {
            findings[known].count += 1
            continue
          }
          tell(.failed(failure, run: draft.number))
          let finding = reduction.finding(
            draft.schedule, failure, run: draft.number, after: findings, as: draft.text, performed: outcome.performed)
          findings.append(finding)
          tell(.found(finding))
        }
      }
      progress = Progress(
        runs: progress.runs, transitions: corpus.transitionCount, pairs: corpus.pairCount,
        kept: corpus.schedules.count, findings: findings.count, blocked: progress.blocked, lack: progress.lack)
      if Self.isMark(between: before, and: progress.runs) { tell(.progress(progress, corpus)) }
      if outcomes.contains(where: \.isInterrupted) { break }
    }
    return (findings, corpus, progress)
  }

  private func outcomes(of drafts: [Draft]) -> [TrialOutcome] {
    let trials = trials
    let outcomes = ParallelRuns(jobs: plan.jobs).run(drafts.count) { index in
      trials.run(drafts[index].schedule, as: drafts[index].text, repetition: 0)
    }
    return outcomes.compactMap { $0 }
  }

  private func draft(_ number: Int, _ generator: ScheduleGenerator, _ corpus: inout Corpus) -> Draft {
    Draft(
      schedule: generator.next(after: &corpus), number: number,
      text: ScheduleText(id: "explored-\(plan.seed)-\(number)", published: plan.published))
  }

  /// Whether a round number of runs, 1, 2 or 5 with zeros, was passed.
  static func isMark(between before: Int, and after: Int) -> Bool {
    var decade = 1
    while decade <= after {
      if [1, 2, 5].contains(where: { before < $0 * decade && $0 * decade <= after && decade >= 10 }) { return true }
      decade *= 10
    }
    return false
  }
}
