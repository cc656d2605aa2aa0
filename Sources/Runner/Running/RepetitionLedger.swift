import Synchronization
import Verdicts

/// Counts the repetitions of a run, and decides how much of each is kept: a run may go on for hours, and what passes
/// again, or fails again in the same words, says little that is new.
package final class RepetitionLedger: Sendable {
  /// Scenarios that a report lists one by one; a turn that begins beyond lists what is new alone.
  package static let listingLimit = 20_000
  /// Attempts at one scenario that did not pass for what seems to be one cause, of which everything is kept.
  package static let sameCauseLimit = 3

  fileprivate struct State {
    var tallies: [RepetitionTally]
    /// Requirements that a scenario was seen to show already.
    var shown: [Set<String>]
    /// How often each scenario did not pass for each cause.
    var causes: [[String: Int]]
    /// Transitions that a scenario was seen to take already, by their chart.
    var charts: [[String: Set<Int>]]
    var turns = 0
    var unlisted = 0
    var hasFailed = false
  }

  private let state: Mutex<State>
  private let count: Int

  /// A ledger of scenarios by id and cell.
  package init(_ scenarios: [(id: String, cell: String)]) {
    count = scenarios.count
    state = Mutex(
      State(
        tallies: scenarios.map { RepetitionTally(id: $0.id, cell: $0.cell) },
        shown: Array(repeating: [], count: scenarios.count), causes: Array(repeating: [:], count: scenarios.count),
        charts: Array(repeating: [:], count: scenarios.count)))
  }

  /// Whether a device has failed; trouble of the bench is none of the device's.
  package var hasDeviceFailed: Bool { state.withLock { $0.hasFailed } }

  /// The outcome of all repetitions.
  package var repetitions: RunReport.Repetitions {
    state.withLock { RunReport.Repetitions(turns: $0.turns, tallies: $0.tallies, unlisted: $0.unlisted) }
  }

  /// Whether an attempt in a repetition, from 0, says something new: every one of the first repetition does, and the first
  /// few that did not pass for one cause. Asked once of each attempt, because it counts.
  package func isNews(_ attempt: ScenarioReport, _ index: Int, turn: Int) -> Bool {
    guard attempt.verdict.kind != .passed else { return turn == 0 }
    let key = FailureCause.key(of: attempt)
    return state.withLock { state in
      state.causes[index][key, default: 0] += 1
      return turn == 0 || state.causes[index][key, default: 0] <= Self.sameCauseLimit
    }
  }

  /// Counts the outcome of a scenario in a repetition, from 0, of which at least one attempt is news or none. Returns the
  /// report to keep; `nil` when only the count is kept.
  package func take(_ report: ScenarioReport, _ index: Int, turn: Int, isNews: Bool) -> ScenarioReport? {
    state.withLock { state in
      state.turns = max(state.turns, turn + 1)
      state.tallies[index].count(report.attempts)
      if report.attempts.contains(where: { $0.kind == .failed }) { state.hasFailed = true }
      if !isNews, turn * count >= Self.listingLimit {
        state.unlisted += 1
        return nil
      }
      return state.kept(report, index, isWhole: isNews)
    }
  }
}

extension RepetitionLedger.State {
  /// What is kept of a report: all of it, or besides its verdict only what the scenario was not seen to do before.
  fileprivate mutating func kept(_ report: ScenarioReport, _ index: Int, isWhole: Bool) -> ScenarioReport {
    var short = report
    short.findings = report.findings.filter {
      $0.outcome == .shown && !shown[index].contains($0.declaration.requirement)
    }
    short.steps = report.steps.filter {
      $0.outcome.isPassed && !$0.shows.isEmpty && !shown[index].isSuperset(of: $0.shows)
    }
    short.chartLogs = report.chartLogs.filter {
      let (old, taken) = (charts[index][$0.chart, default: []], $0.log.taken.numbers)
      charts[index][$0.chart] = old.union(taken)
      return !old.isSuperset(of: taken)
    }
    short.lastEvents = []
    short.account?.forgetDetails()
    for finding in short.findings { shown[index].insert(finding.declaration.requirement) }
    for step in short.steps { shown[index].formUnion(step.shows) }
    return isWhole ? report : short
  }
}
