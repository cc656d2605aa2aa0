import HostStack

/// Whether the application is in the foreground, and the events that wait while it is not.
///
/// In the background the operating system of a phone gives an application its turn only after a while. One that waits for an
/// answer is still awake: it has its turn when the answer comes.
struct Background {
  /// The most events that wait; one more and all are handled at once.
  static let maximumEvents = 4096

  /// Whether the application is in the foreground.
  private(set) var isForeground: Bool
  private let delay: Duration
  private var events: [HostEvent] = []
  private var turn = ApplicationTimer(.background)

  /// `delay` is the time that events wait in the background; with zero they do not.
  init(isForeground: Bool, delay: Duration) {
    self.isForeground = isForeground
    self.delay = delay
  }

  /// Whether an event waits for the application's turn. The operating system serves the time, scans and looks after the
  /// controller by itself, so these events never wait.
  func delays(_ event: HostEvent) -> Bool {
    guard !isForeground, delay > .zero else { return false }
    switch event {
    case .readRequested, .advertisingReport, .scanningFailed, .started, .failed: return false
    default: return true
    }
  }

  /// Keeps an event for the next turn, and returns the events to be handled now: none, or all where it is an answer or they
  /// are too many.
  mutating func keep(_ event: HostEvent, _ effects: inout ApplicationEffects) -> [HostEvent] {
    events.append(event)
    var isAnswer = false
    if case .clientCompleted = event { isAnswer = true }
    if isAnswer || events.count > Self.maximumEvents {
      turn.stop(&effects)
      return take()
    }
    if !turn.isRunning { turn.start(delay, &effects) }
    return []
  }

  /// Takes a firing and returns whether it is the application's turn.
  mutating func begins(_ token: TimerToken) -> Bool { turn.takes(token) }

  /// Returns the events that waited, in their order.
  mutating func take() -> [HostEvent] {
    let waiting = events
    events.removeAll(keepingCapacity: true)
    return waiting
  }

  /// Changes between foreground and background. Returns the events to be handled now where the application comes to the
  /// foreground, else `nil`.
  mutating func setForeground(_ isForeground: Bool, _ effects: inout ApplicationEffects) -> [HostEvent]? {
    guard isForeground != self.isForeground else { return nil }
    self.isForeground = isForeground
    guard isForeground else { return nil }
    turn.stop(&effects)
    return take()
  }

  /// Drops the events that wait.
  mutating func clear() { events.removeAll() }

  /// Stops the timer of the next turn.
  mutating func stop(_ effects: inout ApplicationEffects) { turn.stop(&effects) }
}

extension PhoneApplication {
  /// Handles the events that waited.
  mutating func catchUp(_ events: [HostEvent], _ effects: inout ApplicationEffects) {
    for event in events { handle(event, &effects) }
  }

  /// Changes between foreground and background, which must not disturb a transfer. In the foreground the view catches
  /// up at once.
  mutating func setForeground(_ isForeground: Bool, _ effects: inout ApplicationEffects) {
    guard let events = background.setForeground(isForeground, &effects) else { return }
    catchUp(events, &effects)
    showProgress(&effects)
    showNewRecords(&effects)
  }
}
