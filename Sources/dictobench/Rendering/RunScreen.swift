import Text
import Bench
import Bytes
import Ledger
import Reports
import Verdicts
import Session
import Synchronization

/// Shows on standard error how far a run is: a line that is redrawn on a terminal, and what did not pass as it ends.
final class RunScreen: Sendable {
  private struct State {
    var total: Int?
    var ended = 0
    var notPassed = 0
    /// How many scenarios ended in each way that is not a pass; only the first of each is shown.
    var ends: [String: Int] = [:]
    var unshown = 0
  }

  private let console: Console
  private let detail: RunRequest.Detail
  private let state = Mutex(State())

  init(_ console: Console, _ detail: RunRequest.Detail = .normal) {
    self.console = console
    self.detail = detail
  }

  /// Takes what a run tells.
  func show(_ event: RunEvent) {
    switch event {
    case .checkingBench(let place): console.note("\(Self.bench(place)): \(Readiness.checking.rawValue)")
    case .benchChecked(let place, let trouble):
      console.note(
        "\(Self.bench(place)): "
          + (trouble.map { "\(Readiness.failed.rawValue): \(PlainText.escaped($0))" } ?? Readiness.ready.rawValue))
    case .twinsCompared(let place, let twins):
      for line in twins.flatMap(TwinText.lines) { console.note(place == nil ? line : "\(Self.bench(place)): \(line)") }
    case .judgingApplication: console.note("The application is under test; our recorder is only an instrument.")
    case .controllerNote(let sentence): console.note(PlainText.escaped(sentence))
    case .uncovered: console.note("WARNING: captures and hashes contain keys and recordings")
    case .healthFailed(let place, let trouble): console.note("\(Self.bench(place)): \(PlainText.escaped(trouble))")
    case .benchLeft(let place, let reason):
      console.note("\(Self.bench(place)): gets no more scenarios: \(PlainText.escaped(reason))")
    case .session(let session):
      let isCounted = session.state == .running
      console.note(
        isCounted
          ? "this run counts for the bench session \(session.title)"
          : "the bench session \(session.title) is paused; this run does not count for it")
    case .filesLost(let scenario, let reason):
      console.note(
        (ProgressLine(console.style).clearing ?? "")
          + "\(PlainText.escaped(scenario))  cannot write its files: \(PlainText.escaped(reason))")
    case .started(let total): state.withLock { $0.total = total }
    case .ended(let scenario): ended(scenario)
    case .finished:
      if let clearing = ProgressLine(console.style).clearing { console.progress(clearing) }
      let unshown = state.withLock(\.unshown)
      if unshown > 0 { console.note("and \(Wording.count(unshown, "more scenario")) that ended like one of these") }
    }
  }

  private static func bench(_ place: String?) -> String { "bench" + (place.map { " \(PlainText.escaped($0))" } ?? "") }

  private func ended(_ scenario: ScenarioReport) {
    let report = ProgressLine(console.style)
    let clearing = report.clearing ?? ""
    let isExpected = scenario.verdict.isExpected
    state.withLock { state in
      state.ended += 1
      if !isExpected { state.notPassed += 1 }
      guard detail != .quiet else { return }
      if scenario.verdict != .passed || detail == .verbose {
        let reason = PlainText.escaped(scenario.verdict.reason ?? "")
        let end = FailureCause.withoutNumbers("\(scenario.verdict.kind.rawValue) \(reason)")
        state.ends[end, default: 0] += 1
        if state.ends[end] == 1 || detail == .verbose {
          let place = scenario.bench.map { "  on \(PlainText.escaped($0))" } ?? ""
          console.note(clearing + "\(scenario.verdict.kind.rawValue)  \(scenario.name)\(place)  \(reason)")
        } else {
          state.unshown += 1
        }
      }
      if let leftover = scenario.leftover {
        console.note(clearing + "\(scenario.name)  \(PlainText.escaped(leftover, limit: 400))")
      }
      let line = report.text(
        finished: state.ended, of: state.total, failed: state.notPassed, running: scenario.name)
      if let line { console.progress(line) }
    }
  }
}
