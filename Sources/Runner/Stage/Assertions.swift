import Requirements
import Timeline

/// The assertions that steps are waiting on, each told of every event as it happens; nothing is polled.
final class Assertions {
  private var watchers: [AssertionWatcher] = []

  /// Watches until the assertion is decided or taken back.
  func add(_ observer: TemporalObserver) -> AssertionWatcher {
    let watcher = AssertionWatcher(observer)
    watchers.append(watcher)
    return watcher
  }

  /// Forgets an assertion.
  func remove(_ watcher: AssertionWatcher) { watchers.removeAll { $0 === watcher } }

  /// Tells everybody of an event, first come first served.
  func observe(_ event: ProductEvent) {
    for watcher in watchers { watcher.observe(event) }
  }
}

/// One assertion and who waits for it.
final class AssertionWatcher {
  /// What decided it; pending until then.
  private(set) var last = Observation.pending
  /// Told once, when it is decided.
  var onDecided: ((Observation) -> Void)?
  private var observer: TemporalObserver

  init(_ observer: TemporalObserver) { self.observer = observer }

  /// Tells the assertion of an event.
  func observe(_ event: ProductEvent) { take(observer.observe(event)) }

  /// Tells the assertion that its time is up.
  func reach(_ instant: Instant) { take(observer.reach(instant)) }

  /// What the assertion says when nothing more happens before its deadline.
  func decide(at deadline: Instant) -> Observation {
    if last == .pending { last = observer.reach(deadline) }
    return last
  }

  private func take(_ observation: Observation) {
    guard last == .pending, observation != .pending else { return }
    last = observation
    onDecided?(observation)
  }
}
