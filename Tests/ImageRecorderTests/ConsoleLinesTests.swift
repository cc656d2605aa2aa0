import Board
import Testing

@testable import ImageRecorder

/// Lines of a console that may write anything.
@Suite struct ConsoleLinesTests {
  /// What is written, and the lines that come of it.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var octets: [UInt8]
    var lines: [String]

    init(_ name: String, _ text: String, _ lines: [String]) {
      (testDescription, octets, self.lines) = (name, Array(text.utf8), lines)
    }
  }

  private static let cases = [
    Case("lines", "one\r\ntwo\n", ["one", "two"]), Case("no end", "one", []), Case("blank lines", "\n\r\n\n", []),
    Case("colours", "\u{1B}[1;32m<info>\u{1B}[0m up\n", ["<info> up"]),
    Case("other sequences", "a\u{1B}[2J\u{1B}[10;20Hb\u{1B}cd\n", ["abd"]),
    Case("an endless sequence", "\u{1B}[" + String(repeating: "1", count: 15) + "end\n", ["end"]),
    Case("control characters", "a\u{7}\u{8}\u{7F}\tb\0\n", ["a\\x07\\x08\\x7F b"]),
    Case("beyond ASCII", "é\u{202E}\n", ["\\xC3\\xA9\\xE2\\x80\\xAE"]),
    Case(
      "a long line", String(repeating: "x", count: 250) + "\n",
      [String(repeating: "x", count: 240), String(repeating: "x", count: 10)]),
  ]

  @Test(arguments: cases) func octetsBecomeLines(_ test: Case) {
    var log = ConsoleLines()
    #expect(log.take(test.octets) == test.lines)
    // One by one it is the same.
    var slow = ConsoleLines()
    #expect(test.octets.flatMap { slow.take([$0]) } == test.lines)
  }

  @Test func whatWasBegunIsNotLost() {
    var log = ConsoleLines()
    #expect(log.take(Array("boot\nhalf".utf8)) == ["boot"])
    #expect(log.takeRest() == "half")
    #expect(log.takeRest() == nil)
  }

  @Test func anEndlessConsoleIsCutOff() {
    var log = ConsoleLines()
    let lines = log.take(Array(String(repeating: "x\n", count: 5_000).utf8))
    #expect(lines.count == ConsoleLines.lineLimit + 1)
    #expect(lines.last == "… the rest is left out")
    #expect(log.take(Array("more\n".utf8)) == [])
    #expect(log.takeRest() == nil)
  }
}
