import HCI
import Synchronization

/// Remembers why the phone's controller was lost, which neither phone nor host need to know.
final class ControllerLoss: Sendable {
  private let kept = Mutex<String?>(nil)

  /// What happened to the controller; `nil` while it is there.
  var reason: String? { kept.withLock { $0 } }

  fileprivate func note(_ closure: PipeClosure) {
    let words =
      switch closure {
      case .closedByPeer: "the other end closed the connection"
      case .failed(let text): text
      }
    kept.withLock { $0 = words }
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
