import Bytes
import Crypto
import DictofunProtocol
import HCI
import HostStack
import SecureDFU
import Timeline

@testable import Recorder
@testable import World

/// A host that does what it is asked to and reports everything: the phone of who wants to write raw values.
struct RawCentral: StationMachine {
  private var host = HostMachine()

  mutating func handle(
    _ input: MachineInput<HostRequest>, at instant: Instant, _ effects: inout [MachineEffect<HostEvent>]
  ) {
    host.handle(input, &effects)
  }
}

/// A simulated recorder and a raw central on one air.
final class UpdateRig {
  static let address = BluetoothAddress(0xD1C7_0F00_00FF, .random)
  /// The lowest octet goes over without carry.
  static let bootloaderAddress = BluetoothAddress(0xD1C7_0F00_0000, .random)
  static let phone = BluetoothAddress(0xC0FF_EE00_0001, .random)
  static let bond = Bond(
    identity: BluetoothAddress(0xC0FF_EE00_0009, .random), localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil,
    secureConnections: false)

  let loop = EventLoop(driver: .virtual, seed: 7)
  let recorder: Station<SimulatedRecorder>
  let central: Station<RawCentral>
  private(set) var recorderEvents: [RecorderEvent] = []
  private var recorderInstants: [Instant] = []
  private(set) var events: [HostEvent] = []
  private(set) var link: ConnectionHandle?
  private var characteristics: [DiscoveredCharacteristic] = []
  private var lastToken: UInt32 = 0
  /// Notifications and indications that nobody has taken yet.
  private var heard: [[UInt8]] = []

  init(mtu: UInt16 = 247, _ configure: (inout RecorderConfiguration) -> Void = { _ in }) throws {
    let medium = SimulatedMedium(loop: loop)
    try medium.setDistance(millimetres: 1000)
    var configuration = RecorderConfiguration(address: Self.address)
    // This phone has no bond.
    configuration.profile.policies.bootloaderEntry = .anybody
    configuration.staysAwake = true
    configuration.bonds = [Self.bond]
    configuration.records = [
      PlacedRecord(
        identifier: RecordIdentifier(RecorderConfiguration.defaultClock), content: (0..<300).map { UInt8($0 % 251) })
    ]
    configure(&configuration)
    recorder = Station(
      "recorder", SimulatedRecorder(configuration), on: medium.attach("recorder", .recorder), loop: loop)
    central = Station("phone", RawCentral(), on: medium.attach("phone", .phone), loop: loop)
    recorder.onEvent = { [unowned self] in
      recorderEvents.append($0)
      recorderInstants.append(loop.now)
    }
    central.onEvent = { [unowned self] in hear($0) }
    var host = HostConfiguration(ownAddress: Self.phone, database: GATTDatabase(services: []))
    host.maximumTransmissionUnit = mtu
    central.request(.start(host))
    recorder.request(.holdRail)
    run(for: .seconds(2))
  }

  var machine: SimulatedRecorder { recorder.machine }
  /// Said on its own: a whole recorder makes a long message.
  var isInBootloader: Bool { machine.isBootloaderRunning }
  var isOn: Bool { machine.isOn }

  private func hear(_ event: HostEvent) {
    events.append(event)
    switch event {
    case .connected(let information): link = information.handle
    case .disconnected: link = nil
    case .notificationReceived(_, _, let value): heard.append(Array(value))
    case .indicationReceived(_, _, let value): heard.append(value)
    default: break
    }
  }

  // MARK: Time

  func run(for duration: Duration) { loop.runEvents(until: loop.now.advanced(by: duration)) }

  /// Lets time pass until something holds; whether it did in time.
  @discardableResult
  func wait(_ duration: Duration = .seconds(10), until holds: () -> Bool) -> Bool {
    loop.runEvents(until: loop.now.advanced(by: duration), holds)
    return holds()
  }

