import Bytes
import Foundation
import Testing
import Text
import Timeline
import Verdicts

@testable import Reports

@Suite struct Golden {
  /// The formats with the files that hold them; each was read by a parser of its kind when it was laid down.
  static let formats: [(name: String, make: @Sendable () -> [UInt8])] = [
    ("junit.xml", { JUnitDocument().octets(SampleRun.story) }),
    ("summary.json", { SummaryReport.document(SampleRun.run) }),
    ("events.ndjson", { SampleRun.eventLog }),
    ("console.txt", { Array(ConsoleReport.text(SampleRun.story, .plain, folder: "out").utf8) + [0x0A] }),
    ("summary.md", { GitHubReport.summary(SampleRun.story) }),
    ("annotations.txt", { Array((GitHubReport.annotations(SampleRun.story).joined(separator: "\n") + "\n").utf8) }),
  ]

  @Test(arguments: formats.indices) func reportsKeepTheirFormat(_ index: Int) throws {
    let (name, make) = Self.formats[index]
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name)")
    // A file that is missing is written, and the test fails until somebody has looked at it.
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data(make()).write(to: url)
      Issue.record("\(name) was missing and has been written")
    }
    let found = String(decoding: make(), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let expected = try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    for (number, (left, right)) in zip(found, expected).enumerated() {
      #expect(left == right, "\(name):\(number + 1)")
    }
    #expect(found.count == expected.count)
  }
}

/// What readers of `junit.xml` ask for. The phase "reports read by others" of `ci/test` shows it for every run.
@Suite struct JUnitReaders {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Vectors/junit-10.xsd")
  private static let validator = "/usr/bin/xmllint"

  /// The verdict of Jenkins' schema on a document; empty for a valid one.
  private static func complaints(_ document: [UInt8]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "dictobench-\(UUID().uuidString).xml")
    try Data(document).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: validator)
    process.arguments = ["--noout", "--nonet", "--schema", schema.path, file.path]
    let trouble = Pipe()
    process.standardError = trouble
    try process.run()
    let text = String(decoding: try trouble.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : text
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: validator)))
  func theSchemaOfJenkinsHolds() throws {
    for story in [SampleRun.story, RunStory(SampleRun.fullRun)] {
      for hasErrorsAsFailures in [false, true] {
        let document = JUnitDocument(hasErrorsAsFailures: hasErrorsAsFailures).octets(story)
        #expect(try Self.complaints(document) == "")
      }
    }
    // A schema that allows everything would hold nothing.
    let document = String(decoding: JUnitDocument().octets(SampleRun.story), as: UTF8.self)
    let wrong = document.replacing("<testcase ", with: "<testcase line=\"3\" ")
    #expect(try Self.complaints(Array(wrong.utf8)).contains("'line' is not allowed"))
  }

  /// A run that was interrupted looks like no complete one.
  @Test func whatDidNotRunIsSkipped() throws {
    var run = SampleRun.run
    run.scenarios = [run.scenarios[0]]
    run.isInterrupted = true
    let file = run.scenarios[0].file
    run.unrun = [.init(name: "later[x=1]", file: file), .init(name: "last", file: "scenarios/last.yaml")]
    let octets = JUnitDocument().octets(RunStory(run))
    let text = String(decoding: octets, as: UTF8.self)
    #expect(text.contains(#"<testsuites tests="3" failures="0" errors="0" "#), "\(text)")
    #expect(text.contains(#"<testsuite name="\#(file)" tests="2" failures="0" errors="0" skipped="1" "#), "\(text)")
    #expect(text.contains(#"<testsuite name="scenarios/last.yaml" tests="1" failures="0" errors="0" skipped="1" "#))
    #expect(text.contains(#"<testcase name="later[x=1]" classname="scenarios.library.no-redownload" "#), "\(text)")
    let skipped = #"<skipped message="not run: the run was interrupted before its turn"/>"#
    #expect(text.components(separatedBy: skipped).count == 3)
    #expect(text.contains(#"<property name="interrupted" value="true"/>"#))
    #expect(RunStory(run).counts.hasPrefix("1 of 3 scenarios: 1 passed, "))
    if FileManager.default.isExecutableFile(atPath: Self.validator) { #expect(try Self.complaints(octets) == "") }
  }

  @Test func capturesAreAttachedFromTheProjectsFolder() {
    let document = JUnitDocument(attachmentFolder: "build/out").octets(SampleRun.story)
    let text = String(decoding: document, as: UTF8.self)
    #expect(text.contains("\n[[ATTACHMENT|build/out/captures/library-no-redownload_records=7_.btsnoop]]</system-out>"))
  }

  /// Jenkins copies the file that an attachment names, wherever it is.
  @Test func nothingThatADeviceSaysIsAnAttachment() {
    var run = SampleRun.run
    let title = "\n[[ATTACHMENT|/etc/shadow]]\n[[[ATTACHMENT|/etc/shadow]]]\n[[\u{0}ATTACHMENT|/etc/shadow]]\n"
    for index in run.scenarios.indices { run.scenarios[index].title = title }
    let text = String(decoding: JUnitDocument().octets(RunStory(run)), as: UTF8.self)
    #expect(text.contains("/etc/shadow"))
    #expect(text.split(separator: "[[ATTACHMENT|").count == 2, "one capture, one attachment")
  }
}

