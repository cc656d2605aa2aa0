import Bytes
import Foundation
import TestThreads
import Testing

/// `--bootloader`: images that can be none, and what one makes possible.
@Suite(.waits) struct BootloaderImages {
  private static let built = "firmware-images/guests/built"
  private static let application = "\(built)/recorder-updatable.elf"

  /// An Intel HEX file with two words at each address, and with the user register that says where the chip starts.
  private static func hex(at address: UInt32, _ words: [UInt32], start: UInt32?) -> String {
    func record(_ kind: UInt8, _ offset: UInt32, _ data: [UInt8]) -> String {
      var octets = [UInt8(data.count), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF), kind] + data
      octets.append(0 &- octets.reduce(0, &+))
      return ":" + Hexadecimal.string(octets)
    }
    func part(_ address: UInt32, _ words: [UInt32]) -> [String] {
      let data = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      return [
        record(4, 0, [UInt8(address >> 24), UInt8(address >> 16 & 0xFF)]), record(0, address & 0xFFFF, data),
      ]
    }
    return (part(address, words) + (start.map { part(0x1000_1014, [$0]) } ?? []) + [":00000001FF"])
      .joined(separator: "\n")
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    var name: String
    var file: String
    var words: [String]

    var testDescription: String { name }
  }

  static let bad = [
    Bad(
      name: "overlap", file: hex(at: 0x27000, [0x2004_0000, 0x27009, 0], start: 0x27000),
      words: ["inside the application", "0x27000"]),
    Bad(
      name: "other chip", file: hex(at: 0x12_0000, [0x2004_0000, 0x12_0009, 0], start: 0x12_0000),
      words: ["beyond the 1024 KiB", "another board"]),
    Bad(
      name: "other RAM", file: hex(at: 0xF_0000, [0x2008_0000, 0xF_0009, 0], start: 0xF_0000),
      words: ["0x20080000", "not an image for this board"]),
    Bad(
      name: "nonsense", file: hex(at: 0xF_0000, [0xDEAD_BEEF, 0xCAFE_BABE], start: 0xF_0000), words: ["0xdeadbeef"]),
    Bad(
      name: "ARM", file: hex(at: 0xF_0000, [0x2004_0000, 0xF_0008, 0], start: 0xF_0000), words: ["not a Thumb address"]),
    Bad(
      name: "silent", file: hex(at: 0xF_0000, [0x2004_0000, 0xF_0009, 0], start: nil),
      words: ["0x10001014", "never start it"]),
    Bad(
      name: "elsewhere", file: hex(at: 0xF_0000, [0x2004_0000, 0xF_0009, 0], start: 0xE_0000),
      words: ["0xe0000", "begins at 0xf0000"]),
    Bad(name: "noise", file: "MZ", words: ["begins with 4d5a"]),
  ]

  @Test(arguments: bad) func aBadBootloaderIsRefusedInOneSentence(_ image: Bad) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("bootloader.hex", image.file)
    for command in [["run", "--target", "image"], ["list"]] {
      let outcome = try Tool.run(
        command + ["--image", Self.application, "--bootloader", file, "scenarios/discovery/out-of-range.yaml"])
      #expect(outcome.status == 2)
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
      for word in image.words { #expect(outcome.trouble.contains(word), "\(outcome.trouble)") }
    }
  }

  @Test func aBootloaderAloneStartsNothing() throws {
    let outcome = try Tool.run(["list", "--bootloader", "\(Self.built)/bootloader.elf"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("--bootloader needs --image"), "\(outcome.trouble)")
    let packages = try Tool.run(["list", "--image", Self.application, "--packages", "firmware-images/guests/packages"])
    #expect(packages.status == 2)
    #expect(packages.trouble.contains("--packages needs --bootloader"), "\(packages.trouble)")
  }

  @Test func theListSaysWhatABootloaderMakesPossible() throws {
    let files = ["good", "boards", "slow-flash", "settings"].map { "scenarios/update/\($0).yaml" }
    let image = ["--image", Self.application, "--bootloader", "\(Self.built)/bootloader.elf"]
    func lines(_ more: [String]) throws -> [String] {
      try Tool.run(["list"] + files + image + more).output.split(separator: "\n").map(String.init)
    }
    let without = try lines([])
    #expect(
      without.contains {
        $0.hasPrefix("blocked by packages with programs that can be executed (--packages)  update-good ")
      }, "\(without)")
    let with = try lines(["--packages", "firmware-images/guests/packages"])
    #expect(with.contains { $0.hasPrefix("runnable  update-good ") }, "\(with)")
    #expect(with.contains { $0.hasPrefix("blocked by a recorder of board s132  ") }, "\(with)")
    #expect(with.contains { $0.hasPrefix("blocked by a bootloader with the settings of `given`  update-slow-flash") })
  }

  @Test func theReportNamesTheBootloader() throws {
    let run = try Tool.run([
      "run", "--target", "image", "--image", Self.application, "--bootloader", "\(Self.built)/bootloader.elf",
      "scenarios/discovery/after-boot.yaml",
    ])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains(", bootloader \(Self.built)/bootloader.elf (SHA-256 of its flash "), "\(run.output)")
  }
}
