import Foundation
import TestThreads
import Testing

@Suite(.waits) struct Exploring {
  private static let options = ["explore", "--runs", "32", "--jobs", "1"]

  /// Two explorations of one seed find different things in the runs of the same number.
  @Test func nothingThatWasFoundBeforeIsReplaced() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "found things").path
    func found() throws -> [String: String] {
      let names = try FileManager.default.contentsOfDirectory(atPath: out)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(out)/\($0)", encoding: .utf8)) })
    }
    let first = try Tool.run(Self.options + ["--published", "pairing", "--out", out])
    #expect(first.status == 1, "\(first)")
    #expect(first.output.contains("dictobench run '\(out)/explored-1-"), "\(first.output)")
    let before = try found()
    #expect(!before.isEmpty)

    _ = try Tool.run(Self.options + ["--published", "pairing", "--out", out])
    #expect(try found() == before, "what is found again is the same")

    let second = try Tool.run(
      Self.options + ["--published", "pairing", "--published", "link-loss", "--published", "format", "--out", out])
    let after = try found()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    let added = after.filter { before[$0.key] == nil }
    let renamed = try #require(added.first { $0.key.hasSuffix("-2.yaml") }, "\(after.keys.sorted()) \(second.output)")
    #expect(renamed.value.contains("id: \(renamed.key.dropLast(5))\n"), "\(renamed.value)")
    #expect(second.output.contains(renamed.key))
  }

  @Test func aRunThatIsLostFromTheBeginningSaysSo() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "lost.yaml",
      """
      scenario: lost at once
      id: lost-at-once
      verifies: [APP-1.2]
      steps:
        - phone: library
          expect: {count: 5}

      """)
    let outcome = try Tool.run(["turning-point", file, "--draws", "5", "--phone", "reference"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("lost from the beginning on: every future fails\n"), "\(outcome.output)")
  }
}
