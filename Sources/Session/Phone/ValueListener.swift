import HostStack
import Phone
import Synchronization

/// Passes on what is notified and indicated, and remembers the end of the connection.
final class ValueListener: Sendable {
  private let heard: @Sendable (AttributeHandle, [UInt8], Bool) -> Void
  private let ended = Mutex(false)

  /// Calls `heard` with attribute, value, and whether it was indicated.
  init(_ heard: @escaping @Sendable (AttributeHandle, [UInt8], Bool) -> Void) { self.heard = heard }

  /// Whether the connection ended.
  var hasEnded: Bool { ended.withLock { $0 } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .valueReceived(let attribute, let value, let isIndication): heard(attribute, value, isIndication)
    case .connectionStatus(.disconnected): ended.withLock { $0 = true }
    default: break
    }
  }
}
