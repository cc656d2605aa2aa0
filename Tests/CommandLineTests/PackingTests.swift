import Foundation
import TestThreads
import Testing

/// `dictobench dfu pack`: the files that it takes for an application.
@Suite(.waits) struct Packing {
  /// Packs a file of this name, and returns what was said and the package.
  private func pack(_ name: String, _ octets: [UInt8]) throws -> (outcome: Tool.Outcome, package: Data?) {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: name)
    let out = folder.url.appending(path: "package.zip")
    try Data(octets).write(to: file)
    let outcome = try Tool.run([
      "dfu", "pack", file.path, "--application-version", "2", "--sd-req", "0x0100", "--out", out.path,
    ])
    return (outcome, FileManager.default.contents(atPath: out.path))
  }

  /// Records of Intel HEX with their sums: at 0x27000 four octets, a gap of four, and four more.
  private static let hex = [
    ":020000040002F8", ":047000000102030482", ":04700800050607086A", ":00000001FF",
  ]

  private static func file(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\r\n").utf8) }

  @Test func anIntelHexFileIsPackedAsWhatStandsInFlash() throws {
    let raw = try pack("app.bin", [1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF, 5, 6, 7, 8])
    let converted = try pack("app.hex", Self.file(Self.hex))
    #expect(converted.outcome.status == 0, "\(converted.outcome.trouble)")
    #expect(raw.package != nil)
    #expect(converted.package == raw.package)
  }

  /// A file, and words of the sentence that says why it is refused.
  private static let refused: [(name: String, octets: [UInt8], words: String)] = [
    ("app.elf", [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1, 0], " is an ELF file; expected the .hex or .bin that objcopy makes"),
    ("app.hex", file([":10000000AAAA", ":00000001FF"]), "line 1: states 16 octets of data, has 1"),
    ("app.hex", file([":0400000001020304F2", ":00000001FF"]), " begins at 0x0, inside the SoftDevice; expected the "),
    (
      "app.hex", file(hex.dropLast() + [":020000040020DA", ":04000000FFFFFFFF00", ":00000001FF"]),
      " goes on to 0x200000; expected at most 1048576 octets from 0x27000 on"
    ),
  ]

  @Test(arguments: refused)
  func whatIsNoApplicationIsRefused(name: String, octets: [UInt8], words: String) throws {
    let (outcome, package) = try pack(name, octets)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains(words), "\(outcome.trouble)")
    #expect(package == nil)
  }
}