@Suite struct HostileText {
  /// Every character there is below 0x3000, and some above.
  private static let everything =
    String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
    + "\u{FFFE}\u{FFFF}\u{1FFFE}\u{1F600}"

  @Test func xmlHasNoCharacterThatXMLLacks() {
    let text = XMLText.attribute(Self.everything)
    let isLegal = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
      default: false
      }
    }
    #expect(isLegal)
    #expect(!text.contains { "<>\"\n\u{202E}".contains($0) })
    #expect(text.contains("\u{1F600}"))
    #expect(XMLText.content(String(repeating: "&", count: 100_000)).utf8.count < XMLText.limit + 16)
  }

  @Test func jsonIsReadBackAsItWas() throws {
    let document = JSONValue.object(["text": .string(Self.everything), "number": .unsigned(.max)]).line
    #expect(!document.contains { $0 < 0x20 || $0 == 0x7F })
    let read = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
    #expect(read["text"] as? String == Self.everything)
    #expect(read["number"] as? UInt64 == .max)
  }

  @Test func terminalsAreNotMoved() {
    let text = PlainText.escaped(Self.everything, limit: .max)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(!text.contains("\u{202E}"))
    #expect(!text.contains("\u{200B}"))
  }

  @Test func namesOfFilesStayInTheirFolder() {
    let name = ReportFolder.fileName("../a b[x=1,y=2]")
    #expect(name.hasPrefix("_._a_b_x=1,y=2_~"), "\(name)")
    #expect(name.utf8.count == "_._a_b_x=1,y=2_~".utf8.count + 16)
  }

  /// Names that links and scripts know are as they were.
  @Test(arguments: [
    ("library-no-redownload", "library-no-redownload"),
    ("library-no-redownload[records=7]", "library-no-redownload_records=7_"),
    ("transfer-loss[loss=10 %,direction=both]", "transfer-loss_loss=10__,direction=both_"),
    ("clock-far-years[clock=2080-01-01 00:00:30]", "clock-far-years_clock=2080-01-01_00_00_30_"),
    ("health.2.stays-silent", "health.2.stays-silent"), ("a[x=1].again", "a_x=1_.again"),
  ]) func usualNamesOfFilesHaveNoDigest(scenario: String, file: String) {
    #expect(ReportFolder.fileName(scenario) == file)
  }

  @Test func noTwoScenariosShareAFile() {
    let long = String(repeating: "a", count: 160)
    let names = [
      "a[word=a b]", "a[word=a/b]", "a[word=a_b]", "a[word=a:b]", "a[word=a%b]", "a[word=a  b]", "a[word=a %b]", "a[x]",
      "a[at= 10:20:30]", "a[at= 10 20 30]", "a[at=_10_20_30]",
      "a_x_", "a x ", "a(x)", "a]x[", "a_", "a[", "[", "[]", "__", ".a", "_a", "cafe\u{301}", "caf\u{E9}", long,
      long + "b", long + "c", "a[" + long + "]",
    ]
    let files = names.map { Array(ReportFolder.fileName($0).utf8) }
    #expect(Set(files).count == names.count)
    #expect(files.allSatisfy { $0.count < 200 })
    // A digest has no place in a name without one.
    #expect(ReportFolder.fileName(ReportFolder.fileName("a/b")) != ReportFolder.fileName("a/b"))
  }
}

@Suite struct ConsoleHabits {
  @Test(
    arguments: [
      (["TERM": "xterm"], true, true, true), (["TERM": "dumb"], true, false, false), (["CI": "1"], true, true, false),
      (["NO_COLOR": "1"], true, false, true), ([:], false, false, false), (["FORCE_COLOR": "1"], false, true, false),
      (["NO_COLOR": "", "TERM": "xterm"], true, true, true),
    ] as [([String: String], Bool, Bool, Bool)])
  func environmentDecides(environment: [String: String], isTerminal: Bool, colours: Bool, animates: Bool) {
    let style = ConsoleStyle(isTerminal: isTerminal) { environment[$0] }
    #expect(style.isColoured == colours)
    #expect(style.isAnimated == animates)
    #expect((ProgressLine(style).text(finished: 1, of: 2, failed: 0, running: "x") != nil) == animates)
  }

