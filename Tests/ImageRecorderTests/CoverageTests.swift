import Board
import Bytes
import FirmwareImages
import Recorder
import Testing
import Timeline

@testable import ImageRecorder

/// A guest of two functions as an ELF file with symbols and lines: `main` is a move and a loop with a constant behind
/// them, `never` is not called.
private struct GuestELF {
  private static let start: UInt32 = 0x27000
  private static let code: [UInt16] = [0x2001, 0xE7FE, 0x2002, 0x4001, 0xF04F, 0x0001, 0x4770]
  /// Address, size, kind and offset of the name.
  private static let symbols: [(address: UInt32, size: UInt32, kind: UInt8, name: UInt32)] = [
    (0x27040, 0, 0, 12), (0x27044, 0, 0, 15), (0x27048, 0, 0, 12), (0x27041, 8, 2, 1), (0x27049, 6, 2, 6),
  ]
  private static let names = "\0main\0never\0$t\0$d\0.debug_line\0"
  /// Lines 34 and 35 from 0x27040 on, line 40 from 0x27048 to 0x2704E.
  private static let program: [UInt8] = [
    0, 5, 2, 0x40, 0x70, 0x02, 0x00, 3, 33, 1, 33, 2, 3, 3, 5, 1, 2, 3, 0, 1, 1,
  ]

  private static func octets(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static var lines: [UInt8] {
    let header: [UInt8] =
      [2, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1] + Array("src\0\0main.c\0".utf8) + [1, 0, 0, 0]
    let body = octets(3, 2) + octets(UInt32(header.count)) + header + program
    return octets(UInt32(body.count)) + body
  }

  static var image: FirmwareImage {
    get throws {
      var program = octets(0x2004_0000)
      for _ in 1..<16 { program += octets(start + 64 | 1) }
      for half in code { program += octets(UInt32(half), 2) }
      var symbols: [UInt8] = []
      for symbol in Self.symbols {
        symbols += octets(symbol.name) + octets(symbol.address) + octets(symbol.size) + [symbol.kind, 0, 1, 0]
      }
      let parts = [program, symbols, Array(names.utf8), lines]
      var starts: [UInt32] = []
      var end: UInt32 = 84
      for part in parts {
        starts.append(end)
        end += UInt32(part.count)
      }
      var file: [UInt8] =
        [0x7F, 0x45, 0x4C, 0x46, 1, 1] + Array(repeating: 0, count: 10) + octets(2, 2) + octets(40, 2)
      file += octets(1) + octets(0) + octets(52) + octets(end) + octets(0) + octets(52, 2) + octets(32, 2)
      file += octets(1, 2) + octets(40, 2) + octets(4, 2) + octets(2, 2)
      for word in [1, starts[0], start, start, UInt32(program.count), UInt32(program.count), 5, 4] {
        file += octets(word)
      }
      for part in parts { file += part }
      // Nothing, symbols, their names and those of sections, lines.
      let sections: [[UInt32]] = [
        Array(repeating: 0, count: 10), [0, 2, 0, 0, starts[1], UInt32(symbols.count), 2, 0, 4, 16],
        [0, 3, 0, 0, starts[2], UInt32(names.utf8.count), 0, 0, 1, 0],
        [18, 1, 0, 0, starts[3], UInt32(parts[3].count), 0, 0, 1, 0],
      ]
      for section in sections { for word in section { file += octets(word) } }
      return try FirmwareImage(file, name: "guest.elf")
    }
  }
}

@Suite struct CoverageTests {
  /// Lets scenario `a` switch a recorder on, and scenario `b` leave it off.
  private static func coverage(_ image: FirmwareImage) throws -> ImageCoverage {
    let ledger = CoverageLedger()
    let program = try ImageProgram(image, on: .s140)
    for name in ["a", "b"] {
      let configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
      var machine = program.recorderProgram(named: "guest", telling: ledger, scenario: name).machine(configuration)
      guard name == "a" else { continue }
      machine.take(.pressButton, at: .zero)
      machine.timerFired(0, at: Instant(nanoseconds: 1_000_000))
      #expect(machine.isOn)
    }
    return ledger.coverage(
      of: image, by: ["a", "b", "c"],
      verifying: [("DEV-1", ["b", "a"]), ("DEV-2", ["b"]), ("DEV-3", ["c"])])
  }

