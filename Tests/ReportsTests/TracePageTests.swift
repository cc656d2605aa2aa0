import DictofunProtocol
import Foundation
import Testing
import Timeline
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
    let start = try #require(page.range(of: #"<script type="application/json" id="data">"#)).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let data = try #require(
      try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
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

  @Test func linksLeadFromThePageToTheFile() {
    func prefix(_ folder: String) -> String? {
      var place = SampleRun.place(nil)
      place.attachmentFolder = folder
      place.environment = { $0 == "PWD" ? "/home/x" : nil }
      return place.filePrefix
    }
    #expect(prefix("out") == "../../")
    #expect(prefix("./build/out/") == "../../../")
    #expect(prefix("/tmp/out") == "file:///home/x/")
    #expect(prefix("../out") == nil)
  }
}
