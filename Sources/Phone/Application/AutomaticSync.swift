import HostStack

/// Decides when the phone looks for its recorder by itself (requirement APP-1.2.2.1).
struct AutomaticSync {
  /// Whether it connects and fetches by itself.
  var isEnabled: Bool
  private let timeouts: PhoneTimeouts
  private var pause = ApplicationTimer(.pause)

  init(isEnabled: Bool, timeouts: PhoneTimeouts) {
    self.isEnabled = isEnabled
    self.timeouts = timeouts
  }

  /// Whether the next search may begin.
  var isDue: Bool { isEnabled && !pause.isRunning }

  /// Waits before the next search; longer while the battery is low.
  mutating func holdOff(isBatteryLow: Bool, _ effects: inout ApplicationEffects) {
    guard isEnabled else { return }
    pause.start(isBatteryLow ? timeouts.autoSyncPauseWhileLow : timeouts.autoSyncPause, &effects)
  }

  /// Takes a firing and returns whether the pause is over.
  mutating func resumes(_ token: TimerToken) -> Bool { pause.takes(token) }

  /// Ends the pause.
  mutating func stop(_ effects: inout ApplicationEffects) { pause.stop(&effects) }
}

extension PhoneApplication {
  /// Looks for the paired recorder where that is wanted and nothing else is to be done.
  mutating func syncAutomatically(_ effects: inout ApplicationEffects) {
    guard automaticSync.isDue, pairedRecorder != nil, link == nil, search.attempt == nil else { return }
    running = RunningOperation(token: nil, operation: .sync(.paired, finishes: true), stage: .finding)
    listen(&effects)
  }

  /// Waits before the next search, longer while the battery is low.
  mutating func holdOffAutomaticSync(_ effects: inout ApplicationEffects) {
    automaticSync.holdOff(isBatteryLow: battery.isLow && !has(.returnsWhileBatteryLow), &effects)
  }

  /// Ends the link of an automatic sync, and waits before the next search.
  mutating func automaticSyncEnded(_ effects: inout ApplicationEffects) {
    holdOffAutomaticSync(&effects)
    guard link != nil else { return }
    endLink(&effects)
    allow(configuration.timeouts.disconnect, &effects)
  }
}
