import Foundation
import Testing
import Timeline
import Verdicts

@testable import Reports

/// Equal failures are told once.
@Suite struct Causes {
  private static func run(_ count: Int, _ change: (Int, inout ScenarioReport) -> Void) -> RunReport {
    var run = SampleRun.run
    run.scenarios = (0..<count).map { index in
      var scenario = SampleRun.run.scenarios[1]
      scenario.cell = "[n=\(index)]"
      var account = FailureAccount(
        place: "a.yaml:3:5", excerpt: [], who: "the recorder", what: "a list", expected: "2", found: "\(index)")
      account.difference = FirstDifference(
        other: "the same run", until: "1.000", here: "here \(index)", there: "there", cause: "recorder: list")
      scenario.account = account
      change(index, &scenario)
      return scenario
    }
    return run
  }

  private static func text(_ run: RunReport) -> String { ConsoleReport.text(RunStory(run), .plain, folder: nil) }

  @Test func oneCauseIsToldOnceForAllScenarios() {
    let text = Self.text(Self.run(395) { _, _ in })
    #expect(text.contains("1 cause, 395 scenarios"))
    #expect(text.components(separatedBy: "\nfailed: ").count == 2)
    #expect(text.contains("the same in: "))
    #expect(text.contains(" and 389 more"))
    #expect(text.utf8.count < 4_000)
  }

  @Test func otherDifferencesAreOtherCauses() {
    let run = Self.run(6) { index, scenario in
      if index >= 4 { scenario.account?.difference?.cause = "recorder: battery" }
    }
    let story = RunStory(run)
    #expect(story.causes.map(\.members.count) == [4, 2])
  }

  /// Without a difference the words decide, but not their numbers.
  @Test func wordsDecideWhereNothingElseIsKnown() {
    let run = Self.run(4) { index, scenario in
      scenario.account = nil
      let reason = index < 3 ? "did not happen by \(index).000 s" : "another thing"
      scenario.verdict = .failed(DeviceFailure(judges: .recorder, reason: reason, instant: .zero))
    }
    #expect(RunStory(run).causes.map(\.members.count) == [3, 1])
  }

  @Test func aStoryIsToldInItsOrder() throws {
    let run = Self.run(1) { _, scenario in
      scenario.account?.excerpt = ["3 |   - phone: sync", "  |     ^~~~~"]
      scenario.account?.open = ["the list announced 2 records, 1 was sent"]
    }
    let text = Self.text(run)
    let order = [
      "at: a.yaml:3:5", "3 |   - phone: sync", "  |     ^~~~~", "who: the recorder", "what: a list", "expected: 2",
      "found: 0", "steps of the conversation", "open: the list announced", "first difference: until 1.000 s",
      "here: here 0", "there: there", "replay: ",
    ]
    var rest = text[...]
    for part in order {
      let range = try #require(rest.range(of: part), "\(part) is missing or out of order in\n\(text)")
      rest = rest[range.upperBound...]
    }
  }

  @Test func nothingOfADeviceReachesTheTerminalRaw() {
    let run = Self.run(1) { _, scenario in
      let hostile = SampleRun.hostile
      scenario.account = FailureAccount(
        place: hostile, excerpt: [hostile, hostile], who: hostile, what: hostile, expected: hostile, found: hostile)
      scenario.account?.open = [hostile]
      scenario.account?.difference = FirstDifference(
        other: hostile, until: hostile, here: hostile, there: hostile, cause: hostile)
      scenario.lastEvents = [hostile]
    }
    var changed = run
    changed.baseline = BaselineChange(run, since: SampleRun.run, in: SampleRun.hostile)
    let text = Self.text(changed)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!text.contains("\u{202E}"))
  }

  @Test func eventsAreReadBackAsTheyWereWritten() throws {
    let logs = RecordedEvents(SampleRun.eventLog).scenarios["library-no-redownload[records=7]"]
    let events = logs?.first?.entries ?? []
    #expect(events.map(\.event.name) == ["link.up", "battery.read", "packet.malformed"])
    #expect(events.first?.event.instant == Instant(nanoseconds: 1_500_000_000))
    #expect(events.last?.event.details == [EventDetail("reason", SampleRun.hostile)])
    #expect(RecordedEvents(Array("{\"event\":{\n\u{0}[]\n".utf8)).scenarios.isEmpty)
  }

  /// Repetitions are logs of their own, flags stay flags, and what was not kept is counted.
  @Test func repetitionsAreReadBackSingly() {
    var (lines, octets) = (EventLines(), [UInt8]())
    for repetition in [0, 3] {
      var report = SampleRun.run.scenarios[0]
      report.repetition = repetition
      var log = ScenarioEventLog(report.name)
      for _ in 0..<(repetition == 0 ? 2 : RunComparison.Log.limit + 5) {
        let details = [EventDetail("on", true), EventDetail("count", 1)]
        log.observed(ReportedEvent(at: .zero, from: .phone(), name: "power", details: details), wall: 0)
      }
      log.finished(report, wall: 0)
      octets += lines.numbered(EventLines.rests(of: log))
    }
    let logs = RecordedEvents(octets).scenarios[SampleRun.run.scenarios[0].name] ?? []
    #expect(logs.map(\.repetition) == [0, 3])
    #expect(logs.map(\.entries.count) == [2, RunComparison.Log.limit])
    #expect(logs.map(\.dropped) == [0, 5])
    #expect(logs.first?.entries.first?.event.details == [EventDetail("count", 1), EventDetail("on", true)])
  }

  @Test func repetitionsOfOneScenarioAreToldApart() {
    let run = Self.run(3) { index, scenario in
      scenario.cell = ""
      scenario.repetition = index
    }
    let text = Self.text(run)
    #expect(text.contains("the same in: library-no-redownload (repetition 1), library-no-redownload (repetition 2)"))
    #expect(text.contains(" and 2 more repetitions: "))
  }

  @Test func aChangedTraceThatNobodyJudgedIsReported() {
    var now = SampleRun.run
    now.scenarios[0].traceHash = nil
    now.scenarios[6].verdict = .passed
    let change = BaselineChange(now, since: SampleRun.run, in: "old")
    #expect(change.unjudged == [now.scenarios[0].name])
    #expect(change.changed == ["sometimes: was flaky, is passed"])
    now.baseline = change
    let text = Self.text(now)
    #expect(text.contains("baseline: 1 scenario as good as in old, but not the same run, which nobody judged: "))
    now.seed = 7
    #expect(BaselineChange(now, since: SampleRun.run, in: "old").incomparable != nil)
  }
}
