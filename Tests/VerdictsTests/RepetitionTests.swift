import Testing
import Timeline

@testable import Verdicts

@Suite struct Repeating {
  private static let failed = Verdict.failed(DeviceFailure(judges: .recorder, reason: "silence", instant: .zero))
  private static let bench = Verdict.benchError(BenchTrouble("no adapter"))
  private static let blocked = Verdict.blocked(capability: "actuators: button")

  /// The ends in millionths, worked out apart from this code.
  @Test(
    arguments: [
      (0, 10, 0, 277_533), (10, 10, 722_467, 1_000_000), (5, 10, 236_593, 763_407), (1, 1, 206_549, 1_000_000),
      (3, 37, 27_961, 213_007), (1, 1_000, 177, 5_643),
    ]) func theIntervalIsWilsons(count: Int, total: Int, low: Int, high: Int) throws
  {
    let interval = try #require(WilsonInterval(count, of: total))
    #expect(abs(interval.low - low) <= 1, "\(interval)")
    #expect(abs(interval.high - high) <= 1, "\(interval)")
  }

  @Test(arguments: [(0, 0), (-1, 3), (4, 3)]) func countsThatCannotBeHaveNone(count: Int, total: Int) {
    #expect(WilsonInterval(count, of: total) == nil)
  }

  @Test func theBenchIsNeverCountedAgainstTheDevice() {
    var tally = RepetitionTally(id: "a", cell: "[x=1]")
    for attempts in [
      [.passed], [Self.failed], [Self.failed, .passed], [Self.bench], [Self.bench, .passed], [Self.bench, Self.failed],
      [Self.blocked], [Verdict.harnessError(HarnessTrouble("a bug"))],
    ] {
      tally.count(attempts)
    }
    #expect(tally.failed == 3)
    #expect(tally.judged == 5)
    #expect(tally.benchErrors == 3)
    #expect(tally.harnessErrors == 1)
    #expect(tally.blocked == 1)
  }

  @Test func aBenchErrorMakesNothingFlakyAndHidesNothing() {
    #expect(Verdict.of(attempts: [Self.bench, .passed]) == .passed)
    #expect(Verdict.of(attempts: [Self.bench, Self.failed]) == Self.failed)
    #expect(Verdict.of(attempts: [Self.bench, Self.failed, .passed]).kind == .flaky)
    #expect(Verdict.of(attempts: [Self.bench, Self.bench]) == Self.bench)
  }

  @Test(arguments: [
    ([bench, .passed], ExitCode.benchFailed), ([bench, failed], .deviceFailed), ([.passed], .passed),
  ]) func aBenchThatWasBroughtBackIsStillTold(attempts: [Verdict], code: ExitCode) {
    let scenario = ScenarioReport(
      id: "a", title: "", file: "a.yaml", line: 1, verdict: Verdict.of(attempts: attempts), attempts: attempts,
      replay: "")
    let run = RunReport(
      tool: "", seed: 1, profile: "", target: "hardware", host: "", startedAt: 0, wallDuration: .zero,
      scenarios: [scenario])
    #expect(run.exitCode == code)
  }
}
