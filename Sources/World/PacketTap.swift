import Bytes
import HCI
import Requirements
import Timeline
import Trace

/// Reads along between one host and its controller: gives every packet its meaning, writes it to the trace with what must
/// not be seen masked, and publishes what it means.
final class PacketTap {
  // The world owns the loop, the trace and the stations, which own their taps. Not counted even while they are used: it is
  // done for every packet, and a world is counted by a slow way, because others refer to it weakly.
  private let world: Unmanaged<BluetoothWorld>
  private let loop: Unmanaged<EventLoop>
  private let trace: Unmanaged<TraceRecorder>
  private let source: TraceSource
  private let isUncovered: Bool
  private var interpreter: PacketInterpreter
  // Kept so that nothing is allocated for every packet; empty between packets.
  private var events: [ProductEvent] = []

  /// A tap at the host of `source`.
  init(at source: TraceSource, in world: BluetoothWorld) {
    self.world = .passUnretained(world)
    loop = .passUnretained(world.loop)
    trace = .passUnretained(world.trace)
    self.source = source
    isUncovered = world.isUncovered
    interpreter = PacketInterpreter(
      source, isServingRecorder: source.part == .recorder, tellsFileData: source.part == world.viewpoint)
  }

  /// Takes the next packet. Interpreting ends before events are published, because a handler may send the next packet.
  func take(_ packet: borrowing HCIPacket, _ direction: PacketDirection) {
    let now = now
    let covered = interpreter.interpret(packet, direction, at: now, &events)
    let range = isUncovered ? 0..<0 : covered.within(packet.bytes.count)
    trace._withUnsafeGuaranteedRef { $0.record(packet, direction, covering: range, from: source, at: now) }
    if !events.isEmpty { publish() }
  }

  /// The controller is gone, and with it all links.
  func controllerLost() {
    interpreter.controllerLost(at: now, &events)
    publish()
  }

  private var now: Instant { loop._withUnsafeGuaranteedRef { $0.now } }

  private func publish() {
    // A handler may cause events of its own, which are published before the rest of these.
    var published: [ProductEvent] = []
    swap(&published, &events)
    var next = 0
    while next < published.count { world._withUnsafeGuaranteedRef { $0.publish(published.take(&next)) } }
    published.drain()
    swap(&published, &events)
  }
}
