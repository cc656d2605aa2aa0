import HostStack

/// An input of the application above the host stack.
package enum ApplicationInput {
  /// The host stack reports something.
  case host(HostEvent)
  /// One of the application's timers has run out.
  case timerFired(TimerToken)
  /// A request to the phone.
  case request(PhoneRequest)
}

/// An effect of the application.
package enum ApplicationEffect {
  /// Ask the host stack for this.
  case host(HostRequest)
  /// Start a timer.
  case startTimer(TimerToken, Duration)
  /// Stop a timer.
  case cancelTimer(TimerToken)
  /// Report an event.
  case event(PhoneEvent)
}

/// What the application wants done, in order.
package typealias ApplicationEffects = [ApplicationEffect]

/// One timer of the application: at most one firing is awaited; others are recognised by their generation and ignored.
struct ApplicationTimer {
  /// The purpose of a timer.
  enum Kind: UInt8 {
    /// The running step must end.
    case step = 1
    /// The recorder had time to close the file.
    case settle = 2
    /// The battery is to be read again.
    case battery = 3
    /// The application in the background gets its turn.
    case background = 4
    /// The next automatic search may begin.
    case pause = 5
    /// The bootloader's answer is due, or the next packets may go.
    case transfer = 6
    /// The release feed is to be looked into again.
    case feed = 7
  }

  let kind: Kind
  private(set) var isRunning = false
  private var generation: UInt32 = 0

  init(_ kind: Kind) { self.kind = kind }

  private var token: TimerToken { TimerToken(owner: .application, kind: kind.rawValue, generation: generation) }

  /// Starts the timer, or restarts it.
  mutating func start(_ duration: Duration, _ effects: inout ApplicationEffects) {
    stop(&effects)
    generation &+= 1
    isRunning = true
    effects.append(.startTimer(token, duration))
  }

  /// Stops the timer where it runs.
  mutating func stop(_ effects: inout ApplicationEffects) {
    guard isRunning else { return }
    isRunning = false
    effects.append(.cancelTimer(token))
  }

  /// Takes a firing and returns whether it is the awaited one; then the timer has stopped.
  mutating func takes(_ fired: TimerToken) -> Bool {
    guard isRunning, fired == token else { return false }
    isRunning = false
    return true
  }
}
