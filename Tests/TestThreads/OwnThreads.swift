import Foundation
import Testing

/// Gives the tests of a suite threads of their own, a number at a time.
///
/// All tests share as many threads as the machine has processors. One that waits, for a bench in real time or for another
/// process, would hold a thread that tests could compute on.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// The suite's tests wait in real time more than they compute.
  package static var waits: Self { Self() }
}

/// Threads that may be blocked.
///
/// Its jobs are guarded by its condition.
private final class ThreadPool: TaskExecutor, @unchecked Sendable {
  static let shared = ThreadPool(threads: 16)

  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init(threads: Int) {
    for _ in 0..<threads {
      Thread.detachNewThread {
        while true { self.nextJob().runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock { jobs.append(job) }
    condition.signal()
  }

  private func nextJob() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }
  }
}