  @Test func theAnswerAndTheListTakeTwelveLinesAtMost() {
    var run = SampleRun.run
    run.scenarios = (0..<50).map { index in
      var scenario = SampleRun.run.scenarios[1]
      scenario.cell = "[n=\(index)]"
      scenario.account = nil
      let reason = String(repeating: "x", count: index)
      scenario.verdict = .failed(DeviceFailure(judges: .phone, reason: reason, instant: .zero))
      return scenario
    }
    let lines = ConsoleReport.text(RunStory(run), .plain, folder: nil).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.firstIndex(of: "") == 12)
    #expect(lines[0].hasPrefix("FAILED  50 scenarios: 50 failed (against the phone)"))
  }

  /// The first line names nobody whom the story below it clears.
  @Test func theHeadlineBlamesWhomTheStoriesBlame() {
    var scenario = SampleRun.run.scenarios[1]
    scenario.verdict = .failed(DeviceFailure(judges: .phone, reason: "x", instant: .zero))
    scenario.account = FailureAccount(
      place: "a.yaml:1:1", excerpt: [], who: "the phone", blames: .phone, what: "w", expected: "e", found: "f")
    scenario.account?.take(
      FirstDifference(
        other: "the same run without the fault", until: "1.000", here: "recorder: is switched off", there: "x",
        cause: "c", isOfRecorder: true))
    var run = SampleRun.run
    run.scenarios = [scenario]
    #expect(RunStory(run).counts.contains("1 failed (against the recorder)"))
    run.scenarios[0].account = nil
    #expect(RunStory(run).counts.contains("1 failed (against the phone)"))
  }

  @Test(arguments: ["hardware", "app"]) func benchesHaveNoVirtualTime(_ target: String) throws {
    var run = SampleRun.run
    run.target = target
    run.profile = target == "app" ? "reference" : nil
    let console = ConsoleReport.text(RunStory(run), .plain, folder: nil)
    let junit = String(decoding: JUnitDocument().octets(RunStory(run)), as: UTF8.self)
    for text in [console, junit] {
      #expect(!text.contains("virtual"))
      #expect(!text.contains("A simulated recorder proves nothing"))
      #expect(text.contains("profile") == (target == "app"))
    }
    #expect(console.contains("in 1.2 s\n"))
    #expect(console.contains("  time of the scenario: 12.345678 s\n"))
    let document = Data(SummaryReport.document(run))
    let summary = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    #expect(summary["virtualSeconds"] is NSNull)
    #expect((summary["profile"] is NSNull) == (target == "hardware"))
    let scenarios = try #require(summary["scenarios"] as? [[String: Any]])
    #expect(scenarios.allSatisfy { $0["virtualSeconds"] is NSNull })
    #expect(scenarios.allSatisfy { $0["wallSeconds"] is Double })
  }

  /// Scenarios that are blocked do not tell it; those that ended by it, and the bench's health, do.
  @Test func theTroubleOfTheOnlyBenchIsToldOnce() {
    var run = SampleRun.run
    run.bench = BenchRecord(place: "shelf", parts: [])
    run.bench?.trouble = "the supply is silent"
    #expect(RunStory(run).benchTrouble == ["bench shelf failed: the supply is silent"])
    let junit = String(decoding: JUnitDocument().octets(RunStory(run)), as: UTF8.self)
    #expect(junit.contains(#"<property name="bench: trouble" value="the supply is silent"/>"#))
    run.bench?.trouble = "the adapter is gone"
    #expect(RunStory(run).benchTrouble.isEmpty)
    run.furtherBenches = [BenchRecord(place: "attic", parts: [])]
    #expect(RunStory(run).benchTrouble == ["bench shelf got no more scenarios: the adapter is gone"])
  }

  @Test func progressFitsTheLine() {
    let style = ConsoleStyle(isColoured: true, isAnimated: true, columns: 30)
    let line = ProgressLine(style).text(
      finished: 1, of: 100, failed: 3, running: String(repeating: "n", count: 99))
    #expect(line?.utf8.count == 4 + 29)
  }

  @Test func durationsAreReadable() {
    let texts = [Duration.milliseconds(449), .seconds(245), .seconds(12_000), .seconds(615_600)].map(DurationText.text)
    #expect(texts == ["0.4 s", "4 min 05 s", "3 h 20 min", "7 d 03 h"])
  }

  @Test func annotationsSpreadOverRequirements() {
    var run = SampleRun.run
    run.scenarios = (0..<12).map { _ in SampleRun.run.scenarios[1] } + [SampleRun.run.scenarios[8]]
    let lines = GitHubReport.annotations(RunStory(run))
    #expect(lines.count == GitHubReport.annotationLimit)
    #expect(lines[1].contains("repaired"))
  }

  /// GitHub looks for the files of annotations in the project, wherever in it the tool ran.
  @Test func annotationsNameFilesAsTheyAreFoundInTheProject() {
    let lines = GitHubReport.annotations(SampleRun.story) { "firmware/" + $0 }
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("::error file=firmware/") })
  }
}