  func waitForApplication(_ duration: Duration = .seconds(120)) -> Bool {
    wait(duration) { machine.isOn && !machine.isBootloaderRunning }
  }

  /// When the recorder reported something last.
  func instant(of event: RecorderEvent) -> Instant? {
    recorderEvents.lastIndex(of: event).map { recorderInstants[$0] }
  }

  // MARK: Radio

  /// Listens; the last advertisement from an address.
  func advertisement(
    from address: BluetoothAddress, within duration: Duration = .seconds(3)
  ) -> [UInt8]? {
    let before = events.count
    central.request(.setScanning(ScanParameters()))
    defer { central.request(.setScanning(nil)) }
    func report() -> AdvertisingReport? {
      for case .advertisingReport(let report) in events[before...]
      where report.address == address && !report.isScanResponse { return report }
      return nil
    }
    wait(duration) { report() != nil }
    return report()?.data
  }

  /// Mean milliseconds between two advertisements.
  func advertisingInterval(from address: BluetoothAddress) -> Double {
    let before = events.count
    central.request(.setScanning(ScanParameters()))
    run(for: .seconds(10))
    central.request(.setScanning(nil))
    let count = events[before...].count {
      if case .advertisingReport(let report) = $0 { report.address == address && !report.isScanResponse } else { false }
    }
    return 10_000 / Double(max(count, 1))
  }

  /// Connects, exchanges the MTU unless told otherwise, and finds everything.
  func connect(to address: BluetoothAddress, exchangesMTU: Bool = true) -> Bool {
    central.request(.connect(address, ConnectionParameters(intervalUnits: 12, supervisionTimeoutUnits: 400)))
    guard wait(until: { link != nil }) else { return false }
    if exchangesMTU { _ = perform(.exchangeMaximumTransmissionUnit) }
    guard case .success(.services(let services))? = perform(.discoverAll) else { return false }
    characteristics = services.flatMap(\.characteristics)
    return true
  }

  func disconnect() {
    if let link { central.request(.disconnect(link, .remoteUserTerminatedConnection)) }
    wait { link == nil }
    run(for: .milliseconds(100))
  }

  /// Runs a client procedure to its end.
  func perform(_ procedure: ClientProcedure) -> Result<ClientResult, ClientFailure>? {
    guard let link else { return nil }
    lastToken += 1
    let token = ClientToken(lastToken)
    let before = events.count
    central.request(.client(link, token, procedure))
    func result() -> Result<ClientResult, ClientFailure>? {
      for case .clientCompleted(_, token, let result) in events[before...] { return result }
      return nil
    }
    wait(.seconds(31)) { result() != nil }
    return result()
  }

  func handle(_ uuid: BluetoothUUID) -> AttributeHandle {
    characteristics.first { $0.uuid == uuid }?.valueHandle ?? AttributeHandle(0)
  }

  func subscribe(_ uuid: BluetoothUUID, _ subscription: Subscription) {
    guard let handle = characteristics.first(where: { $0.uuid == uuid })?.configurationHandle else { return }
    _ = perform(.subscribe(handle, subscription))
  }

  /// Writes; `nil` when it was taken, else the ATT error.
  func write(_ uuid: BluetoothUUID, _ value: [UInt8]) -> UInt8? {
    switch perform(.write(handle(uuid), value)) {
    case .success: nil
    case .failure(.refused(let code, _)): code.rawValue
    case .failure, nil: 0xFF
    }
  }

  /// The next notification or indication.
  func next(within duration: Duration = .seconds(10)) -> [UInt8]? {
    wait(duration) { !heard.isEmpty }
    return heard.isEmpty ? nil : heard.removeFirst()
  }

  /// Writes a request to the control point; what it answers, in hexadecimal.
  func ask(_ request: String, within duration: Duration = .seconds(10)) -> String? {
    heard.removeAll()
    let value = Hexadecimal.bytes(request.filter { $0 != " " }) ?? []
    let refusal = write(DictofunUUID.dfuControlPoint, value)
    if let refusal { return "ATT " + Hexadecimal.string([refusal]) }
    return next(within: duration).map { Hexadecimal.string($0) }
  }

