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
    let results = runTurns(of: count, while: { $0 == 0 }, { _, index in work(index) })
    return results + [Value?](repeating: nil, count: count - results.count)
  }

  /// Runs the same `count` pieces of work turn by turn, as long as `begins` says that one more turn begins; a turn that
  /// has begun is done to its end. The results in order, turn by turn, of what was begun. `work` may keep its result back.
  public func runTurns<Value: Sendable>(
    of count: Int, while begins: @escaping @Sendable (_ turn: Int) -> Bool,
    _ work: @escaping @Sendable (_ turn: Int, _ index: Int) -> Value?
  ) -> [Value?] {
    guard count > 0 else { return [] }
    let results = Mutex([Value?]())
    let queue = Mutex((next: 0, isClosed: false))
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while true {
        let number = queue.withLock { queue -> Int? in
          let startsTurn = queue.next % count == 0
          if queue.isClosed || isStopped() || (startsTurn && !begins(queue.next / count)) {
            queue.isClosed = true
            return nil
          }
          defer { queue.next += 1 }
          results.withLock { $0.append(nil) }
          return queue.next
        }
        guard let number else { return }
        let value = work(number / count, number % count)
        results.withLock { $0[number] = value }
      }
    }
    return results.withLock { $0 }
  }
}
