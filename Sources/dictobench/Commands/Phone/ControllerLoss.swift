import HCI
import Synchronization

/// Remembers why a controller cannot be worked with, which neither host nor what stands on it tell.
final class ControllerLoss: Sendable {
  private let kept = Mutex<String?>(nil)
  private let onLoss: @Sendable () -> Void

  /// `onLoss` is told when it is lost.
  init(onLoss: @escaping @Sendable () -> Void = {}) { self.onLoss = onLoss }

  /// What is to be said of the controller; `nil` while it works.
  var reason: String? { kept.withLock { $0 } }

  /// The way to it ended.
  fileprivate func note(_ closure: PipeClosure) { note("was lost: \(closure.reason)") }

  /// Keeps what happened first: it is the reason of the rest.
  func note(_ words: String) {
    kept.withLock { $0 = $0 ?? words }
    onLoss()
  }
}

/// A pipe like the one that it stands before, whose loss is remembered.
final class WatchedPipe: PacketPipe, PacketReceiver {
  weak var receiver: (any PacketReceiver)? {
    // Nothing is read before somebody listens.
    didSet { pipe.receiver = receiver.map { _ in self } }
  }

  private let pipe: any PacketPipe
  private let loss: ControllerLoss

  init(_ pipe: any PacketPipe, noting loss: ControllerLoss) {
    self.pipe = pipe
    self.loss = loss
  }

  func send(_ packet: HCIPacket) { pipe.send(packet) }
  func close() { pipe.close() }
  func receive(_ packet: HCIPacket) { receiver?.receive(packet) }

  func pipeClosed(_ reason: PipeClosure) {
    loss.note(reason)
    receiver?.pipeClosed(reason)
  }
}