  /// Sends bytes as packets, as many as asked for at a time before a pause in which the flash comes after.
  func send(_ bytes: [UInt8], packet: Int = 244, pause: Duration = .milliseconds(100)) {
    guard let link else { return }
    for start in stride(from: 0, to: bytes.count, by: packet) {
      let part = Array(bytes[start..<min(bytes.count, start + packet)])
      central.request(
        .client(link, ClientToken(0), .writeWithoutResponse(handle(DictofunUUID.dfuPacket), part)))
      if start / packet % 8 == 7 { run(for: pause) }
    }
    run(for: pause)
  }
}

// MARK: Updates

extension UpdateRig {
  /// From the application into the bootloader, connected with notifications enabled.
  func enterBootloader(name: [UInt8]? = nil) -> Bool {
    guard connect(to: Self.address) else { return false }
    subscribe(DictofunUUID.buttonlessDFU, .indications)
    if let name { _ = write(DictofunUUID.buttonlessDFU, [0x02, UInt8(name.count)] + name) }
    guard write(DictofunUUID.buttonlessDFU, [0x01]) == nil else { return false }
    guard wait(until: { machine.isBootloaderRunning && link == nil }) else { return false }
    return connectToBootloader()
  }

  func connectToBootloader(_ address: BluetoothAddress = bootloaderAddress) -> Bool {
    guard connect(to: address) else { return false }
    subscribe(DictofunUUID.dfuControlPoint, .notifications)
    return true
  }

  /// Sends an init packet and executes it; the answer.
  func sendInitPacket(_ packet: [UInt8]) -> String? {
    _ = ask("0101" + Self.length(packet.count))
    send(packet)
    return ask("04")
  }

  /// Sends an image object by object; the last answer.
  func sendImage(_ image: [UInt8]) -> String? {
    var last: String?
    for start in stride(from: 0, to: image.count, by: BootloaderBuild.pageSize) {
      let object = Array(image[start..<min(image.count, start + BootloaderBuild.pageSize)])
      guard ask("0102" + Self.length(object.count)) == "600101" else { return nil }
      run(for: .milliseconds(400))
      send(object)
      last = ask("04")
    }
    return last
  }

  static func length(_ count: Int) -> String {
    Hexadecimal.string((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
  }

  /// Init packet and image of a release for the default board, signed with the bench's key unless told otherwise.
  static func release(
    version: UInt32, octets: Int = 5000, signed: Bool = true, softDevice: UInt32 = 0x0100
  ) throws -> (packet: [UInt8], image: [UInt8]) {
    let scalar = Hexadecimal.bytes("18d4dfdc56e7f2b08f8d9fc174f792edcd5d4bb2a29899dfeb7d946f31e34f5e") ?? []
    let image = (0..<octets).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7 &+ Int(version)) }
    let release = ApplicationRelease(version: version, hardwareVersion: 52, softDeviceRequirements: [softDevice])
    let package = try release.package(image, name: "app", key: signed ? try P256PrivateKey(scalar: scalar) : nil)
    return (package.images[0].initPacket, package.images[0].image)
  }
}

/// Events about updates, in order.
extension UpdateRig {
  var updateEvents: [RecorderEvent] {
    recorderEvents.filter {
      switch $0 {
      case .bootloaderStarted, .applicationStarted, .updateFinished, .updateRefused, .poweredOff, .poweredOn: true
      default: false
      }
    }
  }

  /// The whole way of an update; the last answer.
  func update(_ release: (packet: [UInt8], image: [UInt8])) -> String? {
    guard enterBootloader() else { return "no bootloader" }
    let answer = sendInitPacket(release.packet)
    guard answer == "600401" else { return answer }
    _ = ask("0602")
    return sendImage(release.image)
  }
}
