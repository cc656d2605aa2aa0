import Bytes
import Reports
import ScenarioLanguage
import Synchronization
import Text
import Verdicts

/// Shows on standard error how far a run is: a line that is rewritten on a terminal, and what did not pass as it comes.
final class Progress: Sendable {
  private struct State {
    var ended = 0
    var notPassed = 0
  }

  private let console: Console
  private let total: Int?
  private let state = Mutex(State())

  /// `total` is `nil` where nobody knows it yet.
  init(_ console: Console, total: Int?) {
    self.console = console
    self.total = total
  }

  /// Takes a scenario that ended.
  func ended(_ scenario: ScenarioReport) {
    let report = ProgressLine(console.style)
    state.withLock { state in
      state.ended += 1
      if scenario.verdict != .passed {
        state.notPassed += 1
        let reason = PlainText.escaped(scenario.verdict.reason ?? "")
        console.note((report.clearing ?? "") + "\(scenario.verdict.kind.rawValue)  \(scenario.name)  \(reason)")
      }
      if let leftover = scenario.leftover {
        console.note((report.clearing ?? "") + "\(scenario.name)  \(PlainText.escaped(leftover, limit: 400))")
      }
      let line = report.text(
        finished: state.ended, of: total, failed: state.notPassed, running: scenario.name)
      if let line { console.progress(line) }
    }
  }

  /// Takes the line away.
  func finish() {
    if let clearing = ProgressLine(console.style).clearing { console.progress(clearing) }
  }
}
