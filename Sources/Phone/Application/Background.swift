import HostStack

extension PhoneApplication {
  /// The most events that wait for the application in the background; one more and they are handled at once.
  static let maximumDeferredEvents = 4096

  /// Whether the application in the background has to wait for its turn to see this. What the phone's operating
  /// system does by itself does not wait: serving the time, scanning, the controller.
  func isDeferred(_ event: HostEvent) -> Bool {
    guard configuration.backgroundDelay > .zero else { return false }
    switch event {
    case .readRequested, .advertisingReport, .scanningFailed, .started, .failed: return false
    default: return true
    }
  }

  /// Puts an event back until the application has its turn.
  mutating func wait(with event: HostEvent, _ effects: inout ApplicationEffects) {
    deferred.append(event)
    if deferred.count > Self.maximumDeferredEvents {
      turn.stop(&effects)
      catchUp(&effects)
    } else if !turn.isRunning {
      turn.start(configuration.backgroundDelay, &effects)
    }
  }

  /// Handles what has waited.
  mutating func catchUp(_ effects: inout ApplicationEffects) {
    let events = deferred
    deferred.removeAll(keepingCapacity: true)
    for event in events { handle(event, &effects) }
  }

  /// Changes between foreground and background, which must not disturb a transfer. In the foreground the view catches
  /// up at once.
  mutating func setForeground(_ isForeground: Bool, _ effects: inout ApplicationEffects) {
    guard isForeground != self.isForeground else { return }
    self.isForeground = isForeground
    guard isForeground else { return }
    turn.stop(&effects)
    catchUp(&effects)
    showProgress(&effects)
  }

  /// Looks for the paired recorder where that is wanted and nothing else is to be done (requirement APP-1.2.2.1).
  mutating func syncAutomatically(_ effects: inout ApplicationEffects) {
    guard isAutomatic, pairedRecorder != nil, link == nil, connectionAttempt == nil, !pause.isRunning else {
      return
    }
    running = RunningOperation(token: nil, operation: .sync(.paired, finishes: true), stage: .finding)
    listen(&effects)
  }

  /// Lets the link of an automatic sync go, and waits before the next search.
  mutating func automaticSyncEnded(_ effects: inout ApplicationEffects) {
    holdOffAutomaticSync(&effects)
    guard link != nil else { return }
    endLink(&effects)
    allow(configuration.timeouts.disconnect, &effects)
  }

  /// Waits before the next automatic search.
  mutating func holdOffAutomaticSync(_ effects: inout ApplicationEffects) {
    guard isAutomatic else { return }
    let timeouts = configuration.timeouts
    pause.start(battery.isLow ? timeouts.autoSyncPauseWhileLow : timeouts.autoSyncPause, &effects)
  }
}
