import Bytes
import Crypto
import SecureDFU
import Testing

/// A bootloader with somebody who carries out what it wants, and who writes it down as Nordic's harness does.
struct BootloaderRig {
  static let oldApplication = [UInt8]("OLD!".utf8) + [UInt8](repeating: 0x5A, count: 8188)
  private static let address: [UInt8] = [0xC5, 0x50, 0x40, 0x30, 0x20, 0x11]

  var bootloader: Bootloader
  /// Whether flash operations end at once.
  var isFlashRunning = true
  /// Flash operations that may still end; the power fails before the next one does.
  var operationsLeft = Int.max
  var operationCount = 0
  var hasPower = true
  private(set) var log: [String] = []

  init(_ build: BootloaderBuild = .s132Debug, application: [UInt8]? = oldApplication) {
    let flash = BootloaderFlash(build: build, application: application, version: application == nil ? 0 : 1)
    bootloader = Bootloader(build: build, publicKey: TestKey.publicKey, flash: flash)
  }

  /// A rig that takes updates, with a central that hears notifications.
  static func ready(_ build: BootloaderBuild = .s132Debug) -> BootloaderRig {
    var rig = BootloaderRig(build)
    _ = rig.perform(.started(.updateRequested))
    rig.connect()
    return rig
  }

  mutating func connect() {
    _ = perform(.connected)
    _ = perform(.notificationsChanged(true))
  }

  /// Gives an input and everything that follows from it; what the bootloader did, in the harness's words.
  mutating func perform(_ input: BootloaderInput) -> String {
    log = []
    give(input)
    return log.isEmpty ? "(nothing)" : log.joined(separator: " | ")
  }

  mutating func write(_ request: String) -> String { perform(.controlPointWritten(octets(request))) }

  private mutating func give(_ input: BootloaderInput) {
    guard hasPower else { return }
    var effects: [BootloaderEffect] = []
    bootloader.handle(input, &effects)
    for effect in effects { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: BootloaderEffect) {
    switch effect {
    case .respond(let code): log.append(code == 0 ? "ATT 0x0" : "ATT 0x1" + String(code, radix: 16))
    case .notify(let value): log.append("N " + Hexadecimal.string(value))
    case .beginFlashOperation:
      guard isFlashRunning else { return }
      endFlashOperation()
    case .startTimer(.inactivity, let time): log.append("TIMER \(time)")
    case .startTimer(.reset, let time):
      log += ["DELAY \(time)", "SD_DISABLED"]
      give(.timerFired(.reset))
    case .advertise(let data, let interval):
      let address = Bootloader.address(ofApplication: Self.address)
      log.append("ADVDATA \(Hexadecimal.string(data)) int=\(interval)")
      log.append("ADVSTART addr=" + Hexadecimal.string(address).uppercased())
    case .requestConnectionParameters(let interval, let latency, let timeout):
      log.append("CONNPARAM min=\(interval) max=\(interval) lat=\(latency) sup=\(timeout)")
    case .disconnect(let reason): log.append("DISC 0x" + String(reason, radix: 16))
    case .reset: log.append("RESET")
    case .startApplication: log.append("APPSTART")
    case .assertionFailed: log.append("ASSERT")
    case .packetDropped: log.append("NOBUF")
    }
  }

  mutating func endFlashOperation() {
    guard operationsLeft > 0 else {
      bootloader.cutPower()
      hasPower = false
      return
    }
    operationsLeft -= 1
    operationCount += 1
    give(.flashOperationEnded)
  }

  /// Ends an operation that waited while the flash stood still; what the bootloader did.
  mutating func endWaitingOperation() -> String {
    log = []
    endFlashOperation()
    return log.joined(separator: " | ")
  }

  /// Gives power back and lets the chip start until it stays in something.
  mutating func boot() {
    hasPower = true
    for _ in 0..<8 {
      _ = perform(.started(.normal))
      if !hasPower || bootloader.isUpdating || bootloader.isApplicationRunning { return }
    }
    Issue.record("the chip resets for ever")
  }

  /// Sends an init packet and executes it.
  mutating func uploadInitPacket(_ packet: [UInt8]) -> String {
    _ = write("0101" + length(packet.count))
    _ = perform(.packetWritten(packet))
    return write("04")
  }

  /// Sends an image object by object and executes each; what the last one brought.
  mutating func uploadImage(_ image: [UInt8], packetSize: Int = 244) -> String {
    var last = ""
    _ = write("0602")
    for start in stride(from: 0, to: image.count, by: BootloaderBuild.pageSize) {
      let object = Array(image[start..<min(image.count, start + BootloaderBuild.pageSize)])
      _ = write("0102" + length(object.count))
      send(object, packetSize: packetSize)
      last = write("04")
    }
    return last
  }

  mutating func send(_ bytes: [UInt8], packetSize: Int = 244) {
    for start in stride(from: 0, to: bytes.count, by: packetSize) {
      _ = perform(.packetWritten(Array(bytes[start..<min(bytes.count, start + packetSize)])))
    }
  }

  private func length(_ count: Int) -> String {
    Hexadecimal.string((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
  }

  /// The state in the harness's words.
  var state: String {
    let settings = bootloader.settings
    let progress = settings.progress
    func checksum(_ value: UInt32) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 8 - text.count) + text
    }
    func bank(_ bank: FirmwareBank) -> String { "0\(bank.content.rawValue)/\(bank.size)" }
    return
      "STATE cmd=\(progress.command.count)/\(progress.commandSize) crc=\(checksum(CRC32.checksum(progress.command)))"
      + " dobj=\(progress.dataObjectSize) fw_off=\(progress.offset) last=\(progress.executedOffset)"
      + " crc=\(checksum(progress.checksum)) crcl=\(checksum(progress.executedChecksum))"
      + " b0=\(bank(settings.bank0)) b1=\(bank(settings.bank1)) appv=\(settings.applicationVersion)"
      + " blv=\(settings.bootloaderVersion) qn=\(bootloader.flashQueueLength)"
  }
}
