import Foundation
@testable import Requirements
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Timeline
import Trace
import Verdicts
import YAML

@testable import Session

/// Gives one verdict after the other.
private final class VerdictPerformer: ScenarioPerformer {
  private let verdicts: Mutex<[Verdict]>

  init(_ verdicts: [Verdict]) { self.verdicts = Mutex(verdicts) }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    var report = Sample.report(verdicts.withLock { $0.removeFirst() })
    report.repetition = settings.repetition
    return report
  }
}

/// Remembers whose log is kept.
private final class NumberedFiles: RunFiles {
  let kept = Mutex<Int?>(nil)

  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? {
    NumberedAttempt(number)
  }

  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {
    kept.withLock { $0 = (attempt as? NumberedAttempt)?.number }
  }

  func finish(_ report: RunReport) throws {}
}

private final class NumberedAttempt: AttemptFiles {
  let number: Int
  init(_ number: Int) { self.number = number }
  var sinks: [any TraceSink] { [] }
  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}
  func observed(_ event: ProductEvent) {}
  func close(_ report: ScenarioReport, isNews: Bool) throws -> String? { nil }
}

/// Log and trace page are those of the attempt that is reported.
@Suite struct AttemptFileKeeping {
  @Test(arguments: [
    ([Sample.failed, Sample.failed, Sample.failed], 0), ([Sample.failed, .passed], 0),
    ([Sample.benchError, Sample.failed, .passed], 1_000_000), ([.passed], 0),
  ]) func theLogIsThatOfTheReport(verdicts: [Verdict], number: Int) throws {
    let text = "scenario: a\nid: a\nsteps:\n  - device: {press: 2 s}\n"
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    let scenario = try #require(library.scenarios.first)
    let files = NumberedFiles()
    var plan = RunPlan()
    plan.retries = 2
    let attempts = ScenarioAttempts(
      scenario, turn: 0, number: 0, plan, VerdictPerformer(verdicts), files, isNews: { _ in true }
    ) { _ in nil }
    let report = try #require(attempts.run()).report
    #expect(report.repetition == number)
    #expect(files.kept.withLock { $0 } == number)
  }
}

/// Records of a capture are written beside what is there.
@Suite struct CapturedFileWriting {
  @Test func nothingIsWrittenOverAndNoLinkIsFollowed() throws {
    let folder = NSTemporaryDirectory() + "records-\(getpid())-\(#line)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let victim = folder + "/victim"
    try Data([7]).write(to: URL(filePath: victim))
    try FileManager.default.createSymbolicLink(atPath: folder + "/unknown.wav", withDestinationPath: victim)
    let record = CapturedRecord(identifier: nil, octets: [UInt8](repeating: 1, count: 600))
    for _ in 0..<2 {
      var files = CapturedFiles(folder: folder)
      try files.write(record)
    }
    #expect(FileManager.default.contents(atPath: victim) == Data([7]))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      names == [
        "unknown-2.record", "unknown-2.wav", "unknown-3.record", "unknown-3.wav", "unknown.wav", "victim",
      ])
    for name in names where name.hasPrefix("unknown-") {
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
      #expect(mode.map { $0 & 0o077 } == 0, "\(name)")
    }
  }
}
