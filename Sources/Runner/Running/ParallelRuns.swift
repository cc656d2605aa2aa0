import Dispatch
import Requirements
import ScenarioLanguage
import Synchronization
import Trace

/// Runs many scenarios on several threads, each on a loop of its own; never one on several.
public struct ParallelRuns: Sendable {
  /// How many threads; the caller's is one of them.
  public let jobs: Int
  /// Asked before each scenario; true makes the rest stay unrun.
  public let isStopped: @Sendable () -> Bool

  public init(jobs: Int, isStopped: @escaping @Sendable () -> Bool = { false }) {
    self.jobs = max(1, jobs)
    self.isStopped = isStopped
  }

  /// Runs `count` pieces of work and gives back their results in order; `nil` for what stayed unrun.
  public func run<Value: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (_ index: Int) -> Value
  ) -> [Value?] {
    let results = Mutex([Value?](repeating: nil, count: count))
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: min(jobs, max(1, count))) { _ in
      while !isStopped() {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if index >= count { return }
        let value = work(index)
        results.withLock { $0[index] = value }
      }
    }
    return results.withLock { $0 }
  }
}
