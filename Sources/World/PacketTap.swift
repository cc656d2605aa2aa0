import Bytes
import HCI
import Requirements
import Timeline
import Trace

/// Reads along between one host and its controller: gives every packet its meaning, writes it to the trace with what must
/// not be seen masked, and publishes what it means.
final class PacketTap {
  // The world owns the loop, the trace and the stations, which own their taps.
  private unowned(unsafe) let world: BluetoothWorld
  private unowned(unsafe) let loop: EventLoop
  private unowned(unsafe) let trace: TraceRecorder
  private let source: TraceSource
  private let isUncovered: Bool
  private var interpreter: PacketInterpreter
  // Kept so that nothing is allocated for every packet; empty between packets.
  private var events: [ProductEvent] = []

  /// A tap at the host of `source`.
  init(at source: TraceSource, in world: BluetoothWorld) {
    self.world = world
    loop = world.loop
    trace = world.trace
    self.source = source
    isUncovered = world.isUncovered
    interpreter = PacketInterpreter(source, isServingRecorder: source.part == .recorder)
  }

  /// Takes the next packet. Interpreting ends before events are published, because a handler may send the next packet.
  func take(_ packet: borrowing HCIPacket, _ direction: PacketDirection) {
    let now = loop.now
    let covered = interpreter.interpret(packet, direction, at: now, &events)
    trace.record(
      packet, direction, covering: isUncovered ? 0..<0 : covered.within(packet.bytes.count), from: source, at: now)
    if !events.isEmpty { publish() }
  }

  /// The controller is gone, and with it all links.
  func controllerLost() {
    interpreter.controllerLost(at: loop.now, &events)
    publish()
  }

  private func publish() {
    // A handler may cause events of its own, which are published before the rest of these.
    var published: [ProductEvent] = []
    swap(&published, &events)
    var next = 0
    while next < published.count { world.publish(published.take(&next)) }
    published.drain()
    swap(&published, &events)
  }
}
