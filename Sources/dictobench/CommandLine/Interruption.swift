import Foundation
import Synchronization

/// Whether the user asked to stop: reports are still written, then the tool ends with 130.
enum Interruption {
  private static let requested = Atomic<Bool>(false)
  private static let onRequest = Mutex<(@Sendable () -> Void)?>(nil)

  /// Whether an interrupt came.
  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Notes interrupts from now on, and calls `action` on a thread of its own; a second interrupt ends the tool at once.
  static func listen(_ action: @escaping @Sendable () -> Void = {}) {
    onRequest.withLock { $0 = action }
    // Signals are taken by waiting for them, so that what follows may lock and allocate.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
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
