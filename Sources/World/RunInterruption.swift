import Synchronization

/// Tells what is running that somebody wants no more of it. May be used from any thread.
public final class RunInterruption: Sendable {
  private struct State {
    var isRequested = false
    var lastNumber = 0
    var listeners: [(number: Int, tell: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// Nobody has asked yet.
  public init() {}

  /// Whether somebody asked.
  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Asks; whoever listens is told, once.
  public func request() {
    let listeners = state.withLock { state in
      state.isRequested = true
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.tell() }
  }

  /// Has `tell` called when somebody asks while `body` runs; at once where somebody has asked already.
  public func heard<Value>(by tell: @escaping @Sendable () -> Void, during body: () throws -> Value) rethrows -> Value {
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
