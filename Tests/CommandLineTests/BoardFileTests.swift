import Board
import TestThreads
import Testing
import YAML

@testable import dictobench

@Suite(.waits) struct BoardFileTests {
  private static func read(_ text: String) -> (board: BoardDescription?, problems: [String]) {
    let (board, diagnostics) = BoardFile.read(SourceFile(path: "b.yaml", text: text))
    return (
      board,
      diagnostics.map { problem in
        "\(problem.location.line):\(problem.location.column) \(problem.message)"
          + (problem.suggestion.map { "; did you mean \($0)?" } ?? "")
      }
    )
  }

  @Test(arguments: BoardDescription.all) func aKnownBoardIsReadBackFromItsDescription(board: BoardDescription) {
    let (read, problems) = Self.read(BoardFile.text(of: board))
    #expect(problems.isEmpty)
    #expect(read == board)
  }

  @Test func anotherBoardIsAnotherFile() {
    let text = BoardFile.text(of: .s140).replacing("button: P1.13", with: "button: P0.11")
      .replacing("name: s140", with: "name: mine")
    var expected = BoardDescription.s140
    expected.name = "mine"
    expected.button = BoardDescription.Pin(0, 11)
    #expect(Self.read(text).board == expected)
  }

  @Test(
    arguments: [
      ("name: s140", "name: a b", "1:7 this is not a name for a board"),
      ("part: nRF52840", "part: nRF5284", "3:9 `part` cannot be `nRF5284`; did you mean nRF52840?"),
      ("variant: AAD0", "variant: AAD", "4:12 this is not"),
      ("flash: 1024 KiB", "flash: 1025 KiB", "5:10 1049600 octets are not whole pages"),
      ("flash: 1024 KiB", "flash: 4 MiB", "5:10 "), ("flash: 1024 KiB", "flash: 1024", "5:10 "),
      ("revision: [8, 2]", "revision: [8]", "7:13 the revision has 1 numbers"),
      ("size: 156 KiB", "size: 1024 KiB", "9:9 no application can begin at 1048576 octets of flash"),
      ("button: P1.13", "buton: P1.13", "12:3 "), ("button: P1.13", "button: P1.16", "12:11 `P1.16` is not a pin"),
      ("button: P1.13", "button: P1.13.1", "12:11 `P1.13.1` is not a pin"),
      ("button: P1.13", "button: P1.06", "13:19 P1.06 goes to two places"),
      ("P1.00, P0.24, P0.22", "P1.00, P0.24", "16:11 there are 2 lights"),
      ("mode: 956 KiB", "mode: 12 KiB", "18:9 12288 octets are not the offset"),
      ("bonds: 1012 KiB", "bonds: 1016 KiB", "19:10 1040384 octets are not the offset"),
      ("mode: 956 KiB", "mode: 1016 KiB", "18:9 the mode of operation is in a page for bonds"),
    ]) func mistakesAreToldAtTheirPlace(text: String, mistake: String, message: String) throws
  {
    let whole = BoardFile.text(of: .s140)
    try #require(whole.contains(text))
    let (board, problems) = Self.read(whole.replacing(text, with: mistake))
    #expect(board == nil)
    #expect(problems.contains { $0.hasPrefix(message) }, "\(problems)")
  }

  @Test func theNearestSpellingIsNamed() {
    let problems = Self.read(BoardFile.text(of: .s140).replacing("latch-data", with: "latch-dta")).problems
    #expect(problems.contains { $0.contains("did you mean latch-data?") }, "\(problems)")
  }

  @Test func theCommandLineReadsIt() throws {
    let folder = try TemporaryFolder()
    let explained = try Tool.run(["explain", "board", "s132"])
    #expect(explained.output == BoardFile.text(of: .s132) + "\n")
    let image = ["--image", try folder.write("guest.hex", Images.guest)]
    let good = try folder.write("mine.yaml", BoardFile.text(of: .s140).replacing("name: s140", with: "name: mine"))
    let run = ["run", "scenarios/discovery/interval.yaml", "--target", "image"]
    #expect(try Tool.run(run + image + ["--board", good]).output.contains("…, board mine)"))
    let other = try Tool.run(["list", "--board", "s132"] + image)
    #expect(other.trouble.contains("stack pointer"), "\(other.trouble)")
    let bad = try folder.write("bad.yaml", BoardFile.text(of: .s140).replacing("P1.13", with: "P9.99"))
    let refused = try Tool.run(["list", "--board", bad] + image)
    #expect(refused.status == 2)
    #expect(
      refused.trouble.contains("bad.yaml:12:11: error: `P9.99` is not a pin of the nRF52840"), "\(refused.trouble)")
    #expect(try Tool.run(["list", "--board", "s14"] + image).trouble.contains("did you mean s140?"))
  }
}
