import Bench
import Dispatch
import Glibc
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Verdicts
import YAML

@testable import Session

/// Which bench gets which scenario.
@Suite struct BenchSpreads {
  private static let bare = "recorders: [{address: \"C0:00:00:00:00:0%\"}]"
  private static let withPico =
    "recorders: [{address: \"C0:00:00:00:00:0%\", pico: {RawSerialPort: {port: /tmp/pico-%}, serial: E6}}]"

  private static func lanes(_ recorders: [String]) throws -> [RunLane] {
    let targets = try recorders.enumerated().map { index, text in
      let file = SourceFile(
        path: "bench.yaml",
        text: "place: bench-\(index)\nadapters: [\"unix:/tmp/\(index)\"]\n\(text.replacing("%", with: "\(index)"))\n")
      let bench = try #require(BenchFile.read(file).bench)
      return try #require(HardwareTarget(bench, controller: nil, device: nil))
    }
    var plan = RunPlan()
    plan.target = .hardware
    plan.settings.hardware = targets[0]
    plan.furtherBenches = targets.dropFirst().map { FurtherBench($0, options: []) }
    return RunLane.lanes(of: plan, [], LivePerformer(sounds: NoSounds(), firmware: NoFirmware()))
  }

  private static func scenarios(_ steps: [String]) throws -> [Scenario] {
    let files = steps.enumerated().map { index, step in
      SourceFile(path: "\(index).yaml", text: "scenario: \(index)\nid: s\(index)\nsteps:\n  - \(step)\n")
    }
    let library = ScenarioLibrary(files: files, vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    try #require(library.scenarios.count == steps.count, "\(library.report.text(colour: false))")
    return library.scenarios
  }

  /// Runs scenarios, and returns the benches on which each one ran.
  private static func run(
    _ steps: [String], over lanes: [RunLane], turns: Int = 1, tell: @escaping @Sendable (RunEvent) -> Void = { _ in },
    _ verdict: @escaping @Sendable (_ lane: Int, _ index: Int) -> Verdict = { _, _ in .passed }
  ) throws -> (reports: [ScenarioReport], lanes: [[Int]], spread: BenchSpread) {
    let scenarios = try scenarios(steps)
    let spread = BenchSpread(scenarios, over: lanes, isStopped: { false }, tell: tell)
    let ran = Mutex(scenarios.map { _ in [Int]() })
    let reports = spread.runTurns(while: { $0 < turns }) { lane, place, earlier in
      ran.withLock { $0[place.index].append(lane) }
      var report = ScenarioReport(
        id: "\(scenarios[place.index].id) \(place.turn)", title: "", file: "", line: 1,
        verdict: verdict(lane, place.index), replay: "")
      if spread.handsOver(lane, place, earlier + [report]) { return nil }
      report.attempts = earlier.map(\.verdict) + [report.verdict]
      return (report, report)
    }
    return (reports, ran.withLock { $0 }, spread)
  }

  @Test func aScenarioGoesToTheBenchThatCanRunIt() throws {
    let steps = ["phone: connect", "device: {press: 1 s}", "device: {press: 2 s}", "phone: connect"]
    let (reports, lanes, _) = try Self.run(steps, over: try Self.lanes([Self.bare, Self.withPico]), turns: 3)
    #expect(reports.map(\.id) == (0..<3).flatMap { turn in (0..<4).map { "s\($0) \(turn)" } })
    #expect(lanes[1] == [1, 1, 1])
    #expect(lanes[2] == [1, 1, 1])
  }

  /// Scenarios that are blocked do not tell what was wrong with it.
  @Test func theOnlyBenchTellsItsTroubleToo() throws {
    var lane = try #require(try Self.lanes([Self.bare]).first)
    #expect(lane.record?.trouble == nil)
    lane.plan.settings.benchTrouble = "the adapter is gone"
    #expect(lane.record?.trouble == "the adapter is gone")
    lane.plan.settings.hardware = nil
    #expect(lane.record?.trouble == "the adapter is gone")
  }

  @Test func whatNoBenchCanRunIsStillToldOf() throws {
    let (reports, _, _) = try Self.run(
      ["device: {press: 1 s}", "phone: connect"], over: try Self.lanes([Self.bare, Self.bare]))
    #expect(reports.map(\.id) == ["s0 0", "s1 0"])
  }

  @Test func aBenchThatFailsGetsNoMoreWhileAnotherIsLeft() throws {
    let left = Mutex<[String]>([])
    let trouble = Verdict.benchError(BenchTrouble("the supply is silent"))
    let (reports, lanes, spread) = try Self.run(
      (0..<6).map { _ in "phone: connect" }, over: try Self.lanes([Self.bare, Self.bare]), turns: 2,
      tell: { event in
        if case .benchLeft(let place, let reason) = event { left.withLock { $0.append("\(place): \(reason)") } }
      }, { lane, _ in lane == 0 ? trouble : .passed })
    #expect(reports.count == 12)
    #expect(lanes.flatMap { $0 }.count { $0 == 0 } <= 1)
    // What it failed in is given to the other one, which knows of that.
    #expect(reports.allSatisfy { $0.verdict == .passed })
    #expect(reports.flatMap(\.attempts).count { $0.kind == .benchError } == lanes.flatMap { $0 }.count { $0 == 0 })
    let hasLeft = lanes.flatMap { $0 }.contains(0)
    #expect(left.withLock { $0 } == (hasLeft ? ["bench-0: the supply is silent"] : []))
    #expect(spread.troubles == [hasLeft ? "the supply is silent" : nil, nil])
  }

  /// Scenarios that only a bench can run which is gone are not waited for.
  @Test func whatOnlyAFailedBenchCouldRunIsNotLost() throws {
    let trouble = Verdict.benchError(BenchTrouble("gone"))
    let (reports, lanes, _) = try Self.run(
      ["device: {press: 1 s}", "device: {press: 2 s}", "phone: connect"],
      over: try Self.lanes([Self.bare, Self.withPico]), { lane, _ in lane == 1 ? trouble : .passed })
    #expect(reports.count == 3)
    #expect(lanes[0] == [1])
    #expect(lanes[1] == [0])
  }

  /// A scenario that makes benches fail does not take them all.
  @Test func whatFailedOnTwoBenchesIsGivenToNoThird() throws {
    let trouble = Verdict.benchError(BenchTrouble("gone"))
    let (reports, lanes, spread) = try Self.run(
      (0..<8).map { _ in "phone: connect" }, over: try Self.lanes([Self.bare, Self.bare, Self.bare]),
      { _, index in index == 3 ? trouble : .passed })
    #expect(reports.count { $0.verdict == .passed } == 7)
    #expect(lanes[3].count == 2)
    #expect(Set(lanes[3]).count == 2)
    #expect(reports[3].attempts == [trouble, trouble])
    #expect(spread.troubles.count { $0 != nil } == 1)
  }

  /// Whoever is idle waits for those that may still fail.
  @Test func theLastScenarioIsGivenToABenchThatIsDone() throws {
    let trouble = Verdict.benchError(BenchTrouble("gone"))
    let (busy, idle) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (reports, lanes, _) = try Self.run(
      ["phone: connect", "phone: connect"], over: try Self.lanes([Self.bare, Self.bare]),
      { lane, index in
        if lane == 1 {
          _ = busy.wait(timeout: .now() + 10)
          busy.signal()
          idle.signal()
          return .passed
        }
        busy.signal()
        _ = idle.wait(timeout: .now() + 10)
        usleep(50_000)
        return trouble
      })
    #expect(reports.map(\.verdict) == [.passed, .passed])
    #expect(lanes.flatMap { $0 }.sorted() == [0, 1, 1])
  }

  @Test func theLastBenchGoesOnWhateverHappens() throws {
    let trouble = Verdict.benchError(BenchTrouble("gone"))
    let (reports, _, spread) = try Self.run(
      (0..<4).map { _ in "phone: connect" }, over: try Self.lanes([Self.bare, Self.bare]), { _, _ in trouble })
    #expect(reports.count == 4)
    #expect(spread.troubles.count { $0 != nil } <= 1)
  }
}
