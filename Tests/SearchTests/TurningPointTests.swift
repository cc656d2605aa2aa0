import Runner
import ScenarioLanguage
import Testing
import Timeline
import Verdicts
import World
import YAML

@testable import Search

/// Runs that fail from an event on, and before it by chance.
private struct ScriptedFutures: FutureTrials {
  let lost: Int
  let perMille: UInt64

  func fails(after events: Int, number: UInt64) -> Bool {
    events >= lost || Seed.derive(number, ["\(events)"]) % 1_000 < perMille
  }
}

/// `- air: doom`: with one chance in two nothing gets through any more, for good.
private enum Doom: Verb {
  static let declaration = VerbDeclaration(
    "doom", of: .air, "Breaks the air for good, or leaves it.", example: "- air: doom")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    if stage.loop.choices.stream("doom").below(2) == 0 { try stage.air().interrupt() }
    return Findings()
  }
}

private struct Nothing: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] { [0] }
}

@Suite struct TurningPoints {
  private static func scripted(_ count: Int) -> FailedRun {
    FailedRun(
      reason: "lost", moments: (0...count).map { RunMoment(events: $0 * 3, at: .zero, "event \($0)") })
  }

  @Test(arguments: 1...60) func theEventIsFoundWithWhichTheChanceRises(lost: Int) throws {
    for perMille in [UInt64(0), 300, 600] {
      let futures = ScriptedFutures(lost: lost * 3, perMille: perMille)
      let result = try #require(TurningPoint(futures, draws: 200, jobs: 2).search(Self.scripted(60)) { _ in })
      #expect(result.after.moment.events == lost * 3, "\(perMille)")
      #expect(result.before.moment.events == lost * 3 - 3, "\(perMille)")
      #expect(result.measurements.count < 24)
    }
  }

  @Test func whatWasLostFromTheBeginningIsNotBlamedOnAnEvent() throws {
    let futures = ScriptedFutures(lost: 0, perMille: 0)
    let result = try #require(TurningPoint(futures, draws: 10, jobs: 1).search(Self.scripted(60)) { _ in })
    #expect(result.isLostFromTheBeginning)
    #expect(result.after.moment.events == 0)
    #expect(result.measurements.count == 1, "a beginning that is lost tells enough")
    let open = try #require(
      TurningPoint(ScriptedFutures(lost: 1, perMille: 900), draws: 10, jobs: 1).search(Self.scripted(60)) { _ in })
    #expect(!open.isLostFromTheBeginning)
  }

  /// Of many events one always has the highest rise.
  @Test func aRiseThatChanceExplainsIsNoTurningPoint() {
    func isTurningPoint(from before: Int, to after: Int, of draws: Int) -> Bool {
      func measurement(_ events: Int, _ failures: Int) -> TurningPoint.Measurement {
        let moment = RunMoment(events: events, at: .zero, "it happened")
        return TurningPoint.Measurement(moment: moment, failures: failures)
      }
      let (first, second) = (measurement(0, before), measurement(1, after))
      let result = TurningPoint.Result(measurements: [first, second], before: first, after: second, draws: draws)
      return result.isTurningPoint
    }
    #expect(!isTurningPoint(from: 10, to: 20, of: 200))
    #expect(isTurningPoint(from: 10, to: 40, of: 200))
    #expect(!isTurningPoint(from: 40, to: 10, of: 200))
  }

  /// A run that fails in its first step has told nothing yet.
  @Test func aRunWithoutEventsIsLostFromTheBeginningOrByChance() throws {
    let lost = TurningPoint(ScriptedFutures(lost: 0, perMille: 0), draws: 10, jobs: 1)
    #expect(try #require(lost.search(Self.scripted(0)) { _ in }).isLostFromTheBeginning)
    let open = TurningPoint(ScriptedFutures(lost: 1, perMille: 500), draws: 10, jobs: 1)
    #expect(open.search(Self.scripted(0)) { _ in } == nil)
  }

  private static let vocabulary = DictofunVocabulary.vocabulary(requirements: ["APP-1.2"], additionalVerbs: [Doom.self])

  private static func scenario(doomAt place: Int) throws -> Scenario {
    var steps = ["phone: connect"] + [String](repeating: "phone: list", count: 3)
    steps.insert("air: doom", at: place)
    let body = steps.map { "  - \($0)\n" }.joined()
    let text =
      "scenario: lost by chance\nid: lost\nverifies: [APP-1.2]\ngiven:\n  device: {records: {count: 1, seconds: 1 s}}\n"
      + "  phone: {bonded: true}\nsteps:\n" + body
    let library = ScenarioLibrary(files: [SourceFile(path: "lost.yaml", text: text)], vocabulary: vocabulary)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    return library.scenarios[0]
  }

  /// A run that judges nobody did not fail.
  @Test func onlyARunThatFailedHasATurningPoint() throws {
    func failure(_ steps: String) throws -> SimulatedFutures.NotFailed? {
      let text = "scenario: not lost\nid: not-lost\nverifies: [APP-1.2]\nsteps:\n\(steps)"
      let library = ScenarioLibrary(
        files: [SourceFile(path: "kept.yaml", text: text)], vocabulary: Self.vocabulary)
      let scenario = try #require(library.scenarios.first, "\(library.report.text())")
      let futures = SimulatedFutures(scenario, RunSettings(), sounds: Nothing(), firmware: NoFirmware())
      do throws(SimulatedFutures.NotFailed) { _ = try futures.failedRun() } catch { return error }
      return nil
    }
    #expect(try failure("  - phone: connect\n") == .passed)
    let blocked = try #require(try failure("  - ask: Does the phone show 84 %?\n  - phone: connect\n"))
    guard case .unjudged(let reason) = blocked else {
      Issue.record("\(blocked)")
      return
    }
    #expect(reason.hasPrefix("it is blocked: the target lacks "))
  }

  /// Defects whose instant is known: the air breaks at a step, and a draw decides there whether it does.
  @Test func plantedDefectsAreFoundWithinOneEvent() throws {
    var (found, planted) = (0, 0)
    var seed = UInt64(0)
    while planted < 5 {
      seed += 1
      var settings = RunSettings()
      settings.seed = seed
      settings.additionalVerbs = [Doom.self]
      let futures = SimulatedFutures(
        try Self.scenario(doomAt: 1 + planted % 3), settings, sounds: Nothing(), firmware: NoFirmware())
      guard let run = try? futures.failedRun() else { continue }
      planted += 1
      let known = try #require(run.moments.firstIndex { $0.words == "air: may lose packets" })
      let result = try #require(TurningPoint(futures, draws: 8, jobs: 2).search(run) { _ in })
      let place = try #require(run.moments.firstIndex(of: result.after.moment))
      if abs(place - known) <= 1 { found += 1 }
    }
    #expect(found * 100 >= planted * 95, "\(found) of \(planted)")
  }
}
