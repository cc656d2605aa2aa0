import Bytes
import DictofunProtocol
import HostStack
import Phone
import Recorder
import Requirements
import SecureDFU
import Timeline
import Trace

@testable import World

/// What goes wrong once in an update.
enum Disturbance: Hashable, CustomStringConvertible {
  case none
  /// The air goes dead as the phone writes its control-point request of this number, counted from 0.
  case breakAtRequest(Int)
  /// The air goes dead as the bootloader notifies its answer of this number, before it is heard.
  case breakAtAnswer(Int)
  /// Power fails at this operation of the flash and is back two seconds later.
  case cut(Int)
  /// Power fails at this operation of the flash and is back after the phone has given up.
  case longCut(Int)

  var description: String {
    switch self {
    case .none: "nothing"
    case .breakAtRequest(let number): "break at request \(number)"
    case .breakAtAnswer(let number): "break at answer \(number)"
    case .cut(let number): "power cut at operation \(number)"
    case .longCut(let number): "long power cut at operation \(number)"
    }
  }
}

/// A paired phone, a recorder with records, one update, one disturbance, through the whole stack in virtual time.
final class SweptUpdate {
  static let address = BluetoothAddress(0xD1C7_0F00_00FF, .random)
  private static let phoneAddress = BluetoothAddress(0xC0FF_EE00_0001, .random)

  let loop = EventLoop(driver: .virtual, seed: 11)
  let world: BluetoothWorld
  private let medium: SimulatedMedium
  private let phone: Station<PhoneCentral>
  private let recorder: SimulatedDevice
  private let disturbance: Disturbance
  private var lastToken: UInt32 = 0
  private var ended: Result<PhoneResult, PhoneFailure>?
  /// What the phone said is installed, at the end of each update.
  private(set) var installed: [InstalledAfterUpdate] = []
  private(set) var requests = 0
  private(set) var answers = 0
  /// How often it really was disturbed.
  private(set) var disturbances = 0

  init(_ disturbance: Disturbance = .none, build: BootloaderBuild = .s140Debug) throws {
    self.disturbance = disturbance
    world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    medium = SimulatedMedium(loop: loop)
    try medium.setDistance(millimetres: 1000)
    var configuration = RecorderConfiguration(address: Self.address)
    configuration.staysAwake = true
    configuration.firmware = RecorderFirmware(build: build)
    configuration.records = [
      PlacedRecord(
        identifier: RecordIdentifier(RecorderConfiguration.defaultClock), content: (0..<500).map { UInt8($0 % 251) })
    ]
    let key = LongTermKey(
      key: (0..<16).map { UInt8($0) }, encryptedDiversifier: 7, randomNumber: 9, keySize: 16)
    func bond(_ identity: BluetoothAddress) -> Bond {
      Bond(
        identity: identity, localKey: key, peerKey: key, peerIdentityResolvingKey: nil, secureConnections: false)
    }
    configuration.bonds = [bond(Self.phoneAddress)]
    let library = try PhoneLibrary()
    try library.pair(bond(Self.address), at: WallTime(nanosecondsSinceEpoch: 0))
    phone = world.stand(
      PhoneCentral(PhoneConfiguration(ownAddress: Self.phoneAddress, library: library)), named: "phone",
      as: .phone(0), on: medium.attach("phone", .phone), entropy: .seed)
    recorder = SimulatedDevice(
      "recorder", index: 0, configuration, in: world,
      on: medium.attach(
        "recorder", .recorder, subversion: UInt16(truncatingIfNeeded: build.softDeviceIdentifier))
    ) { nil }
    phone.onEvent = { [unowned self] in hear($0) }
    world.onEvent = { [unowned self] in observe($0) }
    phone.request(.start)
    try recorder.powerOn()
    try run(for: .seconds(2))
  }

  var inside: DeviceInspection { get throws { try recorder.inspect() } }

  /// Operations of the flash so far.
  var flashOperations: Int { recorder.flashOperationCount }

  private func hear(_ event: PhoneEvent) {
    switch event {
    case .operationEnded(_, let result): ended = result
    case .updateEnded(let installed): self.installed.append(installed)
    default: break
    }
  }

  private func observe(_ event: ProductEvent) {
    switch (event.source.part, event.happening) {
    case (.phone, .firmwareUpdate(.requested)):
      if disturbance == .breakAtRequest(requests) { breakLink() }
      requests += 1
    case (.recorder, .firmwareUpdate(.answered)), (.recorder, .firmwareUpdate(.receipt)):
      if disturbance == .breakAtAnswer(answers) { breakLink() }
      answers += 1
    case (_, .oracle(.recorderPowered(_, isOn: false))):
      disturbances += 1
      if case .cut = disturbance { loop.schedule(after: .seconds(2)) { [recorder] in try? recorder.powerOn() } }
    default: break
    }
  }

  /// Until both ends have noticed: the bootloader asks for a supervision time-out of six seconds.
  private func breakLink() {
    disturbances += 1
    try? medium.interrupt()
    loop.schedule(after: .seconds(8)) { [medium] in try? medium.mend() }
  }

  private func run(for duration: Duration) throws { loop.runEvents(until: loop.now.advanced(by: duration)) }

  /// Runs an operation to its end.
  func perform(_ operation: PhoneOperation) -> Result<PhoneResult, PhoneFailure> {
    ended = nil
    lastToken += 1
    phone.request(.perform(OperationToken(lastToken), operation))
    loop.runEvents(until: loop.now.advanced(by: .seconds(3_600))) { ended != nil }
    return ended ?? .failure(.abandoned)
  }

  /// Installs a package with the disturbance.
  func update(_ package: FirmwarePackage) throws -> Result<PhoneResult, PhoneFailure> {
    switch disturbance {
    case .cut(let number), .longCut(let number): try recorder.cutPower(afterStorageOperations: number)
    case .none, .breakAtRequest, .breakAtAnswer: break
    }
    return perform(.update(FirmwareOrder(package, name: "1.5.0"), .paired))
  }

  /// Gives power back, and time until something runs: copying an image, or a bootloader that nobody talks to.
  func restorePower() throws {
    try recorder.powerOn()
    try run(for: .seconds(90))
  }
}
