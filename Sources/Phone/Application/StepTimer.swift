import HostStack
import Timeline

/// Limits the time in which the running step must make progress.
///
/// Progress does not restart the timer, which would cost two effects for each notification: when the timer fires, it
/// looks at the instant of the last progress.
struct StepTimer {
  private var timer = ApplicationTimer(.step)
  private var lastProgress = Instant.zero
  private var limit = Duration.zero

  /// Whether a step is limited.
  var isRunning: Bool { timer.isRunning }

  /// Gives the step this long from now on.
  mutating func allow(_ duration: Duration, at now: Instant, _ effects: inout ApplicationEffects) {
    lastProgress = now
    limit = duration
    timer.start(duration, &effects)
  }

  /// The step made progress.
  mutating func progressed(at now: Instant) { lastProgress = now }

  /// Stops limiting.
  mutating func stop(_ effects: inout ApplicationEffects) { timer.stop(&effects) }

  /// Takes a firing and returns whether the time is up.
  mutating func expires(_ token: TimerToken, at now: Instant, _ effects: inout ApplicationEffects) -> Bool {
    guard timer.takes(token) else { return false }
    let rest = limit - lastProgress.duration(to: now)
    guard rest > .zero else { return true }
    timer.start(rest, &effects)
    return false
  }
}
