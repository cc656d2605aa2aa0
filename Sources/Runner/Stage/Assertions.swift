import Requirements
import Timeline

/// The assertions that steps are waiting on, each told of every event as it happens; nothing is polled.
final class Assertions {
  private var watchers: [AssertionWatcher] = []
  /// Assertions about what only a bench's sensors see.
  private var sensed: [SensedWatcher] = []
  /// Bans among them that are over or still run: what breaks them may be seen late.
  private(set) var bans: [SensedWatcher] = []
  private var earlierSensed: [SensedEvent] = []
  /// When the last action on a recorder began, as long as that matters.
  private(set) var keptSince: Instant?
  /// The events since the last action on a recorder, in order; `nil` once they no longer matter.
  private var earlier: [ProductEvent]?

  /// Whether a recorder was on the air at all: it advertised, was heard, or was connected. Before that nothing that a
  /// phone finds or misses tells anything about either.
  private(set) var hasContact = false

  /// The most events that are kept; more do not come in the time that an instrument takes to answer.
  private static let mostEarlier = 4096

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
    if !hasContact, event.happening.isContact { hasContact = true }
    if let count = earlier?.count, count < Self.mostEarlier { earlier?.append(event) }
    for watcher in watchers { watcher.observe(event) }
    // What needs no sensor is seen in time; only the matching of patterns decides whether it is meant.
    if !sensed.isEmpty || keptSince != nil { observe(SensedEvent(event)) }
  }

  // MARK: What sensors see

  /// Tells everybody of what a sensor saw.
  func observe(_ event: SensedEvent) {
    if keptSince != nil, earlierSensed.count < Self.mostEarlier { earlierSensed.append(event) }
    for watcher in sensed { watcher.observe(event) }
  }

  /// Watches for a ban until the scenario ends.
  func add(_ ban: SensedWatcher) {
    sensed.append(ban)
    bans.append(ban)
  }

  /// Watches for an event that may have happened since the last action.
  func addWithEarlier(_ watcher: SensedWatcher) {
    for event in earlierSensed { watcher.observe(event) }
    sensed.append(watcher)
  }

  /// Forgets an assertion.
  func remove(_ watcher: SensedWatcher) { sensed.removeAll { $0 === watcher } }

  /// Why a ban did not hold, or cannot be told to have held; `nil` for neither.
  var doubt: SensedClaim.Outcome? {
    bans.lazy.map(\.outcome).first { outcome in
      switch outcome {
      case .violated, .unobservable: true
      case .holds, .pending: false
      }
    }
  }

  /// When the last ban that held so far will have held for certain; `nil` where there is none. One that did not hold may
  /// have no end.
  var lastInstantOfBans: Instant? {
    bans.filter { if case .holds = $0.outcome { true } else { false } }.map(\.lastInstant).max()
  }

  // MARK: What a slow instrument hides

  /// Keeps what happens from now on: an instrument acts first and answers then, and what follows from the action may
  /// happen in between.
  func keep(since instant: Instant = .zero) {
    earlier = []
    earlierSensed = []
    keptSince = instant
  }

  /// Forgets what was kept.
  func forget() {
    earlier = nil
    earlierSensed = []
    keptSince = nil
  }

  /// The first stored event that matches; removes it and all earlier ones. `nil` where none does.
  func takeEarlier(where pattern: (ProductEvent) -> Bool) -> ProductEvent? {
    guard let position = earlier?.firstIndex(where: pattern), let event = earlier?[position] else { return nil }
    earlier?.removeSubrange(...position)
    return event
  }
}

extension Happening {
  /// Whether it shows that a recorder is on the air.
  fileprivate var isContact: Bool {
    switch self {
    case .advertisingStarted, .advertisementHeard, .linkUp: true
    default: false
    }
  }
}

/// One assertion and who waits for it.
final class AssertionWatcher {
  /// The observation that decided the assertion; pending until then.
  private(set) var last = Observation.pending
  /// The event that decided it; `nil` where time did, or nothing has yet.
  private(set) var decidingEvent: ProductEvent?
  /// Told once, when it is decided.
  var onDecided: ((Observation) -> Void)?
  private var observer: TemporalObserver

  init(_ observer: TemporalObserver) { self.observer = observer }

  /// Tells the assertion of an event.
  func observe(_ event: ProductEvent) {
    let observation = observer.observe(event)
    guard last == .pending, observation != .pending else { return }
    decidingEvent = event
    take(observation)
  }

  /// Tells the assertion that its time is up.
  func reach(_ instant: Instant) { take(observer.reach(instant)) }

  /// The result when nothing more happens before the deadline.
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
