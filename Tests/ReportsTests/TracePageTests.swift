import Bytes
import DictofunProtocol
import Foundation
import Synchronization
import Testing
import Timeline
import Trace
import Verdicts

@testable import Reports

/// Trace pages as files; `ci/check-pages` looks at them in a browser.
@Suite struct TracePages {
  private static func log(_ report: ScenarioReport) -> ScenarioEventLog {
    var log = ScenarioEventLog(report.name)
    var event = ReportedEvent(
      at: Instant(nanoseconds: 1_000_000), from: .phone(), link: 1, name: "battery.read",
      details: [.init("percent", 84)])
    (event.who, event.words) = ("recorder → phone", "answers: " + SampleRun.hostile)
    log.show([event], dropped: 3)
    let sound = Sound.samples([0, 16_384, -32_768, 1])
    log.heard(SoundClip(name: SampleRun.hostile, isSpoken: true, instant: .zero, sound: sound))
    log.finished(report, wall: 0)
    return log
  }

  private static func pages(_ kind: ReportPlace.Pages, twice: Bool = false) throws -> [String: String] {
    let url = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
    defer { try? FileManager.default.removeItem(at: url) }
    for turn in 0..<(twice ? 2 : 1) {
      var place = SampleRun.place(try ReportFolder(url.path))
      place.pages = turn == 0 && twice ? .all : kind
      let reports = try ReportSet(["trace"], SampleRun.run, in: place)
      for (number, scenario) in SampleRun.run.scenarios.enumerated() {
        try reports.take(log(scenario), number: number)
      }
      try reports.finish(SampleRun.run)
    }
    var pages: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path + "/pages") {
      pages[name] = try String(contentsOfFile: url.path + "/pages/" + name, encoding: .utf8)
    }
    return pages
  }

  /// A folder of pages may have others, which nobody may take away.
  @Test func onlyPagesOfEarlierRunsAreRemoved() throws {
    let url = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let pages = try ReportFolder(url.path + "/pages")
    try pages.write("about.html", Array("<!doctype html>\n<p>A page of somebody else.</p>\n".utf8))
    try pages.write("earlier.html", TracePage.page(title: "earlier", script: "", data: .null))
    var place = SampleRun.place(try ReportFolder(url.path))
    place.pages = .failed
    _ = try ReportSet(["trace"], SampleRun.run, in: place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path + "/pages") == ["about.html"])
  }

  private static func data(of page: String) throws -> [String: Any] {
    let start = try #require(page.range(of: #"<script type="application/json" id="data">"#)).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    return try #require(try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
  }

  @Test func theFirstSoundsAreKeptAndNoMoreThanAPageShows() {
    var log = ScenarioEventLog("many")
    for number in 0..<8 {
      #expect(log.hasRoomForSound == (number < 6))
      log.heard(SoundClip(name: "\(number)", isSpoken: false, instant: .zero, sound: .samples([1])))
    }
    #expect(log.sounds.map(\.name) == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func onlyWhatDidNotPassHasAPageUnlessAllAreWanted() throws {
    let failed = try Self.pages(.failed)
    #expect(failed.count == SampleRun.story.deviant.count + 1)
    #expect(failed["library-no-redownload_records=7_.html"] != nil)
    #expect(try Self.pages(.all).count == SampleRun.run.scenarios.count + 1)
    #expect(try Self.pages(.failed, twice: true).count == failed.count, "pages of an earlier run are gone")
  }

  @Test func nothingOfADeviceIsMarkup() throws {
    for (name, page) in try Self.pages(.all).sorted(by: { $0.key < $1.key }) {
      #expect(page.components(separatedBy: "</script>").count == 3, "\(name)")
      #expect(page.components(separatedBy: "<script").count == 3, "\(name)")
      #expect(!page.contains("<b>"), "\(name)")
      #expect(page.contains("default-src 'none'"))
      #expect(!page.contains("innerHTML"))
      #expect(!page.contains("unsafe-inline"))
    }
  }

  @Test func aPageHoldsEventsStatesAndSounds() throws {
    let page = try #require(try Self.pages(.failed)["library-no-redownload_records=7_.html"])
    let data = try Self.data(of: page)
    #expect(data["events"] as? [Int] == [1_000, 0, 0, 0])
    #expect(data["texts"] as? [String] == ["answers: " + SampleRun.hostile])
    #expect(data["dropped"] as? Int == 3)
    let lane = (data["lanes"] as? [[String: Any]])?.first
    #expect((lane?["name"] as? String, lane?["unit"] as? String) == ("battery", "%"))
    let sound = (data["sounds"] as? [[String: Any]])?.first
    #expect(sound?["outline"] as? [Int] == [0, 50, 100, 0])
    let wave = Data(base64Encoded: sound?["wav"] as? String ?? "") ?? Data()
    #expect(wave.count == 44 + 8)
    #expect(wave.prefix(4) == Data("RIFF".utf8))
  }

  /// What did not pass has its page, and of the rest the first ones have, in whichever order they end.
  @Test func failuresHaveTheirPageHoweverManyPass() throws {
    let url = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
      create: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let said = Mutex<[String]>([])
    var place = ReportPlace(
      folder: try ReportFolder(url.path), style: .plain, environment: { _ in nil },
      say: { line in said.withLock { $0.append(line) } })
    place.pages = .all
    var run = SampleRun.run
    run.scenarios = (0..<(TraceReport.passLimit + 3)).map { number in
      var scenario = SampleRun.run.scenarios[0]
      (scenario.id, scenario.cell) = ("pass-\(number)", "")
      return scenario
    }
    run.scenarios.append(SampleRun.run.scenarios[1])
    let reports = try ReportSet(["trace"], run, in: place)
    for (number, scenario) in run.scenarios.enumerated().reversed() {
      try reports.take(Self.log(scenario), number: number)
    }
    try reports.finish(run)
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path + "/pages")
    #expect(names.count == TraceReport.passLimit + 2)
    #expect(names.contains("library-no-redownload_records=7_.html"))
    #expect(names.contains("pass-0.html"))
    #expect(!names.contains("pass-\(TraceReport.passLimit).html"))
    let index = try String(contentsOfFile: url.path + "/pages/index.html", encoding: .utf8)
    #expect(index.contains("3 trace pages missing: only the first 200 of those that passed have one"))
    #expect(said.withLock { $0 } == ["3 trace pages missing: only the first 200 of those that passed have one"])
  }

  @Test func everyRepetitionOfTheIndexLeadsToItsOwnPage() throws {
    var run = SampleRun.run
    run.scenarios = (0..<3).map { repetition in
      var scenario = SampleRun.run.scenarios[1]
      scenario.repetition = repetition
      return scenario
    }
    let files = Set(run.scenarios.dropLast().map(TracePage.fileName(of:)))
    let page = String(
      decoding: IndexPage(story: RunStory(run), files: files, missing: nil).octets, as: UTF8.self)
    let data = try Self.data(of: page)
    let rows = data["scenarios"] as? [[String: Any]] ?? []
    let first = "library-no-redownload_records=7_"
    #expect(rows.map { $0["page"] as? String } == [first + ".html", first + ".1.html", nil])
    let causes = data["causes"] as? [[String: Any]] ?? []
    #expect(causes.map { $0["page"] as? String } == [first + ".html"])
    #expect(page.contains("href: encodeURIComponent(row.page)"))
  }

  /// Whoever reads the file sees its texts in their order.
  @Test func controlsOfDirectionStandAsEscapes() throws {
    let text = "a\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{2019}é😀<"
    let page = TracePage.page(title: "t", script: "", data: .object(["text": .string(text)]))
    #expect(
      String(decoding: page, as: UTF8.self).contains(
        #""a\u061C\u200E\u200F\u202A\u202E\u2066\u2069"# + "\u{2019}é😀" + #"\u003C""#))
    #expect(try Self.data(of: String(decoding: page, as: UTF8.self))["text"] as? String == text)
  }

  private static func event(
    _ name: String, _ recorder: String, _ details: [EventDetail] = [], from source: TraceSource = .world
  ) -> ReportedEvent {
    var event = ReportedEvent(at: .zero, from: source, name: name, details: details)
    (event.who, event.recorder) = (recorder, recorder)
    return event
  }

  @Test func lanesOfSeveralRecordersNameTheirs() {
    func events(_ recorders: [String]) -> [ReportedEvent] {
      recorders.flatMap { name in
        [
          Self.event("battery.read", name, [.init("percent", 84)], from: .phone()),
          Self.event("fts.fs-status", name, [.init("occupied", 8_192)], from: .phone()),
          Self.event("oracle.record-finished", name, [.init("octets", 100)]),
        ]
      }
    }
    #expect(TraceLanes(events(["recorder", "recorder"])).lanes.map(\.name) == ["battery", "storage used"])
    #expect(
      TraceLanes(events(["green", "blue"])).lanes.map(\.name) == [
        "battery (green)", "storage used (green)", "battery (blue)", "storage used (blue)",
      ])
  }

  /// The octets in use that the page draws, `nil` where it draws none any more.
  private static func storage(_ events: [ReportedEvent]) -> [Int?] {
    let lane = TraceLanes(events).lanes.first { $0.name == "storage used" }
    return (lane?.points ?? []).map { if case .integer(let octets) = $0.value { octets } else { nil } }
  }

  @Test func storageIsDrawnFromWhatTheRecorderTold() {
    let record = Self.event("oracle.record-finished", "recorder", [.init("octets", 100)])
    let status = Self.event("fts.fs-status", "recorder", [.init("occupied", 50_000)], from: .phone())
    #expect(Self.storage([record]).isEmpty)
    #expect(Self.storage([record, status, record]) == [50_000, 50_100])
  }

  @Test func storageFallsWhenRecordsGo() {
    let status = Self.event("fts.fs-status", "recorder", [.init("occupied", 50_000)], from: .phone())
    let record = Self.event("oracle.record-finished", "recorder", [.init("octets", 100)])
    let erased = Self.event("oracle.records-erased-by-hand", "recorder")
    #expect(Self.storage([status, erased, record]) == [50_000, 8_192, 8_292])
    // Nobody knows how large those were that are gone.
    let gone = Self.event("oracle.records-gone", "recorder", [.init("count", 1)])
    #expect(Self.storage([status, gone, record, status]) == [50_000, nil, 50_000])
    #expect(Self.storage([erased, gone]).isEmpty)
  }

  /// The tool works in `/home/x/firmware`; its own scenarios lie in `/usr/share`, and the project's folder is `/home/x`.
  @Test(arguments: [
    ("out", "count.yaml", "../../firmware/count.yaml"),
    ("./build/out/", "count.yaml", "../../../firmware/count.yaml"),
    ("out", "/home/x/other/a.yaml", "../../other/a.yaml"),
    ("/tmp/out", "count.yaml", "file:///home/x/firmware/count.yaml"),
    ("/tmp/out", "/tmp/a.yaml", "file:///tmp/a.yaml"),
    ("/tmp/out", "scenarios/own.yaml", "file:///usr/share/scenarios/own.yaml"),
    // Whoever gets a folder of the project has nothing of what lay beside it.
    ("out", "/tmp/a.yaml", nil), ("out", "scenarios/own.yaml", nil), ("../out", "count.yaml", nil),
  ]) func linksLeadFromThePageToTheFile(folder: String, file: String, link: String?) {
    var place = SampleRun.place(nil)
    place.attachmentFolder = folder
    place.projectFolder = "/home/x"
    place.pathInProject = { Self.pathInProject($0) }
    #expect(place.link(to: file) == link)
  }

  private static func pathInProject(_ file: String) -> String {
    if file.hasPrefix("scenarios/") { return "/usr/share/" + file }
    if file.hasPrefix("/home/x/") { return String(file.dropFirst("/home/x/".count)) }
    return file.hasPrefix("/") ? file : "firmware/" + file
  }

  @Test func theLinkOfAStepStandsInThePage() throws {
    let report = try #require(SampleRun.run.scenarios.first { !$0.steps.isEmpty })
    let page = TracePage(
      log: Self.log(report), story: ScenarioStory(report, isSimulated: true), run: SampleRun.run,
      link: { "../../" + $0 })
    let steps = try Self.data(of: String(decoding: page.octets, as: UTF8.self))["steps"] as? [[String: Any]] ?? []
    #expect(steps.count == report.steps.count)
    #expect(steps.allSatisfy { $0["link"] as? String == "../../\($0["file"] as? String ?? "")" })
  }
}
