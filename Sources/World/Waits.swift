import Timeline

/// Why a wait ended without what it waited for.
public enum WaitEnd: Error, Hashable, Sendable {
  /// The step's time was up.
  case deadline
  /// Nothing was left that could still have happened.
  case starved
  /// The run was interrupted.
  case interrupted
}

/// Everything that the steps of one world are waiting for.
///
/// A step that waits registers here; whatever it waits for resumes it at the same instant, and a deadline resumes
/// all of them with its reason. A resumption that comes too late finds nobody and does nothing.
public final class Waits {
  private struct Entry {
    let number: UInt64
    let end: (WaitEnd) -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0
  /// Whether the run was interrupted.
  public private(set) var isInterrupted = false
  /// Whether nobody can wait for anything.
  private var isClosed = false

  /// Nobody waits yet.
  public init() {}

  /// Whether somebody waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// Suspends the caller until the closure given to `start` is called, or ``endAll(_:)``; after ``interrupt()`` nothing
  /// is started.
  public func value<Value: Sendable>(_ start: (@escaping (Value) -> Void) -> Void) async -> Result<Value, WaitEnd> {
    if isClosed { return .failure(.interrupted) }
    lastNumber += 1
    let number = lastNumber
    return await withCheckedContinuation { continuation in
      entries.append(
        Entry(number: number) { end in continuation.resume(returning: .failure(end)) })
      start { [weak self] value in
        guard let self, let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries.remove(at: index)
        continuation.resume(returning: .success(value))
      }
    }
  }

  /// Resumes everybody with a reason, first come first served.
  public func endAll(_ end: WaitEnd) {
    let ended = entries
    entries.removeAll()
    for entry in ended { entry.end(end) }
  }

  /// Ends the run at somebody's wish: nobody waits any more, until ``reopen()``.
  public func interrupt() {
    (isInterrupted, isClosed) = (true, true)
    endAll(.interrupted)
  }

  /// Lets wait again whoever puts things in order after an interruption.
  public func reopen() { isClosed = false }

  /// Lets time pass.
  public func pass(_ duration: Duration, on loop: EventLoop) async -> Result<Void, WaitEnd> {
    await value { resume in loop.schedule(after: duration) { resume(()) } }
  }
}
