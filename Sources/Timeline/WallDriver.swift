import Synchronization
import System

/// Real time for an event loop: the monotonic clock, polling of descriptors, and a bell for other threads.
final class WallDriver {
  /// What was asked for by one call of ``watch(_:_:_:)``.
  private struct Registration {
    let interest: DescriptorInterest
    let handler: (DescriptorInterest) -> Void
  }

  /// The clock base moves when the loop is later than this, so that it does not race to catch up.
  static let slipThresholdNanoseconds: UInt64 = 50_000_000
  /// The longest time for which the loop waits in one go.
  private static let longestWait: UInt64 = 3_600_000_000_000
  /// The identifier of the bell; registrations count from the next number.
  private static let bellIdentifier: UInt64 = 0

  private let poller: Poller
  private let bell: EventCounter
  private var base: UInt64
  /// What is watched, by the identifier of its registration. An identifier is never used twice, so an event that was
  /// on its way to an earlier registration of the same number finds nobody.
  private var registrations: [UInt64: Registration] = [:]
  /// The registration of each descriptor's number.
  private var identifiers: [Int32: UInt64] = [:]
  /// Registrations of what is always ready, such as regular files, for which the system refuses to wait.
  private var unpolled: [UInt64] = []
  private var lastIdentifier = WallDriver.bellIdentifier
  private let inbox = Mutex<[@Sendable () -> Void]>([])
  private var keepsListening = false

  /// Starts the clock. Traps where the system has no descriptors left: without them nothing can be done in real time.
  init() {
    base = MachineClock.monotonicNanoseconds()
    (poller, bell) = Self.required { () throws(SystemCallFailure) in
      let (poller, bell) = (try Poller(), try EventCounter())
      try poller.register(bell.number, as: Self.bellIdentifier, for: .readable)
      return (poller, bell)
    }
  }

  /// Makes calls that fail only where the machine is out of descriptors or memory, or where we are wrong.
  private static func required<Value>(_ calls: () throws(SystemCallFailure) -> Value) -> Value {
    do { return try calls() } catch { preconditionFailure("the event loop cannot continue: \(error)") }
  }

  /// Nanoseconds since the loop began, less what it slipped.
  var elapsed: UInt64 { MachineClock.monotonicNanoseconds() - base }

  /// Whether something outside may still wake the loop.
  var isListening: Bool { keepsListening || !registrations.isEmpty }

  /// Keeps the loop alive while only other threads may wake it.
  func keepListening(_ keep: Bool) { keepsListening = keep }

  /// Moves the clock base when the loop is too late; returns by how much.
  func slip(lateness: UInt64) -> Duration? {
    guard lateness > Self.slipThresholdNanoseconds else { return nil }
    base += lateness
    return .nanoseconds(Int64(lateness))
  }

  func post(_ body: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.append(body) }
    wake()
  }

  func wake() { Self.required { () throws(SystemCallFailure) in try bell.signal() } }

  func watch(_ descriptor: Int32, _ interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void) {
    if let earlier = identifiers[descriptor] { forget(earlier) }
    lastIdentifier += 1
    identifiers[descriptor] = lastIdentifier
    registrations[lastIdentifier] = Registration(interest: interest, handler: handler)
    Self.required { () throws(SystemCallFailure) in
      do throws(SystemCallFailure) { try poller.register(descriptor, as: lastIdentifier, for: interest) } catch {
        guard error.code == .notPermitted else { throw error }
        unpolled.append(lastIdentifier)
      }
    }
  }

  func unwatch(_ descriptor: Int32) {
    guard let identifier = identifiers.removeValue(forKey: descriptor) else { return }
    let isPolled = !unpolled.contains(identifier)
    forget(identifier)
    guard isPolled else { return }
    Self.required { () throws(SystemCallFailure) in try poller.remove(descriptor) }
  }

  private func forget(_ identifier: UInt64) {
    registrations[identifier] = nil
    unpolled.removeAll { $0 == identifier }
  }

  /// Listens for at most `nanoseconds`; `advance` gets the time at which events came, before they are handled.
  func poll(for nanoseconds: UInt64, advance: (UInt64) -> Void) {
    let ready = unpolled.filter { registrations[$0]?.interest.isEmpty == false }
    let limit = ready.isEmpty ? min(nanoseconds, Self.longestWait) : 0
    let events = Self.required { () throws(SystemCallFailure) in try poller.wait(nanoseconds: limit) }
    guard !events.isEmpty || !ready.isEmpty else { return }
    advance(elapsed)
    for event in events {
      if event.identifier == Self.bellIdentifier {
        answerBell()
      } else {
        registrations[event.identifier]?.handler(event.ready)
      }
    }
    for identifier in ready {
      if let registration = registrations[identifier] { registration.handler(registration.interest) }
    }
  }

  private func answerBell() {
    Self.required { () throws(SystemCallFailure) in try bell.clear() }
    let bodies = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    for body in bodies { body() }
  }
}

extension EventLoop {
  /// Calls `handler` on the loop's thread whenever `descriptor` is ready for one of `interest`; a second call for
  /// the same descriptor replaces the first. Wall driver only.
  ///
  /// Each call is a registration of its own: events that came for an earlier one, also for one of another file that had
  /// the same number, never reach `handler`. Traps where the system cannot watch the descriptor, because it is not open
  /// or because the machine has no memory left.
  package func watch(
    _ descriptor: Int32, for interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void
  ) {
    guard let wall else { preconditionFailure("only a wall-driven loop can watch descriptors") }
    wall.watch(descriptor, interest, handler)
  }

  /// Stops watching `descriptor`; call it before closing the descriptor.
  public func unwatch(_ descriptor: Int32) { wall?.unwatch(descriptor) }

  /// Keeps a wall-driven loop running while it has nothing scheduled, because another thread may post to it.
  public func keepListening(_ keep: Bool) { wall?.keepListening(keep) }
}
