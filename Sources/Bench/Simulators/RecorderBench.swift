import Bytes
import DictofunProtocol
import HCI
import Recorder
import Timeline
import Trace
import Transports
import World

/// Simulated recorders on our air, and virtual controllers to which other hosts attach; or one recorder on a controller
/// outside this process. Paced to the wall clock.
package final class RecorderBench {
  private let loop: EventLoop
  /// The world they live in.
  package let world: BluetoothWorld
  private let medium: SimulatedMedium
  /// The recorders, in order.
  package private(set) var recorders: [SimulatedDevice] = []
  private var servers: [TransportServer] = []
  /// Hosts that are attached, each with the number in the name of its controller.
  private var guests: [(number: Int, bridge: PipeBridge)] = []
  private var instruments: [SimulatedInstruments] = []

  /// Boots the recorders: on our air, or on `controller`, which is one link layer with one advertiser and so carries the
  /// first of the plan alone. Keys and nonces come from the operating system, since whoever comes is real. `prepare` gets
  /// each recorder before it boots.
  package init(
    _ plan: RecorderPlan, on loop: EventLoop, controller: (any PacketPipe)? = nil, isUncovered: Bool = false,
    sinks: [any TraceSink] = [], prepare: (SimulatedDevice) -> Void = { _ in }
  ) {
    self.loop = loop
    let trace = TraceRecorder()
    for sink in sinks { trace.add(sink) }
    world = BluetoothWorld(loop: loop, trace: trace, isUncovered: isUncovered, seenFrom: .recorder)
    medium = SimulatedMedium(loop: loop, phones: plan.timing)
    for index in 0..<(controller == nil ? plan.count : 1) {
      let configuration = plan.configuration(number: index, loop.choices)
      let subversion = UInt16(truncatingIfNeeded: plan.firmware.build.softDeviceIdentifier)
      let recorder = SimulatedDevice(
        "recorder-\(index)", index: UInt16(truncatingIfNeeded: index), configuration, in: world,
        on: controller ?? medium.attach("recorder-\(index)", .recorder, subversion: subversion),
        running: plan.program, entropy: .operatingSystem
      ) { nil }
      recorders.append(recorder)
      prepare(recorder)
      // Holding the rail boots it without a press, as a bench does.
      try? recorder.powerOn()
    }
    // A machine that is too busy holds up the recorders' processors, but not what shows the time.
    loop.onSlip = { [weak self] slip in for recorder in self?.recorders ?? [] { recorder.countTime(slip) } }
  }

  /// The recorders, in order.
  package var devices: [any DeviceControl] { recorders }

  /// The recorders' addresses, in order.
  package var addresses: [BluetoothAddress] { recorders.map(\.address) }

  /// Opens one more virtual controller, to which one host at a time may attach.
  package func listen(at specification: TransportSpecification) throws(TransportFailure) -> TransportServer {
    let server = try TransportServer(specification, on: loop, admitting: .oneAtATime) { [weak self] pipe in
      self?.welcome(pipe)
    }
    servers.append(server)
    return server
  }

  private func welcome(_ pipe: H4Pipe) {
    // A number that is free again is used again, so that who comes and goes leaves nothing behind.
    let number = (1...guests.count + 1).first { number in !guests.contains { $0.number == number } } ?? 0
    let controller = medium.attach("guest-\(number)", .phone)
    // The host is gone: so is its controller, and every link of it with a supervision time-out at the other end.
    let bridge = PipeBridge(pipe, controller) { [weak self] in self?.dismiss(number, controller) }
    guests.append((number, bridge))
  }

  private func dismiss(_ number: Int, _ controller: any PacketPipe) {
    medium.detach(controller)
    guests.removeAll { $0.number == number }
  }

  /// How many hosts are attached, and how many controllers there are on the air.
  package var attached: (hosts: Int, controllers: Int) { (guests.count, medium.controllerCount) }

  /// Offers the instruments of a bench file around the recorders; where they are reached.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where something else is there already.
  package func offerInstruments(of file: BenchFile) throws(ControlFailure) -> [String] {
    var names: [String] = []
    for (place, recorder) in zip(file.recorders, recorders) {
      instruments.append(try SimulatedInstruments(place, around: recorder, on: loop))
      names += place.lines.map(\.1.description)
    }
    return names
  }

  /// Puts a record into a recorder's flash: sound was begun as long ago as it is, by the recorder's clock. Its name, or
  /// `nil` where there is no room, or a record of that name.
  package func place(_ record: RecorderPlan.Record, in recorder: SimulatedDevice) -> RecordIdentifier? {
    guard let clock = try? recorder.inspect().clock else { return nil }
    var begun = CivilTime(secondsSince2000: clock)
    if case .sound(let file) = record {
      begun = begun.adding(seconds: -Int64(file.samples.count / max(1, file.sampleRate)) - 1)
    }
    let placed = RecorderPlan.placed(record, begunAt: begun, profile: recorder.profile)
    return recorder.place(placed) ? placed.identifier : nil
  }

  /// Ends everything.
  package func close() {
    for server in servers { server.close() }
    instruments.removeAll()
    for recorder in recorders { recorder.retire() }
    _ = world.finish()
  }
}
