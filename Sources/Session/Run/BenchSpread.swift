import Dispatch
import Runner
import ScenarioLanguage
import Synchronization
import Verdicts

/// Spreads the scenarios of a run over benches. Each bench takes the next scenario that it can run, those first that few
/// benches can run. A bench that fails gets no more, as long as another one is left.
///
/// Which bench runs a scenario depends on how long the others take; neither its seed nor its place in the report does.
final class BenchSpread: Sendable {
  /// What a bench does next.
  private enum Turn {
    case perform(turn: Int, index: Int)
    /// Nothing for this bench until another one has gone on.
    case wait(DispatchSemaphore)
    case end
  }

  private struct State {
    var turn = -1
    /// Scenarios of this turn that no bench has begun, in the order in which they are taken.
    var waiting: [Int] = []
    /// Benches that get no more scenarios.
    var isOut: [Bool]
    var isClosed = false
    var results: [ScenarioReport?] = []
    var sleepers: [DispatchSemaphore] = []
    var troubles: [String?]

    mutating func wakeAll() {
      for sleeper in sleepers { sleeper.signal() }
      sleepers.removeAll()
    }
  }

  private let names: [String]
  /// Whether a bench, the first index, can run a scenario.
  private let canRun: [[Bool]]
  /// All scenarios, those first that few benches can run.
  private let order: [Int]
  private let isStopped: @Sendable () -> Bool
  private let tell: @Sendable (RunEvent) -> Void
  private let state: Mutex<State>

  /// Spreads `scenarios` over at least two benches; once `isStopped`, no further one begins.
  init(
    _ scenarios: [Scenario], over lanes: [RunLane], isStopped: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    let canRun = lanes.map { lane in
      scenarios.map { scenario in
        lane.plan.settings.hardware.map { BenchOutlook(scenario, on: $0).missingCapability == nil } ?? false
      }
    }
    self.canRun = canRun
    order = scenarios.indices.sorted { one, other in
      (canRun.count { $0[one] }, one) < (canRun.count { $0[other] }, other)
    }
    names = lanes.map { $0.name ?? "" }
    self.isStopped = isStopped
    self.tell = tell
    var isOut = lanes.map { $0.plan.trouble != nil }
    // Somebody must say of every scenario that the bench failed.
    if !isOut.contains(false) { isOut[0] = false }
    state = Mutex(State(isOut: isOut, troubles: lanes.map { _ in nil }))
  }

  /// Why benches got no more scenarios after one of them; `nil` for those that went on.
  var troubles: [String?] { state.withLock { $0.troubles } }

  /// Runs all scenarios turn by turn, as long as `begins` says so; each bench on a thread of its own. `perform` returns the
  /// report of a scenario, and the one to list, if any. Returns those in order.
  func runTurns(
    while begins: @escaping @Sendable (_ turn: Int) -> Bool,
    _ perform: @escaping @Sendable (_ lane: Int, _ turn: Int, _ index: Int) -> (ScenarioReport, ScenarioReport?)
  ) -> [ScenarioReport] {
    guard !order.isEmpty else { return [] }
    let group = DispatchGroup()
    for lane in names.indices {
      // A queue of its own has a thread of its own, however many processors there are: benches mostly wait.
      DispatchQueue(label: "bench \(lane)").async(group: group) { [self] in
        while true {
          switch next(lane, begins) {
          case .perform(let turn, let index):
            let (report, listed) = perform(lane, turn, index)
            ended(lane, turn * order.count + index, report, listed)
          case .wait(let sleeper): sleeper.wait()
          case .end: return
          }
        }
      }
    }
    group.wait()
    return state.withLock { $0.results.compactMap { $0 } }
  }

  private func next(_ lane: Int, _ begins: (Int) -> Bool) -> Turn {
    state.withLock { state in
      if state.isClosed || state.isOut[lane] { return .end }
      if isStopped() { return close(&state) }
      if state.waiting.isEmpty {
        guard begins(state.turn + 1) else { return close(&state) }
        state.turn += 1
        state.waiting = order
        state.results += order.map { _ in nil }
        state.wakeAll()
      }
      let isOut = state.isOut
      let place = state.waiting.firstIndex { index in
        // What no bench is left for is blocked, or the bench's failure, wherever it runs.
        canRun[lane][index] || !canRun.indices.contains { !isOut[$0] && canRun[$0][index] }
      }
      if let place { return .perform(turn: state.turn, index: state.waiting.remove(at: place)) }
      let sleeper = DispatchSemaphore(value: 0)
      state.sleepers.append(sleeper)
      return .wait(sleeper)
    }
  }

  private func close(_ state: inout State) -> Turn {
    state.isClosed = true
    state.wakeAll()
    return .end
  }

  private func ended(_ lane: Int, _ number: Int, _ report: ScenarioReport, _ listed: ScenarioReport?) {
    let reason = state.withLock { state -> String? in
      state.results[number] = listed
      defer { if state.waiting.isEmpty { state.wakeAll() } }
      let others = state.isOut.indices.contains { $0 != lane && !state.isOut[$0] }
      guard case .benchError(let trouble) = report.verdict, others, !isStopped() else { return nil }
      state.isOut[lane] = true
      state.troubles[lane] = trouble.reason
      state.wakeAll()
      return trouble.reason
    }
    if let reason { tell(.benchLeft(names[lane], reason: reason)) }
  }
}
