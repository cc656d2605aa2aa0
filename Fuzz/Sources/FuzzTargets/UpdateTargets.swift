import SecureDFU

/// What release engineers, attackers and the other end of an update send.
enum UpdateTargets {
  static func updatePackage(_ octets: [UInt8]) -> Bool {
    guard let package = try? FirmwarePackage(decoding: octets) else { return false }
    guard let again = try? package.archive() else { return true }
    precondition(
      (try? FirmwarePackage(decoding: again))?.images == package.images, "a package is read differently when written")
    return true
  }

  static func initPacket(_ octets: [UInt8]) -> Bool {
    let validator = InitPacketValidator(build: .s140Debug, publicKey: nil)
    _ = validator.predict(initPacket: octets, installed: InstalledFirmware(applicationVersion: 1))
    return (try? InitPacket(decoding: octets)) != nil
  }

  /// One input is what a central does to a bootloader: a kind, and for what is written a length and octets.
  static func bootloader(_ octets: [UInt8]) -> Bool {
    let flash = BootloaderFlash(build: .s140Debug, application: [1, 2, 3, 4], version: 1)
    var bootloader = Bootloader(build: .s140Debug, publicKey: TestKey.publicKey, flash: flash)
    var effects: [BootloaderEffect] = []
    bootloader.handle(.started(.updateRequested), &effects)
    bootloader.handle(.connected, &effects)
    bootloader.handle(.notificationsChanged(true), &effects)
    var rest = octets[...]
    while let kind = rest.popFirst() {
      switch kind % 6 {
      case 0, 1:
        guard let length = rest.popFirst() else { return false }
        let value = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(value.count)
        bootloader.handle(kind % 6 == 0 ? .controlPointWritten(value) : .packetWritten(value), &effects)
      case 2: bootloader.handle(.flashOperationEnded, &effects)
      case 3: bootloader.handle(.disconnected, &effects)
      case 4: bootloader.handle(.connected, &effects)
      default: bootloader.handle(.timerFired(kind > 127 ? .inactivity : .reset), &effects)
      }
    }
    for effect in effects {
      if case .notify(let value) = effect { precondition((try? ControlPointReply(decoding: value)) != nil) }
    }
    return !effects.isEmpty
  }

  /// One input is what a bootloader notifies to an updater: lengths and octets, a length over 127 for a timer or a link.
  static func updater(_ octets: [UInt8]) -> Bool {
    var transfer = ImageTransfer(
      initPacket: [UInt8](repeating: 0x12, count: 140), image: [UInt8](repeating: 0x34, count: 9000))
    var effects: [ImageTransferEffect] = []
    transfer.handle(.linkReady(packetSize: 244), &effects)
    var rest = octets[...]
    while let length = rest.popFirst(), effects.count < 5000 {
      switch length {
      case 128..<192: transfer.handle(.timerFired, &effects)
      case 192...:
        transfer.handle(.linkLost, &effects)
        transfer.handle(.linkReady(packetSize: Int(length)), &effects)
      default:
        let value = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(value.count)
        transfer.handle(.notified(value), &effects)
      }
    }
    for case .progressed(_, let confirmed) in effects {
      precondition(confirmed <= 9000, "more is confirmed than there is")
    }
    return effects.contains { if case .writePacket = $0 { true } else { false } }
  }
}
