import HCI

/// Joins two pipes: what comes out of one goes into the other, so that a foreign host can use one of our virtual
/// controllers.
package final class PipeBridge {
  private final class End: PacketReceiver {
    let other: any PacketPipe
    var onClose: (() -> Void)?

    init(to other: any PacketPipe) { self.other = other }

    func receive(_ packet: HCIPacket) { other.send(packet) }

    func pipeClosed(_ reason: PipeClosure) { onClose?() }
  }

  private let first: End
  private let second: End

  /// Joins `host` and `controller`; `onClose` is told when either is gone.
  package init(_ host: any PacketPipe, _ controller: any PacketPipe, onClose: @escaping () -> Void) {
    first = End(to: controller)
    second = End(to: host)
    host.receiver = first
    controller.receiver = second
    first.onClose = onClose
    second.onClose = onClose
  }
}
