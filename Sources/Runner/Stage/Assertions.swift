import Requirements
import Timeline

/// The assertions that steps are waiting on, each told of every event as it happens; nothing is polled.
final class Assertions {
  private var watchers: [AssertionWatcher] = []
  /// What happened while an actuator was at work, the oldest first.
  private var recent: [ProductEvent] = []
  private var isRemembering = false

  /// Events that are remembered at least; twice as many at most.
  private static let memory = 1_000

  /// Remembers from now on what happens, or no more; what was remembered before is forgotten.
  func remember(_ isRemembering: Bool) {
    recent.removeAll()
    self.isRemembering = isRemembering
  }

  /// Whether something like this is remembered that happened no longer than so long before an instant.
  func recall(_ span: Duration, before instant: Instant, _ isMeant: (ProductEvent) -> Bool) -> Bool {
    recent.contains { $0.instant.advanced(by: span) >= instant && isMeant($0) }
  }

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
    guard isRemembering else { return }
    if recent.count == 2 * Self.memory { recent.removeFirst(Self.memory) }
    recent.append(event)
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