  @Test func whatChangesAnImageIsToldWhereItIsNotAsUsual() throws {
    var program = try ImageProgram(try GuestELF.image, on: .s140)
    #expect(program.recorderProgram(named: "guest").conditions == [])
    program.processorTime = ImageProgram.usualProcessorTime
    #expect(program.recorderProgram(named: "guest").conditions == [])
    program.processorTime = .seconds(1)
    program.installsPackages = true
    #expect(
      program.recorderProgram(named: "guest").conditions == ["packages of its own", "processor time 1.0 seconds"])
    var board = BoardDescription.s140
    board.button = .init(0, 5)
    let other = try ImageProgram(try GuestELF.image, on: board).recorderProgram(named: "guest").conditions
    #expect(other.map { $0.hasPrefix("board s140 ") } == [true])
  }

  @Test func functionsAndInstructionsAreCountedWithoutConstants() throws {
    let coverage = try Self.coverage(try GuestELF.image)
    #expect(coverage.functions.map(\.name) == ["main", "never"])
    #expect(coverage.functions.map(\.instructions) == [2, 2])
    #expect(coverage.functions.map(\.entered) == [2, 0])
    #expect(coverage.entered == 2)
    #expect(coverage.instructions == 4)
    #expect(coverage.shares.map(\.name) == ["a", "b"])
    #expect(coverage.shares.map(\.instructions) == [2, 0])
    #expect(coverage.requirements.map(\.name) == ["DEV-1"])
    #expect(coverage.requirements.map(\.instructions) == [2])
    #expect(
      coverage.lines == [
        "coverage: 1 of 2 functions (50.0 %) and 2 of 4 instructions (50.0 %) of the firmware entered by 1 scenario",
        "  never entered, the largest of 1 functions:", "    never (main.c:40), 2 instructions",
        "  executed by one scenario alone:", "    2 of 2 instructions (100.0 %) by a",
        "  by the requirements that scenarios verify:", "    DEV-1: 2 of 4 instructions (50.0 %) by 1 scenario",
      ])
  }

  @Test func theFileHasTheFormatOfLcov() throws {
    let text = """
      TN:
      SF:src/main.c
      FN:34,main
      FN:40,never
      FNDA:1,main
      FNDA:0,never
      FNF:2
      FNH:1
      DA:34,1
      DA:35,1
      DA:40,0
      LF:3
      LH:2
      end_of_record

      """
    #expect(try Self.coverage(try GuestELF.image).lcov == text)
  }

  @Test func withoutSymbolsInstructionsAreCountedAndTheLackIsNamed() throws {
    var octets: [UInt8] = []
    for segment in try GuestELF.image.segments { octets += segment.octets }
    var text = ":020000040002F8\n"
    for offset in stride(from: 0, to: octets.count, by: 16) {
      var record = [UInt8(min(16, octets.count - offset)), 0x70, UInt8(offset), 0]
      record += octets[offset..<min(offset + 16, octets.count)]
      record.append(0 &- record.reduce(0, &+))
      text += ":" + Hexadecimal.string(record) + "\n"
    }
    let coverage = try Self.coverage(try FirmwareImage(Array((text + ":00000001FF").utf8), name: "guest.hex"))
    #expect(coverage.entered == 2)
    #expect(coverage.lcov.isEmpty)
    #expect(
      coverage.lines.first
        == "coverage: 2 instructions of the firmware executed by 1 scenario; an Intel HEX file has neither symbols nor "
        + "lines, so there are no lines and no functions")
  }

  @Test func placesNameFunctionAndLine() throws {
    #expect(try GuestELF.image.symbols.place(0x27042) == "main+0x2 (main.c:35)")
  }
}
