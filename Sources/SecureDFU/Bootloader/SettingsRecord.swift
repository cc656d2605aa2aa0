/// A bootloader's settings as they stand in a page of flash (nRF5 SDK 17.1.0, `nrf_dfu_types.h`, `nrf_dfu_settings_t`,
/// version 2; its enumerations take one octet each).
package struct SettingsRecord: Hashable, Sendable {
  /// Version of the application.
  package var applicationVersion: UInt32
  /// Version of the bootloader.
  package var bootloaderVersion: UInt32
  /// Octets of the application in bank 0; 0 for none.
  package var applicationSize: UInt32
  /// CRC-32 of that application.
  package var applicationChecksum: UInt32
  /// Whether bank 0 holds an application that may be started.
  package var hasApplication: Bool
  /// Octets of the image in bank 1 that waits to be put in place; 0 for none.
  package var waitingSize: UInt32
  /// The command object of the update that goes on, empty for none.
  package var command: [UInt8]

  /// Octets of the structure.
  package static let size = 896

  /// Where members begin, in octets.
  private enum Offset {
    static let version = 4
    static let applicationVersion = 8
    static let bootloaderVersion = 12
    static let bank0 = 24
    static let bank1 = 36
    static let commandSize = 56
    static let command = 92
    static let bootValidationChecksum = 604
    static let bootValidation = 608
    static let applicationValidation = 673
    static let peerData = 804
  }

  private static let layoutVersion: UInt32 = 2
  private static let commandLimit = 512
  /// `VALIDATE_CRC`: an application is started when its CRC-32 is right.
  private static let validatesChecksum: UInt8 = 1

  /// The settings that a programmer writes with an application, so that the bootloader starts it.
  package init(application: [UInt8], version: UInt32, bootloaderVersion: UInt32 = 1) {
    applicationVersion = version
    self.bootloaderVersion = bootloaderVersion
    applicationSize = UInt32(clamping: application.count)
    applicationChecksum = CRC32.checksum(application)
    hasApplication = true
    waitingSize = 0
    command = []
  }

  /// The settings in a page; `nil` where the page is erased or its checksum is wrong, as a bootloader would find.
  package init?(decoding page: [UInt8]) {
    guard page.count >= Self.size else { return nil }
    func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(page[offset + $1]) << UInt32($1 * 8) } }
    guard word(0) != .max, word(0) == CRC32.checksum(Array(page[4..<Offset.command])) else { return nil }
    applicationVersion = word(Offset.applicationVersion)
    bootloaderVersion = word(Offset.bootloaderVersion)
    applicationSize = word(Offset.bank0)
    applicationChecksum = word(Offset.bank0 + 4)
    hasApplication = word(Offset.bank0 + 8) & 0xFF == UInt32(FirmwareBank.Content.application.rawValue)
    let isWaiting = word(Offset.bank1 + 8) & 0xFF != UInt32(FirmwareBank.Content.nothing.rawValue)
    waitingSize = isWaiting ? word(Offset.bank1) : 0
    let count = min(Int(word(Offset.commandSize)), Self.commandLimit)
    command = Array(page[Offset.command..<Offset.command + count])
  }

  /// The octets of the structure, with both checksums.
  package var octets: [UInt8] {
    var octets = [UInt8](repeating: 0, count: Self.size)
    func put(_ value: UInt32, _ offset: Int) {
      for index in 0..<4 { octets[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(index * 8)) }
    }
    put(Self.layoutVersion, Offset.version)
    put(applicationVersion, Offset.applicationVersion)
    put(bootloaderVersion, Offset.bootloaderVersion)
    put(applicationSize, Offset.bank0)
    put(applicationChecksum, Offset.bank0 + 4)
    put(UInt32(hasApplication ? FirmwareBank.Content.application.rawValue : 0), Offset.bank0 + 8)
    octets[Offset.applicationValidation] = Self.validatesChecksum
    put(applicationChecksum, Offset.applicationValidation + 1)
    put(
      CRC32.checksum(Array(octets[Offset.bootValidation..<Offset.applicationValidation + 130])),
      Offset.bootValidationChecksum)
    // What the application stores for the bootloader has not been written.
    for offset in Offset.peerData..<Self.size { octets[offset] = 0xFF }
    put(CRC32.checksum(Array(octets[4..<Offset.command])), 0)
    return octets
  }
}
