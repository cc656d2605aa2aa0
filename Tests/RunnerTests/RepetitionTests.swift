import Synchronization
import Testing
import Timeline
import Verdicts

@testable import Runner

@Suite struct RepeatingScenarios {
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
    #expect(ledger.take(Self.report(.passed), 0, turn: 0)?.steps.count == 1)
    #expect(ledger.take(Self.report(.passed), 0, turn: 1)?.steps.isEmpty == true)
    #expect(ledger.take(Self.report(Self.failed), 0, turn: 2)?.steps.count == 1)
    #expect(ledger.take(Self.report(.passed), 0, turn: RepetitionLedger.listingLimit) == nil)
    let tally = ledger.repetitions.tallies[0]
    #expect(tally.judged == 4)
    #expect(tally.failed == 1)
    #expect(ledger.repetitions.unlisted == 1)
  }

  @Test func onlyADeviceFailureStopsARun() {
    let ledger = RepetitionLedger([("a", "")])
    _ = ledger.take(Self.report(.benchError(BenchTrouble("no adapter"))), 0, turn: 0)
    _ = ledger.take(Self.report(.harnessError(HarnessTrouble("a bug"))), 0, turn: 1)
    #expect(!ledger.hasDeviceFailed)
    _ = ledger.take(Self.report(Self.failed), 0, turn: 2)
    #expect(ledger.hasDeviceFailed)
  }
}
