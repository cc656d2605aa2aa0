import Synchronization
import Verdicts

/// Counts the repetitions of a run, and decides how much of each is kept: a run may go on for hours, and what passes
/// again says little that is new.
package final class RepetitionLedger: Sendable {
  /// Scenarios that a report lists one by one; a turn that begins beyond lists what did not pass alone.
  package static let listingLimit = 20_000

  private struct State {
    var tallies: [RepetitionTally]
    /// Requirements that a scenario was seen to show already.
    var shown: [Set<String>]
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
        shown: Array(repeating: [], count: scenarios.count)))
  }

  /// Whether a device has failed; trouble of the bench is none of the device's.
  package var hasDeviceFailed: Bool { state.withLock { $0.hasFailed } }

  /// The outcome of all repetitions.
  package var repetitions: RunReport.Repetitions {
    state.withLock { RunReport.Repetitions(turns: $0.turns, tallies: $0.tallies, unlisted: $0.unlisted) }
  }

  /// Whether the full report of a repetition is kept: that of the first, and of every one that did not pass.
  package static func keepsAll(_ report: ScenarioReport, turn: Int) -> Bool {
    turn == 0 || report.attempts.contains { $0.kind != .passed }
  }

  /// Counts the outcome of a scenario in a repetition, from 0. Returns the report to keep; `nil` when only the count is
  /// kept.
  package func take(_ report: ScenarioReport, _ index: Int, turn: Int) -> ScenarioReport? {
    state.withLock { state in
      state.turns = max(state.turns, turn + 1)
      state.tallies[index].count(report.attempts)
      if report.attempts.contains(where: { $0.kind == .failed }) { state.hasFailed = true }
      let shown = report.findings.filter { $0.outcome == .shown }
      let news = shown.filter { !state.shown[index].contains($0.declaration.requirement) }
      for finding in news { state.shown[index].insert(finding.declaration.requirement) }
      if Self.keepsAll(report, turn: turn) {
        for step in report.steps where step.outcome.isPassed { state.shown[index].formUnion(step.shows) }
        return report
      }
      guard turn * count < Self.listingLimit else {
        state.unlisted += 1
        return nil
      }
      var report = report
      report.steps = report.steps.filter { !$0.shows.isEmpty && !state.shown[index].isSuperset(of: $0.shows) }
      for step in report.steps { state.shown[index].formUnion(step.shows) }
      report.findings = news
      return report
    }
  }
}
