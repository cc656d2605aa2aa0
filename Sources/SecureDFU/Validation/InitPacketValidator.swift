import Bytes
import Crypto

/// Judges init packets as a bootloader does: the same checks in the same order; the first that fails decides
/// (nRF5 SDK 17.1.0, `nrf_dfu_validation.c` and `nrf_dfu_ver_validation.c`).
public struct InitPacketValidator: Sendable {
  /// The bootloader that judges.
  public let build: BootloaderBuild
  /// The key it trusts; `nil` where that is not known and signatures are taken for good.
  public let publicKey: P256PublicKey?

  public init(build: BootloaderBuild, publicKey: P256PublicKey?) {
    self.build = build
    self.publicKey = publicKey
  }

  /// The image that a packet announces, where the bootloader would take it on a device with this firmware.
  public func judge(
    _ bytes: [UInt8], installed: InstalledFirmware
  ) throws(InitPacketRefusal) -> AcceptedImage {
    let packet: InitPacket
    do { packet = try InitPacket(decoding: bytes) } catch { throw .malformed(error) }
    try checkSignature(packet)
    let command = packet.command
    guard let type = command.type, type.rawValue <= FirmwareType.softDeviceAndBootloader.rawValue else {
      throw .type(command.type)
    }
    guard command.hash?.type == FirmwareHash.sha256 else { throw .hashType(command.hash?.type) }
    if !(build.isDebug && command.isDebug) {
      try checkVersions(command, type, installed)
    }
    return try place(command, type, installed)
  }

  private func checkSignature(_ packet: InitPacket) throws(InitPacketRefusal) {
    let type = packet.command.type
    // Replacing a bootloader always requires the key, even where the build accepts unsigned applications.
    let isNeeded = build.requiresSignature || type == .bootloader || type == .softDeviceAndBootloader
    guard isNeeded else { return }
    guard let signature = packet.signature else { throw .unsigned }
    guard signature.type == InitSignature.ecdsaP256 else { throw .signatureType(signature.type) }
    guard let raw = signature.mostSignificantFirst else { throw .signatureLength(signature.bytes.count) }
    guard let publicKey else { return }
    guard ECDSA.isValid(raw, for: packet.signedBytes, publicKey: publicKey) else { throw .signature }
  }

  private func checkVersions(
    _ command: InitCommand, _ type: FirmwareType, _ installed: InstalledFirmware
  ) throws(InitPacketRefusal) {
    guard let hardware = command.hardwareVersion else { throw .hardwareMissing }
    guard hardware == build.hardwareVersion else {
      throw .hardware(required: hardware, present: build.hardwareVersion)
    }
    guard acceptsSoftDevices(command.softDeviceRequirements, type) else {
      throw .softDevice(required: command.softDeviceRequirements, present: build.softDeviceIdentifier)
    }
    guard let version = command.firmwareVersion else {
      if type == .softDevice || (type == .application && !build.preventsDowngrade) { return }
      throw .versionMissing
    }
    switch type {
    case .bootloader, .softDeviceAndBootloader:
      guard version > installed.bootloaderVersion else {
        throw .version(offered: version, installed: installed.bootloaderVersion)
      }
    default:
      let isAccepted =
        !build.preventsDowngrade || version > installed.applicationVersion
        || (version == installed.applicationVersion && build.acceptsSameVersion)
      guard isAccepted else { throw .version(offered: version, installed: installed.applicationVersion) }
    }
  }

  /// Zero in the first place means that the image brings its own SoftDevice or needs none.
  private func acceptsSoftDevices(_ required: [UInt32], _ type: FirmwareType) -> Bool {
    guard let first = required.first else { return false }
    guard first == 0 else { return required.contains(build.softDeviceIdentifier) }
    switch type {
    case .application: return required.count == 1
    case .softDevice: return !build.preventsDowngrade
    default: return true
    }
  }

  private func place(
    _ command: InitCommand, _ type: FirmwareType, _ installed: InstalledFirmware
  ) throws(InitPacketRefusal) -> AcceptedImage {
    guard let size = command.imageSize else { throw .sizeMissing }
    if type == .bootloader || type == .softDeviceAndBootloader, let bootloaderSize = command.bootloaderSize {
      guard bootloaderSize <= build.bootloaderAreaSize else {
        throw .bootloaderSize(bootloaderSize, limit: build.bootloaderAreaSize)
      }
    }
    guard size <= UInt64(build.regionSize) else { throw .imageSize(size, limit: build.regionSize) }
    let occupied = BootloaderBuild.pages(UInt64(installed.applicationSize ?? 0))
    let isBeside = occupied + size <= UInt64(build.regionSize)
    return AcceptedImage(
      command: command, size: UInt32(size), start: build.bankStart + (isBeside ? UInt32(occupied) : 0),
      replacesApplication: !isBeside && installed.applicationSize != nil)
  }
}
