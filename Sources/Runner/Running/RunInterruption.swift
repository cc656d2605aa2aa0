import Synchronization

/// Ends the scenarios that run in real time, from any thread. Those in virtual time are at their end before anybody
/// notices.
public final class RunInterruption: Sendable {
  private struct State {
    var isRequested = false
    var lastNumber = 0
    var running: [(number: Int, end: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// Nothing is interrupted yet.
  public init() {}

  /// Ends what runs, and whatever begins from now on.
  public func request() {
    let running = state.withLock { state in
      state.isRequested = true
      return state.running
    }
    for run in running { run.end() }
  }

  /// Has `end` called when an interruption is requested, at once when it was; the number takes that back.
  func add(_ end: @escaping @Sendable () -> Void) -> Int {
    let (number, isRequested) = state.withLock { state in
      state.lastNumber += 1
      state.running.append((state.lastNumber, end))
      return (state.lastNumber, state.isRequested)
    }
    if isRequested { end() }
    return number
  }

  func remove(_ number: Int) { state.withLock { $0.running.removeAll { $0.number == number } } }
}
