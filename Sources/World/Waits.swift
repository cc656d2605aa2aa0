import Timeline

/// Everything that the steps of one world are waiting for.
///
/// A step that waits registers here. What it waits for resumes it at the same instant; a deadline resumes all of them
/// with its reason. A resumption that comes too late does nothing.
public final class Waits {
  private struct Entry {
    let number: UInt64
    let end: (WaitEnd) -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0
  /// Whether the run was interrupted, so that no wait begins until ``beginCleanUp()``.
  public private(set) var isInterrupted = false
  private var isTimedOut = false
  private var brokenBans = 0
  private var isCleaningUp = false

  /// No step waits yet.
  public init() {}

  /// Whether no step waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// Why no wait begins any more; `nil` while waits are allowed.
  public var closedBy: WaitEnd? {
    if isInterrupted { return .interrupted }
    if isTimedOut { return .timeout }
    return brokenBans > 0 ? .forbidden : nil
  }

  /// Suspends the caller until the closure given to `start` is called, or ``endAll(_:)``; where waits are closed, nothing
  /// is started.
  public func value<Value: Sendable>(_ start: (@escaping (Value) -> Void) -> Void) async -> Result<Value, WaitEnd> {
    if let closedBy { return .failure(closedBy) }
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

  /// Ends every wait with this reason, oldest first.
  public func endAll(_ end: WaitEnd) {
    let ended = entries
    entries.removeAll()
    for entry in ended { entry.end(end) }
  }

  /// Ends every wait, and those to come, because the run was interrupted. Waits of the clean-up still work.
  public func interrupt() {
    guard !isCleaningUp else { return }
    isInterrupted = true
    endAll(.interrupted)
  }

  /// Ends every wait because the scenario's timeout is over, and those to come until the clean-up.
  package func timeOut() {
    if !isCleaningUp { isTimedOut = true }
    endAll(.timeout)
  }

  /// Ends every wait, and those to come until ``banEnds()``, because something happened that an outer step forbids.
  package func banIsBroken() {
    brokenBans += 1
    endAll(.forbidden)
  }

  /// Allows waits again after ``banIsBroken()``, unless another ban is broken.
  package func banEnds() { brokenBans -= 1 }

  /// Allows waits again after an interrupt that was meant for one step.
  package func resume() { isInterrupted = false }

  /// Ends every wait, and those to come, because the controller failed. Waits of the clean-up still work, because they
  /// may be for other parts of the bench.
  public func breakOff() {
    if isCleaningUp { endAll(.interrupted) } else { interrupt() }
  }

  /// Allows waits again, for the steps that clean up. Returns whether the run was interrupted.
  public func beginCleanUp() -> Bool {
    defer { (isInterrupted, isTimedOut) = (false, false) }
    isCleaningUp = true
    return isInterrupted
  }

  /// Ends every wait, and those to come, including those of the clean-up.
  public func close() {
    isInterrupted = true
    endAll(.interrupted)
  }

  /// Lets time pass.
  public func pass(_ duration: Duration, on loop: EventLoop) async -> Result<Void, WaitEnd> {
    await value { resume in loop.schedule(after: duration) { resume(()) } }
  }
}
