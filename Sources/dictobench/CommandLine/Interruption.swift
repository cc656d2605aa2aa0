import Foundation
import Session
import Synchronization

/// Whether the user asked to stop. Reports are still written, then the tool exits with 130.
enum Interruption {
  private static let requested = Atomic<Bool>(false)
  private static let isListening = Atomic<Bool>(false)
  private static let onRequest = Mutex<(@Sendable () -> Void)?>(nil)

  /// Whether an interrupt came.
  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Forgets an interrupt that was dealt with: the next one does not end the tool at once.
  static func forget() { requested.store(false, ordering: .relaxed) }

  /// Notices interrupts from now on, and calls `action` on a separate thread; at once where one came since somebody
  /// listened first. A second interrupt ends the tool at once.
  static func listen(_ action: @escaping @Sendable () -> Void = {}) {
    onRequest.withLock { $0 = action }
    if isRequested { action() }
    if isListening.exchange(true, ordering: .relaxed) { return }
    // Signals are waited for on a thread, so that their handling may lock and allocate.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // A terminal that goes away must not leave a bench with its button pressed.
    sigaddset(&signals, SIGHUP)
    sigaddset(&signals, SIGQUIT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waiter = Thread { [signals] in
      var waited = signals
      while true {
        var number: Int32 = 0
        guard sigwait(&waited, &number) == 0 else { return }
        if requested.exchange(true, ordering: .relaxed) {
          TerminalMode.restore()
          _exit(130)
        }
        onRequest.withLock { $0 }?()
      }
    }
    waiter.start()
  }
}

/// Tells sessions of SIGINT, SIGTERM, SIGHUP and SIGQUIT.
struct SignalInterruption: InterruptionSource {
  var isRequested: Bool { Interruption.isRequested }

  func listen(_ action: @escaping @Sendable () -> Void) { Interruption.listen(action) }
}
