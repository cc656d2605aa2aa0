import Bytes
import DictofunProtocol
import HCI
import Recorder
import Timeline
import Trace
import Transports
import World

/// Simulated recorders on our air, and virtual controllers to which other hosts attach; paced to the wall clock.
public final class RecorderBench {
  private let loop: EventLoop
  /// The world they live in.
  public let world: BluetoothWorld
  private let medium: SimulatedMedium
  /// The recorders, in order.
  public private(set) var recorders: [SimulatedDevice] = []
  private var servers: [TransportServer] = []
  private var guests: [PipeBridge] = []
  private var guestCount = 0

  /// Boots the recorders.
  public init(_ plan: RecorderPlan, on loop: EventLoop) {
    self.loop = loop
    world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    medium = SimulatedMedium(loop: loop)
    for index in 0..<plan.count {
      let octets = loop.choices.stream("address.recorder-\(index)").bytes(6)
      let value = BluetoothAddress(littleEndian: octets, .random).value | 0xC000_0000_0000
      let address = plan.addresses.indices.contains(index) ? plan.addresses[index] : BluetoothAddress(value, .random)
      var configuration = RecorderConfiguration(address: address, profile: plan.profile)
      configuration.staysAwake = plan.staysAwake
      configuration.firmware = plan.firmware
      configuration.records = plan.placed(before: configuration.clock)
      let recorder = SimulatedDevice(
        "recorder-\(index)", index: UInt16(truncatingIfNeeded: index), configuration, in: world,
        on: medium.attach("recorder-\(index)", .recorder), entropy: .operatingSystem
      ) { nil }
      recorders.append(recorder)
      // Holding the rail boots it without a press, as a bench does.
      try? recorder.powerOn()
    }
  }

  /// The recorders, in order.
  public var devices: [any DeviceControl] { recorders }

  /// The recorders' addresses, in order.
  public var addresses: [BluetoothAddress] { recorders.map(\.address) }

  /// Opens one more virtual controller, to which one host at a time may attach.
  public func listen(at specification: TransportSpecification) throws(TransportFailure) -> TransportServer {
    let server = try TransportServer(specification, on: loop, admitting: .oneAtATime) { [weak self] pipe in
      self?.welcome(pipe)
    }
    servers.append(server)
    return server
  }

  private func welcome(_ pipe: H4Pipe) {
    guestCount += 1
    let name = "guest-\(guestCount)"
    let controller = medium.attach(name, .phone)
    // The host is gone: so is its controller, and every link of it with a supervision time-out at the other end.
    guests.append(PipeBridge(pipe, controller) { controller.close() })
  }

  /// Ends everything.
  public func close() {
    for server in servers { server.close() }
    for recorder in recorders { recorder.retire() }
    _ = world.finish()
  }
}
