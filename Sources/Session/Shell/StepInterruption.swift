import Synchronization
import World

/// Lets another thread end the step that is performed now, and no later one. May be used from any thread.
package final class StepInterruption: Sendable {
  private let current = Mutex<RunInterruption?>(nil)

  /// No step is performed.
  package init() {}

  /// Runs `body`, whose interruption is requested by ``request()``.
  package func during<Value>(_ body: (RunInterruption) throws -> Value) rethrows -> Value {
    let interruption = RunInterruption()
    current.withLock { $0 = interruption }
    defer { current.withLock { $0 = nil } }
    return try body(interruption)
  }

  /// Asks the step that is performed to end; does nothing where none is.
  package func request() { current.withLock { $0 }?.request() }
}
