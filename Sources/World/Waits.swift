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
  /// Whether somebody wants no more of the run, so that nothing is waited for; until ``beginCleanUp()``.
  public private(set) var isInterrupted = false
  private var isCleaningUp = false

  /// Nobody waits yet.
  public init() {}

  /// Whether somebody waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// Suspends the caller until the closure given to `start` is called, or ``endAll(_:)``; after ``interrupt()`` nothing
  /// is started.
  public func value<Value: Sendable>(_ start: (@escaping (Value) -> Void) -> Void) async -> Result<Value, WaitEnd> {
    if isInterrupted { return .failure(.interrupted) }
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

  /// Ends every wait, and those to come, because somebody wants no more of the run. Cleaning up is not ended.
  public func interrupt() {
    guard !isCleaningUp else { return }
    isInterrupted = true
    endAll(.interrupted)
  }

  /// Ends every wait because the controller failed; and those to come, but for cleaning up, where others than the
  /// controller may be waited for.
  public func breakOff() {
    if isCleaningUp { endAll(.interrupted) } else { interrupt() }
  }

  /// From here on what was done is put right, which is waited for as before; whether the run was interrupted.
  public func beginCleanUp() -> Bool {
    defer { isInterrupted = false }
    isCleaningUp = true
    return isInterrupted
  }

  /// Ends every wait, and those to come, cleaning up or not.
  public func close() {
    isInterrupted = true
    endAll(.interrupted)
  }

  /// Lets time pass.
  public func pass(_ duration: Duration, on loop: EventLoop) async -> Result<Void, WaitEnd> {
    await value { resume in loop.schedule(after: duration) { resume(()) } }
  }
}
