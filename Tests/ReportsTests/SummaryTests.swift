import Foundation
import Testing
import Timeline
import Verdicts

@testable import Reports

@Suite struct Summaries {
  @Test(arguments: [SampleRun.run, SampleRun.fullRun]) func areReadBackAsTheyWere(_ run: RunReport) throws {
    let read = try RunReport(summary: SummaryReport.document(run))
    #expect(read == run)
  }

  /// Everything that a report holds is in the sample, else reading it back would show nothing.
  @Test func theSampleLeavesNothingEmpty() {
    let run = SampleRun.fullRun
    let scenario = run.scenarios[1]
    #expect(Set(run.scenarios.map(\.verdict.kind)).count == Verdict.Kind.allCases.count)
    #expect(scenario.lastEvents.isEmpty == false)
    #expect(scenario.capture != nil)
    #expect(!run.requirements.isEmpty)
  }

  @Test(
    arguments: [
      ("\"repetition\": 3", "\"repetition\": 9223372036854775807", "scenarios[1].repetition: "),
      ("\"repetition\": 3", "\"repetition\": -1", "scenarios[1].repetition: "),
      ("\"repetition\": 3", "\"repetition\": 99999999999999999999", "out of range"),
      ("\"repetition\": 3", "\"repetition\": \"3\"", "scenarios[1].repetition: "),
      ("\"wallNanoseconds\": 1,", "\"wallNanoseconds\": 18446744073709551615,", "out of range"),
      ("\"failedAtNanoseconds\": 12345678000", "\"failedAtNanoseconds\": 9223372036854775808", "out of range"),
      ("\"startedAt\": 1700000000", "\"startedAt\": 9223372036854775807", "startedAt: "),
      ("\"schemaVersion\": 3", "\"schemaVersion\": 2", "schemaVersion: expected version 3, got 2"),
      ("\"verdict\": \"mended\"", "\"verdict\": \"\\u001b[2J\"", "verdict: "),
      (
        "\"reason\": \"known.yaml:4 ", "\"reason\": \"known.yaml:5 ",
        "expected a reason that begins with the defect's place"
      ),
      ("\"shown\": 1", "\"shown\": -1", "knownDefects[0].shown: "),
      (
        "\"known\": 1,\n        \"judged\"", "\"known\": 7,\n        \"judged\"",
        "expected a whole number from 0 to 6, got 7"
      ),
      ("\"outcome\": \"skipped\"", "\"outcome\": \"vanished\"", "unknown outcome of a step: vanished"),
      ("\"judged\": 6", "\"judged\": 1", "failed: expected a whole number from 0 to 1, got 2"),
    ]) func whatNoRunCanHaveIsRefusedWithItsPlace(original: String, forged: String, place: String) throws
  {
    let text = String(decoding: SummaryReport.document(SampleRun.fullRun), as: UTF8.self)
    try #require(text.contains(original))
    let failure = #expect(throws: SummaryFailure.self) {
      try RunReport(summary: Array(text.replacing(original, with: forged).utf8))
    }
    #expect(failure?.description.contains(place) == true, "\(String(describing: failure))")
    #expect(failure?.description.contains { $0.isNewline || $0 == "\u{1B}" } == false)
  }

  @Test(arguments: [
    ("\"exitCode\": ", "\"exitCode\": 1"), ("\"failed\": ", "\"failed\": 1"),
    ("\"traceHash\": \"", "\"traceHash\": \"0"),
  ]) func totalsThatDoNotFollowAreFound(original: String, forged: String) throws {
    let document = SampleRun.run.summaryDocument
    let read = try RunReport(summary: document)
    #expect(throws: Never.self) { try read.checkTotals(in: document) }
    let text = String(decoding: document, as: UTF8.self)
    let place = try #require(text.range(of: original))
    let changed = Array(text.replacingCharacters(in: place, with: forged).utf8)
    #expect(throws: SummaryFailure.self) { try read.checkTotals(in: changed) }
  }

  @Test func everyCutAndEveryNestingIsAFailureAndNoTrap() throws {
    let document = SummaryReport.document(SampleRun.run)
    for length in stride(from: 0, to: document.count - 2, by: 997) {
      #expect(throws: SummaryFailure.self) { try RunReport(summary: Array(document.prefix(length))) }
    }
    let deep = Array(String(repeating: "[", count: 100_000).utf8)
    #expect(throws: SummaryFailure.self) { try RunReport(summary: deep) }
    #expect(throws: SummaryFailure.self) { try RunReport(summary: Array("{\"scenarios\": ".utf8) + deep) }
  }

  @Test func onlyRegularFilesAreRead() {
    let failure = #expect(throws: ReportFailure.self) { try ReportFile.contents("/dev/zero", limit: 1 << 20) }
    #expect(failure?.description == "cannot read /dev/zero: Invalid argument")
    #expect(throws: ReportFailure.self) { try ReportFile.contents(#filePath, limit: 10) }
  }
}

