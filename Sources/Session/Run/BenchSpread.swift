import Dispatch
import Runner
import ScenarioLanguage
import Synchronization
import Verdicts

/// Spreads the scenarios of a run over benches. Each bench takes the next scenario that it can run, those first that few
/// benches can run. A bench that fails gets no more, as long as another one is left, and what it failed in is given to one
/// that can run it: once, so that a scenario which makes benches fail does not take them all.
///
/// Which bench runs a scenario depends on how long the others take; neither its seed nor its place in the report does.
final class BenchSpread: Sendable {
  /// What a bench does next.
  private enum Turn {
    case perform(Place)
    /// Nothing for this bench until another one has gone on.
    case wait(DispatchSemaphore)
    case end
  }

  /// A scenario in a repetition.
  struct Place: Hashable, Sendable {
    /// The repetition, from 0.
    let turn: Int
    /// The scenario's position.
    let index: Int
  }

  private struct State {
    var turn = -1
    /// Scenarios that no bench has begun, in the order in which they are taken.
    var waiting: [Place] = []
    /// The attempts of benches that failed in scenarios which were then given to another one.
    var earlier: [Place: [ScenarioReport]] = [:]
    /// Number of benches that are in a scenario.
    var running = 0
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

  /// Runs all scenarios turn by turn, as long as `begins` says so; each bench on a thread of its own. `perform` is told the
  /// attempts of a bench that failed in the scenario before; it returns the scenario's report, and the one to list, if
  /// any, or `nil` where ``handsOver(_:_:_:)`` said so. Returns the listed ones in order.
  func runTurns(
    while begins: @escaping @Sendable (_ turn: Int) -> Bool,
    _ perform:
      @escaping @Sendable (_ lane: Int, Place, _ earlier: [ScenarioReport]) -> (
        ScenarioReport, ScenarioReport?
      )?
  ) -> [ScenarioReport] {
    guard !order.isEmpty else { return [] }
    let group = DispatchGroup()
    for lane in names.indices {
      // A queue of its own has a thread of its own, however many processors there are: benches mostly wait.
      DispatchQueue(label: "bench \(lane)").async(group: group) { [self] in
        while true {
          switch next(lane, begins) {
          case .perform(let place):
            let result = perform(lane, place, state.withLock { $0.earlier[place] ?? [] })
            ended(lane, place, result)
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
        guard begins(state.turn + 1) else {
          // A bench that is still busy may fail, and what it was doing is given to another one.
          return state.running > 0 ? wait(&state) : close(&state)
        }
        state.turn += 1
        state.waiting = order.map { [turn = state.turn] in Place(turn: turn, index: $0) }
        state.results += order.map { _ in nil }
        state.wakeAll()
      }
      let isOut = state.isOut
      let position = state.waiting.firstIndex { place in
        // What no bench is left for is blocked, or the bench's failure, wherever it runs.
        canRun[lane][place.index] || !canRun.indices.contains { !isOut[$0] && canRun[$0][place.index] }
      }
      guard let position else { return wait(&state) }
      state.running += 1
      return .perform(state.waiting.remove(at: position))
    }
  }

  private func wait(_ state: inout State) -> Turn {
    let sleeper = DispatchSemaphore(value: 0)
    state.sleepers.append(sleeper)
    return .wait(sleeper)
  }

  /// Gives a scenario in which a bench failed, in these attempts, to another one that can run it; whether there is one.
  func handsOver(_ lane: Int, _ place: Place, _ attempts: [ScenarioReport]) -> Bool {
    guard !isStopped(), attempts.contains(where: { $0.verdict.kind == .benchError }),
      !attempts.contains(where: { $0.verdict.kind != .benchError })
    else { return false }
    return state.withLock { state in
      let isOut = state.isOut
      guard state.earlier[place] == nil, !state.isClosed,
        isOut.indices.contains(where: { $0 != lane && !isOut[$0] && canRun[$0][place.index] })
      else { return false }
      state.earlier[place] = attempts
      state.waiting.insert(place, at: 0)
      return true
    }
  }

  private func close(_ state: inout State) -> Turn {
    state.isClosed = true
    state.wakeAll()
    return .end
  }

  /// Takes what a bench made of a scenario; `nil` where it failed and the scenario waits for another one.
  private func ended(_ lane: Int, _ place: Place, _ result: (report: ScenarioReport, listed: ScenarioReport?)?) {
    let reason = state.withLock { state -> String? in
      if let result { state.results[place.turn * order.count + place.index] = result.listed }
      state.running -= 1
      defer { if state.waiting.isEmpty || result == nil { state.wakeAll() } }
      let others = state.isOut.indices.contains { $0 != lane && !state.isOut[$0] }
      let last = result?.report ?? state.earlier[place]?.last
      guard case .benchError(let trouble) = last?.verdict, others, !isStopped() else { return nil }
      // Where a bench failed in it before, the scenario may be the reason.
      if result != nil, state.earlier[place] != nil { return nil }
      state.isOut[lane] = true
      state.troubles[lane] = trouble.reason
      state.wakeAll()
      return trouble.reason
    }
    if let reason { tell(.benchLeft(names[lane], reason: reason)) }
  }
}
