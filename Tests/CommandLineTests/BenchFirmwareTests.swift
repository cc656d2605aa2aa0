import Foundation
import Testing

@testable import dictobench

/// A bench whose file names its recorder's firmware qualifies nothing else.
@Suite struct FirmwareOfBenches {
  private static let guests = Tool.repository.path + "/firmware-images/guests/built/"

  /// What is doubted of a bench whose recorder has these instruments, where an image of this name is qualified.
  private static func doubt(_ image: String, _ instruments: String) throws -> String? {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let bench = try folder.write(
      "bench.yaml",
      """
      place: a
      adapters: ["unix:/nowhere"]
      recorders:
        - address: C6:05:04:03:02:01
          \(instruments)

      """)
    let arguments = try ParsedArguments(["--bench", bench], for: QualifyCommand.declaration)
    return try BenchFirmware.doubt(
      try QualifiedFirmware(guests + image, board: nil), on: try BenchFiles.target(arguments))
  }

  private static let probe = "flash: {USBDebugger: {serial: E6614C311B}, image: \(guests)recorder-s140.hex}"

  private static func console(_ image: String) -> String {
    "console: {RawSerialPort: {port: /dev/null, speed: 115200}, image: \(image)}"
  }

  @Test func theFlashHoldsTheFirmware() throws {
    #expect(try Self.doubt("recorder-s140.elf", Self.probe) == nil)
    let failure = #expect(throws: UsageFailure.self) { try Self.doubt("divide-by-zero.elf", Self.probe) }
    #expect(failure?.message.contains("the flash of recorder C6:05:04:03:02:01 gets ") == true)
  }

  @Test func theBannerNamesTheFirmware() throws {
    let digest = try QualifiedFirmware(Self.guests + "recorder-s140.elf", board: nil).name.dropFirst("image:".count)
    #expect(try Self.doubt("recorder-s140.elf", Self.console("\"\(digest.prefix(8))\"")) == nil)
    #expect(throws: UsageFailure.self) {
      try Self.doubt("divide-by-zero.elf", Self.console("\"\(digest.prefix(8))\""))
    }
  }

  /// A word that is neither commit nor digest may stand in any firmware.
  @Test(arguments: [console("simulated"), "comment: only its radio"])
  func whatNothingIdentifiesIsDoubted(instruments: String) throws {
    let doubt = try Self.doubt("recorder-s140.elf", instruments)
    #expect(doubt?.hasPrefix("nothing identifies the firmware of recorder C6:05:04:03:02:01: ") == true)
  }
}
