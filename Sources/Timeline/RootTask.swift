import CLinux
import Glibc

/// Starts the one unstructured task of a run: the root from which the structured ones descend.
struct RootTask {
  let loop: EventLoop

  func start<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    _ finish: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    Task(executorPreference: loop) {
      do { finish(.success(try await body())) } catch { finish(.failure(error)) }
    }
  }
}

/// Traps jobs that leave the loop for the global pool: an unstructured `Task {}` in code driven by a loop.
///
/// The concurrency runtime offers one process-wide hook; it looks at the thread, so loops on other threads and
/// code outside any loop are not touched.
enum TaskEscapeTrap {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "no thread-local storage left")
    let hook: Hook = { job, original in
      precondition(
        pthread_getspecific(TaskEscapeTrap.currentKey) == nil,
        "an unstructured task was started in code that an event loop drives")
      original(job)
    }
    clinux_set_enqueue_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
    return key
  }()

  private static var currentKey: pthread_key_t { key }

  static func enter(_ loop: EventLoop) {
    pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
  }

  static func leave() { pthread_setspecific(key, nil) }
}
