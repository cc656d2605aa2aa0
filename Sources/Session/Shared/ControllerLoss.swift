import HCI
import Synchronization

/// Remembers why a controller stopped working. Neither the host stack nor the application on it tells this.
package final class ControllerLoss: Sendable {
  /// How a controller stopped working.
  package enum Reason: Equatable, Sendable {
    /// The way to it ended.
    case lost(PipeClosure)
    /// The host stack gave up on it, for this reason.
    case failed(String)
  }

  private let kept = Mutex<Reason?>(nil)
  private let onLoss: @Sendable () -> Void

  /// Calls `onLoss` when the controller is lost.
  package init(onLoss: @escaping @Sendable () -> Void = {}) { self.onLoss = onLoss }

  /// The first thing that went wrong, which is the cause of the rest; `nil` while the controller works.
  package var reason: Reason? { kept.withLock { $0 } }

  /// Takes what went wrong.
  package func note(_ reason: Reason) {
    kept.withLock { $0 = $0 ?? reason }
    onLoss()
  }
}

/// A pipe in front of another one, whose loss is remembered.
package final class WatchedPipe: PacketPipe, PacketReceiver {
  package weak var receiver: (any PacketReceiver)? {
    // Nothing is read before somebody listens.
    didSet { pipe.receiver = receiver.map { _ in self } }
  }

  private let pipe: any PacketPipe
  private let loss: ControllerLoss

  /// Stands in front of `pipe`, and tells `loss` when it closes.
  package init(_ pipe: any PacketPipe, noting loss: ControllerLoss) {
    self.pipe = pipe
    self.loss = loss
  }

  package func send(_ packet: HCIPacket) { pipe.send(packet) }
  package func close() { pipe.close() }
  package func receive(_ packet: HCIPacket) { receiver?.receive(packet) }

  package func pipeClosed(_ reason: PipeClosure) {
    loss.note(.lost(reason))
    receiver?.pipeClosed(reason)
  }
}
