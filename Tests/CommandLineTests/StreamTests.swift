import Foundation
import TestThreads
import Testing

/// What goes to a terminal is coloured, and what goes to a file is not, whatever the other stream is.
@Suite(.waits) struct Streams {
  private static let escape: Character = "\u{1B}"
  private static let words = ["run", "scenarios/pairing/once.yaml"]

  @Test func aFileHoldsNoEscapes() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "result")
    let outcome = try Tool.run(
      Self.words, within: TerminalShell.around("\"$@\" > \(file.path)"), environment: ["TERM": "xterm"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let result = try String(contentsOf: file, encoding: .utf8)
    #expect(result.hasPrefix("PASSED"), "\(result)")
    #expect(!result.contains(Self.escape))
    #expect(outcome.output.contains(Self.escape), "progress is drawn on the terminal")
  }

  @Test func aTerminalIsColouredBesideAFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "progress")
    let outcome = try Tool.run(
      Self.words, within: TerminalShell.around("\"$@\" 2> \(file.path)"), environment: ["TERM": "xterm"])
    #expect(outcome.output.hasPrefix("\u{1B}[32mPASSED"), "\(outcome.output)")
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(Self.escape))
  }
}
