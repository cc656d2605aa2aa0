import Bytes
import DictofunProtocol
import SecureDFU
import Testing
import Timeline

@testable import Requirements

/// Firmware updates, as a phone's host sees them.
extension PacketScript {
  /// The bootloader's address: one more than the application's.
  static let bootloaderAddress = BluetoothAddress(0xC001_0203_0406, .random)

  private mutating func find(_ declaration: UInt8, _ uuid: BluetoothUUID, properties: UInt8) {
    ask([0x08, declaration, 0x00, 0xFF, 0xFF, 0x03, 0x28])
    hear([0x09, 21, declaration, 0, properties, declaration + 1, 0] + uuid.littleEndian128)
  }

  /// Discovery of the application's buttonless service, behind that of the rest.
  mutating func discoverButtonless() { find(0x2C, DictofunUUID.buttonlessDFU, properties: 0x28) }

  mutating func writeButtonless(_ value: [UInt8]) {
    ask([0x12, 0x2D, 0x00] + value)
    hear([0x13])
  }

  mutating func indicateButtonless(_ value: [UInt8]) {
    hear([0x1D, 0x2D, 0x00] + value)
    ask([0x1E])
  }

  mutating func discoverBootloader() {
    ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    hear([0x11, 6, 0x0E, 0x00, 0xFF, 0xFF, 0x59, 0xFE])
    find(0x0F, DictofunUUID.dfuPacket, properties: 0x04)
    find(0x11, DictofunUUID.dfuControlPoint, properties: 0x18)
  }

  /// Switches the notifications of the bootloader on.
  mutating func subscribe() {
    ask([0x12, 0x13, 0x00, 0x01, 0x00])
    hear([0x13])
  }

  /// Writes a request to the bootloader and lets it acknowledge.
  mutating func askBootloader(_ request: [UInt8]) {
    ask([0x12, 0x12, 0x00] + request)
    hear([0x13])
  }

  mutating func hearBootloader(_ value: [UInt8]) { hear([0x1B, 0x12, 0x00] + value) }

  mutating func sendFirmware(_ packet: [UInt8]) { ask([0x52, 0x10, 0x00] + packet) }

  /// A link to the bootloader on which requests can be made.
  mutating func meetBootloader() {
    connect(to: Self.bootloaderAddress)
    discoverBootloader()
    subscribe()
  }
}

/// The reply to a request that tells the state of an object.
func stateReply(_ opCode: UInt8, limit: UInt32? = nil, _ sent: [UInt8]) -> [UInt8] {
  func octets(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  return [0x60, opCode, 1] + (limit.map(octets) ?? []) + octets(UInt32(sent.count)) + octets(CRC32.checksum(sent))
}

/// The phone's and the recorder's machines, whose conversation goes through an interpreter as packets.
struct UpdateScript {
  static let image = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
  private static let package: FirmwarePackage = {
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    guard let package = try? release.package(image, name: "application", key: nil) else {
      preconditionFailure("the image makes a package")
    }
    return package
  }()

  var script = PacketScript()
  var bootloader: Bootloader
  var transfer: ImageTransfer
  var outcome: ImageTransferOutcome?
  /// Octets that the phone shows, stated as the world does.
  var showsProgress = true
  /// How many further requests of the control point the link lives.
  var requestsLeft = Int.max
  /// Which packets get lost on their way, by number.
  var lostPackets: Set<Int> = []
  private var packetCount = 0
  private var isLinkUp = false
  private var heard: [[UInt8]] = []
  private var isTimerRunning = false

  init(_ options: UpdateOptions = UpdateOptions()) {
    let image = Self.package.images[0]
    let application = [UInt8](repeating: 0x5A, count: 8192)
    var build = BootloaderBuild.s132Debug
    build.requiresSignature = false
    let flash = BootloaderFlash(build: build, application: application, version: 1)
    bootloader = Bootloader(build: build, publicKey: TestKey.publicKey, flash: flash)
    transfer = ImageTransfer(initPacket: image.initPacket, image: image.image, options: options)
    give(.started(.updateRequested))
  }

  /// Makes a link and lets both talk until the link or the transfer is over.
  mutating func run(packetSize: Int = 244) {
    script.meetBootloader()
    isLinkUp = true
    heard = []
    give(.connected)
    give(.notificationsChanged(true))
    give(.linkReady(packetSize: packetSize))
    for _ in 0..<10_000 where isLinkUp && outcome == nil {
      if !heard.isEmpty {
        let value = heard.removeFirst()
        script.hearBootloader(value)
        give(.notified(value))
      } else if isTimerRunning {
        isTimerRunning = false
        give(.timerFired)
      }
    }
    if isLinkUp { breakLink() }
  }

  private mutating func breakLink() {
    isLinkUp = false
    script.disconnect(reason: 0x08)
    give(BootloaderInput.disconnected)
    give(ImageTransferInput.linkLost)
  }

  private mutating func give(_ input: ImageTransferInput) {
    var effects: [ImageTransferEffect] = []
    transfer.handle(input, &effects)
    for effect in effects { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: ImageTransferEffect) {
    switch effect {
    case .writeControlPoint(let request):
      guard isLinkUp else { return }
      requestsLeft -= 1
      guard requestsLeft >= 0 else {
        requestsLeft = .max
        return breakLink()
      }
      script.askBootloader(request)
      give(.controlPointWritten(request))
    case .writePacket(let packet):
      guard isLinkUp else { return }
      script.sendFirmware(packet)
      packetCount += 1
      if !lostPackets.contains(packetCount) { give(.packetWritten(packet)) }
    case .startTimer: isTimerRunning = true
    case .stopTimer: isTimerRunning = false
    case .progressed(let phase, let octets):
      let state = UpdateState(
        place: .bootloader, phase: phase, octets: octets, total: UInt32(Self.image.count))
      if showsProgress { script.state(.update(.shown(phone: 0, state))) }
    case .trouble: break
    case .renewLink: breakLink()
    case .ended(let outcome): self.outcome = outcome
    }
  }

  private mutating func give(_ input: BootloaderInput) {
    var effects: [BootloaderEffect] = []
    bootloader.handle(input, &effects)
    for effect in effects {
      switch effect {
      case .notify(let value): heard.append(value)
      case .beginFlashOperation: give(.flashOperationEnded)
      default: break
      }
    }
  }
}
