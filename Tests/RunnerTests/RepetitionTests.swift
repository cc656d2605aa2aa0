import Synchronization
import Testing
import Timeline
import Verdicts

@testable import Runner

@Suite struct RepeatingScenarios {
  /// The command that repeats an attempt: its last repetition, and as many retries as came before.
  @Test(arguments: [
    (0, 0, " --seed 1 --name "), (4, 0, " --repeat 5 --name "), (4, 2, " --repeat 5 --retries 2 --name "),
  ])
  func anAttemptIsFoundAgain(turn: Int, retry: Int, words: String) throws {
    var settings = RunSettings()
    settings.repetition = AttemptNumber.of(turn: turn, retry: retry)
    let scenario = try Playing.scenarios("given: {device: {records: 2}}\nsteps:\n  - phone: {list: }\n")[0]
    let report = ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
    #expect(report.replay.contains(words), "\(report.replay)")
  }

  private static let failed = Verdict.failed(DeviceFailure(judges: .recorder, reason: "silence", instant: .zero))

  private static func report(_ verdict: Verdict) -> ScenarioReport {
    let step = StepReport(
      sentence: "phone: sync", file: "a.yaml", line: 1, began: .zero, ended: .zero, outcome: .passed)
    return ScenarioReport(
      id: "a", title: "", file: "a.yaml", line: 1, verdict: verdict, replay: "", steps: [step])
  }

  @Test(arguments: [1, 3]) func aTurnThatHasBegunIsDoneToItsEnd(jobs: Int) {
    let asked = Mutex<[Int]>([])
    let results = ParallelRuns(jobs: jobs).runTurns(of: 4) { turn in
      asked.withLock { $0.append(turn) }
      return turn < 3
    } _: { turn, index in
      turn * 10 + index
    }
    #expect(results == [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23])
    #expect(asked.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test func nothingBeginsOnceItIsStopped() {
    let stopped = Mutex(false)
    let results = ParallelRuns(jobs: 1) { stopped.withLock { $0 } }.runTurns(of: 3, while: { _ in true }) {
      turn, index in
      if turn == 1, index == 1 { stopped.withLock { $0 = true } }
      return index
    }
    #expect(results == [0, 1, 2, 0, 1])
  }

  @Test func whatPassesAgainIsKeptInShort() {
    let ledger = RepetitionLedger([("a", "")])
    #expect(ledger.take(Self.report(.passed), 0, turn: 0, isNews: true)?.steps.count == 1)
    #expect(ledger.take(Self.report(.passed), 0, turn: 1, isNews: false)?.steps.isEmpty == true)
    #expect(ledger.take(Self.report(Self.failed), 0, turn: 2, isNews: true)?.steps.count == 1)
    #expect(ledger.take(Self.report(.passed), 0, turn: RepetitionLedger.listingLimit, isNews: false) == nil)
    let tally = ledger.repetitions.tallies[0]
    #expect(tally.judged == 4)
    #expect(tally.failed == 1)
    #expect(ledger.repetitions.unlisted == 1)
  }

  @Test func ofManyFailuresInTheSameWordsAFewAreKept() {
    let ledger = RepetitionLedger([("a", "")])
    let news = (0..<8).map { ledger.isNews(Self.report(Self.failed), 0, turn: $0) }
    #expect(news == [true, true, true] + Array(repeating: false, count: 5))
    var other = Self.report(Self.failed)
    other.verdict = .failed(DeviceFailure(judges: .recorder, reason: "noise", instant: .zero))
    #expect(ledger.isNews(other, 0, turn: 8))
  }

  @Test func numbersDoNotMakeAFailureNews() {
    let ledger = RepetitionLedger([("a", "")])
    let news = (0..<5).map { turn in
      var report = Self.report(Self.failed)
      report.verdict = .failed(DeviceFailure(judges: .recorder, reason: "silent for \(turn) s", instant: .zero))
      return ledger.isNews(report, 0, turn: turn)
    }
    #expect(news.count { $0 } == RepetitionLedger.sameCauseLimit)
  }

  @Test func aFailureThatIsNoNewsKeepsItsVerdictAlone() {
    let ledger = RepetitionLedger([("a", "")])
    let kept = ledger.take(Self.report(Self.failed), 0, turn: 9, isNews: false)
    #expect(kept?.verdict == Self.failed)
    #expect(kept?.steps.isEmpty == true)
    #expect(ledger.repetitions.tallies[0].failed == 1)
  }

  @Test func onlyADeviceFailureStopsARun() {
    let ledger = RepetitionLedger([("a", "")])
    _ = ledger.take(Self.report(.benchError(BenchTrouble("no adapter"))), 0, turn: 0, isNews: true)
    _ = ledger.take(Self.report(.harnessError(HarnessTrouble("a bug"))), 0, turn: 1, isNews: true)
    #expect(!ledger.hasDeviceFailed)
    _ = ledger.take(Self.report(Self.failed), 0, turn: 2, isNews: true)
    #expect(ledger.hasDeviceFailed)
  }
}
