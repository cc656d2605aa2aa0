import Bytes
import Foundation
import TestThreads
import Testing

/// `dictobench run --target image`: images that are none.
@Suite(.waits) struct BadImages {
  /// A file that cannot be executed, and words of the sentence that says why.
  struct Bad: CustomTestStringConvertible, Sendable {
    var name: String
    var octets: [UInt8]
    var words: [String]
    var board: String?

    var testDescription: String { name }
  }

  private static let built = Tool.repository.appending(path: "firmware-images/guests/built")

  private static func guest(_ name: String) -> [UInt8] {
    ((try? Data(contentsOf: built.appending(path: name))) ?? Data()).map { $0 }
  }

  /// The good guest with octets of its ELF header replaced.
  private static func elf(_ octets: [UInt8], at offset: Int) -> [UInt8] {
    var file = guest("recorder-s140.elf")
    if offset + octets.count <= file.count { file.replaceSubrange(offset..<offset + octets.count, with: octets) }
    return file
  }

  /// An Intel HEX file of a few words an address; the first two are stack pointer and reset vector.
  private static func hex(_ parts: [(address: UInt32, words: [UInt32])]) -> [UInt8] {
    func record(_ kind: UInt8, _ offset: UInt32, _ data: [UInt8]) -> String {
      var octets = [UInt8(data.count), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF), kind] + data
      octets.append(0 &- octets.reduce(0, &+))
      return ":" + Hexadecimal.string(octets)
    }
    var lines: [String] = []
    for part in parts {
      let data = part.words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      lines.append(record(4, 0, [UInt8(part.address >> 24), UInt8(part.address >> 16 & 0xFF)]))
      lines.append(record(0, part.address & 0xFFFF, data))
    }
    return Array((lines + [":00000001FF"]).joined(separator: "\n").utf8)
  }

  static let bad = [
    Bad(name: "empty", octets: [], words: ["the file is empty"]),
    Bad(name: "noise", octets: [0x4D, 0x5A, 0x90, 0x00], words: ["begins with 4d5a9000", "ELF", "Intel HEX"]),
    Bad(name: "cut.elf", octets: Array(guest("recorder-s140.elf").prefix(3000)), words: ["ends too early"]),
    Bad(name: "cut.hex", octets: Array(guest("recorder-s140.hex").prefix(3000)), words: ["line 68"]),
    Bad(name: "no-end.hex", octets: Array(":0400000001020304F2".utf8), words: ["no end-of-file record"]),
    Bad(name: "wide.elf", octets: elf([2], at: 4), words: ["64-bit"]),
    Bad(name: "intel.elf", octets: elf([62], at: 18), words: ["machine 62"]),
    Bad(name: "headers.elf", octets: elf([0xFF, 0xFF, 0xFF, 0xFF], at: 28), words: ["ends too early"]),
    Bad(name: "many-headers.elf", octets: elf([0xFF, 0xFF], at: 44), words: ["65535 program headers"]),
    Bad(name: "long-segment.elf", octets: elf([0xFF, 0xFF, 0xFF, 0xFF], at: 52 + 16), words: ["ends too early"]),
    Bad(name: "high.elf", octets: elf([0xF0, 0xFF, 0xFF, 0xFF], at: 52 + 12), words: ["beyond the address space"]),
    Bad(name: "other-chip.elf", octets: guest("recorder-s140.elf"), words: ["0x20040000", "RAM"], board: "s132"),
    Bad(name: "other-base.elf", octets: guest("recorder-s132.elf"), words: ["inside the SoftDevice"], board: "s140"),
    Bad(name: "no-board.elf", octets: guest("recorder-s140.elf"), words: ["s140, s132"], board: "s999"),
    Bad(name: "merged.hex", octets: hex([(0, [0x2004_0000, 0x201])]), words: ["application alone"]),
    Bad(
      name: "merged-on-board.hex", octets: hex([(0x1000, [0x2004_0000, 0x1009, 0])]), words: ["inside the SoftDevice"],
      board: "s140"),
    Bad(name: "nonsense.hex", octets: hex([(0x27000, [0xDEAD_BEEF, 0xCAFE_BABE])]), words: ["0xdeadbeef"]),
    Bad(
      name: "odd-stack.hex", octets: hex([(0x27000, [0x2003_FFFE, 0x27009, 0])]), words: ["not the address of a word"]),
    Bad(name: "arm-reset.hex", octets: hex([(0x27000, [0x2004_0000, 0x27008, 0])]), words: ["Thumb"]),
    Bad(
      name: "gap.hex", octets: hex([(0x27000, [0x2004_0000, 0x28001]), (0x30000, [0])]),
      words: ["reset vector is 0x28001"]),
    Bad(name: "short.hex", octets: hex([(0x27000, [0x2004_0000])]), words: ["needs at least 8"]),
    Bad(
      name: "beyond.hex", octets: hex([(0x27000, [0x2004_0000, 0x27009, 0]), (0x0FFF_FFF0, [0, 0])]),
      words: ["beyond the 1024 KiB"]),
    Bad(
      name: "overlap.hex", octets: hex([(0x27000, [0x2004_0000, 0x27009, 0]), (0x27004, [0])]),
      words: ["two parts", "0x27004"]),
  ]

  private static func run(_ file: String, board: String? = nil) throws -> Tool.Outcome {
    try Tool.run(
      ["run", "--target", "image", "--image", file] + (board.map { ["--board", $0] } ?? [])
        + ["scenarios/discovery/out-of-range.yaml"])
  }

  @Test(arguments: bad) func aBadImageIsRefusedInOneSentence(_ image: Bad) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: image.name)
    try Data(image.octets).write(to: file)
    let outcome = try Self.run(file.path, board: image.board)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    for word in image.words { #expect(outcome.trouble.contains(word), "\(outcome.trouble)") }
  }

  @Test(arguments: ["/nonexistent/image.elf", "/", "/dev/zero"]) func whatIsNoFileIsRefused(_ path: String) throws {
    let outcome = try Self.run(path)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("cannot read \(path)"), "\(outcome.trouble)")
  }

  /// Nothing of the file is read: it is only said to be long.
  @Test func aHugeFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("huge.hex", ":")
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: 1 << 33)
    let outcome = try Self.run(file)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("8589934592 octets"), "\(outcome.trouble)")
  }
}
