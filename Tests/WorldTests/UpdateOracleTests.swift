import DictofunProtocol
import HostStack
import Requirements
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Recorder
@testable import World

/// What a world states about firmware, and that it states nothing where there was no bootloader.
@Suite struct UpdateOracleTests {
  private let loop = EventLoop(driver: .virtual, seed: 3)

  /// A world with one recorder; what it states about updates is appended.
  private func world(
    _ stated: @escaping (UpdateOracle) -> Void, _ configure: (inout RecorderConfiguration) -> Void = { _ in }
  ) throws -> (world: BluetoothWorld, device: SimulatedDevice, medium: SimulatedMedium) {
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    world.onEvent = { event in
      if case .oracle(.update(let oracle)) = event.happening { stated(oracle) }
    }
    let medium = SimulatedMedium(loop: loop)
    try medium.setDistance(millimetres: 1000)
    var configuration = RecorderConfiguration(address: UpdateRig.address)
    configuration.staysAwake = true
    configuration.profile.policies.bootloaderEntry = .anybody
    configuration.bonds = [UpdateRig.bond]
    configuration.records = [
      PlacedRecord(identifier: RecordIdentifier(RecorderConfiguration.defaultClock), content: [1, 2, 3])
    ]
    configure(&configuration)
    let device = SimulatedDevice(
      "recorder", index: 4, configuration, in: world, on: medium.attach("recorder", .recorder)
    ) { nil }
    return (world, device, medium)
  }

  private func run(for duration: Duration) { loop.runEvents(until: loop.now.advanced(by: duration)) }

  @Test func bootsAndPossessionsAreStatedAroundTheBootloader() throws {
    var stated: [UpdateOracle] = []
    let (_, device, medium) = try world { stated.append($0) }
    try device.powerOn()
    run(for: .seconds(2))
    #expect(stated == [.firmwareInstalled(recorder: 4, version: 1)], "no bootloader, nothing else to say")
    stated.removeAll()
    let central = Station("phone", RawCentral(), on: medium.attach("phone", .phone), loop: loop)
    central.onEvent = { event in
      let place = AttributeTable.application.place(of: DictofunUUID.buttonlessDFU)
      guard case .connected(let information) = event, let configuration = place.configurationHandle else { return }
      let link = information.handle
      central.request(.client(link, ClientToken(1), .subscribe(configuration, .indications)))
      central.request(.client(link, ClientToken(2), .write(place.valueHandle, [0x01])))
    }
    central.request(
      .start(HostConfiguration(ownAddress: UpdateRig.phone, database: GATTDatabase(services: []))))
    run(for: .milliseconds(100))
    central.request(.connect(UpdateRig.address, ConnectionParameters(intervalUnits: 12)))
    run(for: .seconds(5))
    #expect(try device.inspect().isBootloaderRunning)
    #expect(try device.inspect().isOn)
    run(for: .seconds(60))
    #expect(try !device.inspect().isBootloaderRunning)
    #expect(try device.inspect().firmwareVersion == 1)
    guard case .possessions(4, records: 1, let digest, bonds: 1)? = stated.dropFirst(2).first else {
      Issue.record("\(stated)")
      return
    }
    let possessions = UpdateOracle.possessions(recorder: 4, records: 1, digest: digest, bonds: 1)
    #expect(
      stated == [
        .bootloaderStarted(recorder: 4), .firmwareInstalled(recorder: 4, version: 1), possessions,
        .firmwareStarted(recorder: 4, version: 1, isWhole: true),
        possessions,
      ])
  }

  @Test func possessionsTellRecordsApart() throws {
    var digests: [UInt64] = []
    for content: [UInt8] in [[], [1], [2]] {
      let (_, device, _) = try world({ oracle in
        if case .possessions(_, _, let digest, _) = oracle { digests.append(digest) }
      }) {
        $0.firmware.image = nil
        $0.records[0].content = content
      }
      try device.powerOn()
      run(for: .seconds(1))
    }
    #expect(digests.count == 3)
    #expect(Set(digests).count == 3)
  }
}
