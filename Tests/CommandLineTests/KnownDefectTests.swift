import Foundation
import TestThreads
import Testing

@Suite(.waits) struct KnownDefectRuns {
  private static let fault = ["--fault", "recorder:list-count-off-by-one"]
  private static let scenario = ["run", "scenarios/records/count.yaml", "--name", "records-count[records=7]"]

  private static func file(_ folder: TemporaryFolder, _ requirements: String...) throws -> [String] {
    let entries = requirements.map { "  - {requirement: \($0), reason: the list counts one too many}\n" }
    return ["--known", try folder.write("known.yaml", "defects:\n" + entries.joined())]
  }

  @Test func aKnownFailureIsNotAFailureOfTheRun() throws {
    let folder = try TemporaryFolder()
    let known = try Self.file(folder, "DEV-6", "DEV-9")
    let out = ["--out", folder.url.path]
    let run = try Tool.run(Self.scenario + Self.fault + known + out)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasPrefix("PASSED  1 scenario: 1 known, "))
    #expect(run.output.contains("known: DEV-6 violated in 1 scenario, as declared at \(known[1]):2 (the list"))
    #expect(run.output.contains("known: \(known[1]):3 was not used: no scenario of this run exercised DEV-9"))
    #expect(run.output.contains("violated as declared: DEV-6"))
    for (name, text) in [
      ("junit.xml", "<skipped message=\"\(known[1]):2 (the list"), ("events.ndjson", #""verdict":"known""#),
      ("summary.json", #""exitCode": 0"#),
    ] {
      let report = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
      #expect(report.contains(text), "\(name)")
    }
    // The report holds what was declared, so a replay needs no file.
    try FileManager.default.removeItem(atPath: known[1])
    let replay = try Tool.run(["replay", folder.url.path])
    #expect(replay.status == 0, "\(replay.trouble)")
    #expect(replay.output == "1 of 1 reproduced (verdict and hash)\n")
  }

  @Test func anythingElseFailsAsBefore() throws {
    let folder = try TemporaryFolder()
    let run = try Tool.run(Self.scenario + Self.fault + Self.file(folder, "DEV-9"))
    #expect(run.status == 1, "\(run.output)")
  }

  @Test func aMendedOneFailsUntilItsLineIsRemoved() throws {
    let folder = try TemporaryFolder()
    let known = try Self.file(folder, "DEV-9", "APP-1.2.1")
    let run = try Tool.run(Self.scenario + known + ["--report", "github", "--report", "console"])
    #expect(run.status == 1)
    let sentence = "\(known[1]):3 declares APP-1.2.1 violated here, but it holds: remove that line"
    #expect(run.output.contains("reason: " + sentence), "\(run.output)")
    #expect(run.output.contains("::error file=\(known[1]),line=3,"), "\(run.output)")
  }

  @Test func aWrongFileIsWrongUsage() throws {
    let folder = try TemporaryFolder()
    let run = try Tool.run(Self.scenario + Self.file(folder, "APP-1.2.l"))
    #expect(run.status == 2)
    #expect(run.trouble.contains("known.yaml:2:19: error: unknown requirement `APP-1.2.l`"), "\(run.trouble)")
    #expect(run.trouble.contains("did you mean `APP-1.2.1`?"))
    #expect(try Tool.run(Self.scenario + ["--known", "nowhere.yaml"]).trouble.contains("no such file"))
  }
}
