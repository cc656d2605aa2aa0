import Synchronization

/// Lets another thread ask a run to stop early. May be used from any thread.
package final class RunInterruption: Sendable {
  private struct State {
    var isRequested = false
    var lastNumber = 0
    var listeners: [(number: Int, tell: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// An interruption that was not requested yet.
  package init() {}

  /// Whether the run was asked to stop.
  package var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Asks the run to stop; the listener is called once.
  package func request() {
    let listeners = state.withLock { state in
      state.isRequested = true
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.tell() }
  }

  /// Runs `body` and calls `tell` when a stop is requested meanwhile; at once if it was requested before.
  package func heard<Value>(by tell: @escaping @Sendable () -> Void, during body: () throws -> Value) rethrows -> Value
  {
    let number = state.withLock { state -> Int? in
      guard !state.isRequested else { return nil }
      state.lastNumber += 1
      state.listeners.append((state.lastNumber, tell))
      return state.lastNumber
    }
    if number == nil { tell() }
    defer { state.withLock { $0.listeners.removeAll { $0.number == number } } }
    return try body()
  }
}