/// A format that only this test knows.
private struct Counting: RunReportWriter {
  static let name = "counting"
  static let needsFolder = false
  static func isDefault(_ place: ReportPlace) -> Bool { false }
  let place: ReportPlace

  init(_ beginning: RunReport, in place: ReportPlace) { self.place = place }

  func finish(_ story: RunStory) { place.say("\(story.scenarios.count) scenarios, \(story.deviant.count) deviant") }
}

@Suite struct Formats {
  /// What was printed, by whoever printed it.
  private final class Page: @unchecked Sendable {
    var lines: [String] = []
  }

  private static func place(_ folder: ReportFolder?, _ page: Page, _ environment: [String: String]) -> ReportPlace {
    ReportPlace(
      folder: folder, style: .plain, environment: { environment[$0] }, say: { page.lines.append($0) })
  }

  @Test func theBuildFindsEveryFormatInItsFolder() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Reports/Formats")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(ReportSet.names.count == files.count)
    #expect(Set(ReportSet.names).isSuperset(of: ["console", "events", "github", "junit", "summary"]))
    #expect(ReportSet.needingFolder(among: ["summary", "console", "junit"]) == ["junit", "summary"])
  }

  @Test func aFormatIsOneTypeThatRendersTheStory() {
    let page = Page()
    Counting(SampleRun.run, in: Self.place(nil, page, [:])).finish(SampleRun.story)
    #expect(page.lines == ["9 scenarios, 7 deviant"])
  }

  @Test func theFolderDecidesWhichFilesAreWritten() throws {
    let url = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: url) }
    for (folder, files) in [(ReportFolder?.none, []), (try ReportFolder(url.path), ["junit.xml", "summary.json"])] {
      let page = Page()
      let reports = try ReportSet([], SampleRun.run, in: Self.place(folder, page, [:]))
      try reports.finish(SampleRun.run)
      #expect(page.lines.count == 1)
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      #expect(names == (folder == nil ? files : ["events.ndjson"] + files))
    }
    #expect(try RunReport(summaryIn: url.path) == SampleRun.run)
  }

  @Test func chosenReportsAreTheOnlyOnes() throws {
    let url = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: url) }
    let page = Page()
    let place = Self.place(try ReportFolder(url.path), page, ["GITHUB_ACTIONS": "true"])
    try ReportSet(["junit"], SampleRun.run, in: place).finish(SampleRun.run)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["junit.xml"])
    #expect(page.lines.isEmpty)
  }

  @Test func gitHubIsToldWhereItRunsAndItsSummaryGrows() throws {
    let url = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: url) }
    let file = url.appending(path: "step.md")
    try Data("before\n".utf8).write(to: file)
    let page = Page()
    let place = Self.place(nil, page, ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": file.path])
    try ReportSet([], SampleRun.run, in: place).finish(SampleRun.run)
    #expect(page.lines.dropFirst().elementsEqual(GitHubReport.annotations(SampleRun.story)))
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text == "before\n" + String(decoding: GitHubReport.summary(SampleRun.story), as: UTF8.self))
  }

  /// What one report tells of a scenario, every other one tells too: they render the same story.
  @Test func noReportForgetsWhatHappened() throws {
    let story = RunStory(SampleRun.fullRun)
    let scenario = story.scenarios[1]
    let facts = ["DEV-2", "phone: sync", "press it", "the battery is flat", "Is it red?", "failed, passed, blocked"]
    let lines = scenario.failure + scenario.notes + scenario.again
    for fact in facts { #expect(lines.contains { $0.text.contains(fact) }, "\(fact)") }
    let reports = [
      ConsoleReport.text(story, .plain, folder: nil), String(decoding: GitHubReport.summary(story), as: UTF8.self),
      String(decoding: JUnitDocument().octets(story), as: UTF8.self),
    ]
    for fact in facts + ["no-redownload.yaml:17", "captures/library-no-redownload"] {
      for report in reports { #expect(report.replacing("\\_", with: "_").contains(fact), "\(fact)") }
    }
  }

  private func temporaryFolder() throws -> URL {
    try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
  }
}
