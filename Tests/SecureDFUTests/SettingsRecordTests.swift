import Testing

@testable import SecureDFU

/// The octets of a settings page.
@Suite struct SettingsRecords {
  private static let application = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
  private static let record = SettingsRecord(application: application, version: 7, bootloaderVersion: 3)

  @Test func isReadAsItWasWritten() throws {
    let octets = Self.record.octets
    #expect(octets.count == 896)
    let read = try #require(SettingsRecord(decoding: octets + [0xFF, 0xFF]))
    #expect(read == Self.record)
    #expect(read.applicationChecksum == CRC32.checksum(Self.application))
    #expect(read.hasApplication)
  }

  /// Each octet that the checksum covers counts; what the application writes for the bootloader does not.
  @Test func aDamagedPageIsNotRead() {
    var octets = Self.record.octets
    for place in [0, 4, 8, 24, 91] {
      octets[place] ^= 1
      #expect(SettingsRecord(decoding: octets) == nil, "octet \(place)")
      octets[place] ^= 1
    }
    octets[870] = 0
    #expect(SettingsRecord(decoding: octets) == Self.record)
    #expect(SettingsRecord(decoding: [UInt8](repeating: 0xFF, count: 4_096)) == nil)
    #expect(SettingsRecord(decoding: Array(octets.prefix(895))) == nil)
  }
}
