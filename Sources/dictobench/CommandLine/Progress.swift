import Requirements
import ScenarioLanguage
import Synchronization

/// Shows on standard error how far a run is: a line that is rewritten on a terminal, nothing in continuous integration
/// but what did not pass.
final class Progress: Sendable {
  private struct State {
    var ended = 0
    var notPassed = 0
  }

  private let console: Console
  private let count: Int
  private let state = Mutex(State())

  init(_ console: Console, count: Int) {
    self.console = console
    self.count = count
  }

  /// Takes a scenario that ended.
  func ended(_ report: ScenarioReport) {
    state.withLock { state in
      state.ended += 1
      if report.verdict != .passed {
        state.notPassed += 1
        let reason = TerminalText.escaped(report.verdict.reason ?? "")
        console.note(
          (console.isAnimated ? "\r\u{1B}[K" : "") + "\(report.verdict.kind.rawValue)  \(report.name)  \(reason)")
      }
      if console.isAnimated {
        console.progress("\r\u{1B}[K\(state.ended) of \(count), \(state.notPassed) not passed")
      }
    }
  }

  /// Takes the line away.
  func finish() {
    if console.isAnimated { console.progress("\r\u{1B}[K") }
  }
}
