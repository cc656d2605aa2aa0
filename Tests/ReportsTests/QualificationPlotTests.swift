import Foundation
import Testing
import Verdicts

@testable import Reports

@Suite struct QualificationPlotTests {
  private static func release(_ firmware: String, _ figures: [MeasuredFigure]?, _ score: KillScore? = nil)
    -> Qualification
  {
    var qualification = Qualification(
      tool: "dictobench 0", firmware: firmware, plan: "plan.yaml", seed: 1, day: "2026-01-01",
      targets: [.init(name: "modelled", scenarios: 1, judged: 1)], rows: [], failures: [], repeats: [])
    qualification.figures = figures
    qualification.killScore = score
    return qualification
  }

  private static func figure(_ name: String, _ values: [Int64]) -> MeasuredFigure {
    MeasuredFigure(name: name, unit: "ms", target: "modelled", values: values)
  }

  @Test func whatNobodyMeasuredIsNotDrawn() {
    let sections = [nil, [], [Self.figure("battery", [])]].map { QualificationPlots([Self.release("one", $0)]).section }
    #expect(sections == ["", "", ""])
  }

  @Test func everyReleaseHasALine() {
    let releases = ["1.4", "1.5"].map { Self.release($0, [Self.figure("clock-error", [5, 900, 30])]) }
    let section = QualificationPlots(releases).section
    #expect(section.split(separator: "<circle").count == 3)
    #expect(section.contains("5 · 30 · 900"))
    #expect(section.contains("allowed: 5 s"))
    #expect(section.contains("Not measured here: battery, radio-time, throughput, charge per meeting."))
  }

  @Test func aDownloadIsComparedWithItsLink() {
    let figures = [Self.figure("throughput", [20, 50]), Self.figure("link-capacity", [80, 100])]
    let with = QualificationPlots([Self.release("1.5", figures)]).section
    #expect(with.contains("what its link could carry"))
    #expect(with.contains("80 · 100 · 100"))
    // 250 to 556 is the scale, and 100 the greatest number.
    #expect(with.contains(#"<line class="bound" x1="494.8" x2="556.0""#))
    let without = QualificationPlots([Self.release("1.5", Array(figures.prefix(1)))]).section
    #expect(!without.contains("could carry"), "nobody knows a real link's bound")
  }

  @Test func longNamesAreToldApartByTheirEnds() {
    let names = ["one", "two"].map { "a firmware with a long name, built from the branch \($0)" }
    let section = QualificationPlots(names.map { Self.release($0, [Self.figure("battery", [1])]) }).section
    #expect(section.contains("modelled · a f…ilt from the branch one<title>"))
    #expect(section.contains("branch two<title>"))
  }

  @Test func hostileNamesStayText() {
    let score = KillScore(noticed: 1, total: 2, subjects: [.init(name: SampleRun.hostile, noticed: 1, total: 2)])
    let section = QualificationPlots([Self.release(SampleRun.hostile, [Self.figure("battery", [1])], score)]).section
    #expect(!section.contains("<b>"))
    #expect(!section.contains("\u{202E}"))
    #expect(section.contains("1 of 2"))
  }

  /// Numbers of a document may be anything.
  @Test(arguments: [Int64.min, -1, 0, .max]) func anyNumberFindsItsPlace(value: Int64) throws {
    let section = QualificationPlots([Self.release("one", [Self.figure("throughput", [value])])]).section
    let place = try #require(section.split(separator: "cx=\"").last?.prefix { $0 != "\"" })
    #expect((250...556).contains(try #require(Double(String(place)))))
  }

  @Test(
    arguments: [
      (
        #"{"noticed": 3, "total": 4, "subjects": {"phone": {"noticed": 1, "total": 1}, "air": {"noticed": 2, "total": 3}}}"#,
        nil
      ),
      (#"{"noticed": 5, "total": 4, "subjects": {}}"#, "none noticed twice"),
      (#"{"noticed": 1, "total": 9000000, "subjects": {}}"#, "expected numbers"),
      (#"{"total": 4, "subjects": {}}"#, "noticed is missing"), ("[", "not a result of `mutate --format json`"),
    ] as [(String, String?)]) func aKillScoreIsReadWithItsLimits(text: String, trouble: String?) throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "kills-\(text.utf8.count).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do throws(SummaryFailure) {
      let score = try KillScore(file: file.path)
      #expect(score.subjects.map(\.name) == ["air", "phone"])
      #expect(trouble == nil)
    } catch {
      let expected = try #require(trouble, "\(error)")
      #expect(error.description.contains(expected), "\(error)")
    }
  }
}
