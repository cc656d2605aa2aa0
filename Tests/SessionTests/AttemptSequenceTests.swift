import Verdicts
import Testing
import Timeline

@testable import Session

/// Reports that tests need.
enum Sample {
  static let failed = Verdict.failed(DeviceFailure(judges: .recorder, reason: "too late", instant: .zero))
  static let benchError = Verdict.benchError(BenchTrouble("the adapter is gone"))

  static func report(_ verdict: Verdict) -> ScenarioReport {
    ScenarioReport(id: "a", title: "A", file: "a.yaml", line: 1, verdict: verdict, replay: "dictobench run")
  }
}

@Suite struct AttemptSequences {
  private func attempt(_ number: Int, isAgain: Bool = false) -> AttemptSequence.Action {
    .attempt(number: number, isAgain: isAgain)
  }

  /// Takes reports with these verdicts one after the other; what was asked for after each.
  private func actions(_ verdicts: [Verdict], retries: Int, isInterrupted: Bool = false) -> [AttemptSequence.Action] {
    var sequence = AttemptSequence(retries: retries)
    return verdicts.map {
      sequence.ended(Sample.report($0), isAgain: false, isInterrupted: isInterrupted)
    }
  }

  @Test func aPassEndsIt() {
    #expect(AttemptSequence(retries: 2).first == attempt(0))
    #expect(actions([.passed], retries: 2) == [.finish])
  }

  @Test func failuresAreTriedAgainUntilTheRetriesAreUsedUp() {
    #expect(
      actions([Sample.failed, Sample.failed, Sample.failed], retries: 2) == [attempt(1), attempt(2), .finish])
    #expect(actions([Sample.failed, .passed], retries: 2) == [attempt(1), .finish])
    #expect(actions([Sample.failed], retries: 0) == [.finish])
  }

  @Test func aKnownDefectEndsItAndAMendedOneDoesNot() {
    let defect = KnownDefect(requirement: "DEV-2", reason: "wakes late", file: "known.yaml", line: 2)
    let failure = DeviceFailure(judges: .recorder, reason: "too late", instant: .zero)
    #expect(actions([.known(defect, failure)], retries: 2) == [.finish])
    #expect(actions([.mended(defect)], retries: 2) == [attempt(1)])
  }

  @Test func nothingIsTriedAfterAnInterrupt() {
    #expect(actions([Sample.failed], retries: 2, isInterrupted: true) == [.finish])
  }

  @Test func aBenchThatIsBackGivesTheSameAttemptAgain() {
    var sequence = AttemptSequence(retries: 0)
    let trouble = BenchTrouble("the adapter is gone")
    #expect(
      sequence.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false) == .recover(trouble))
    #expect(sequence.recovered(.init("opened again", isBack: true), isInterrupted: false) == attempt(0, isAgain: true))
    #expect(sequence.ended(Sample.report(.passed), isAgain: true, isInterrupted: false) == .finish)
    #expect(sequence.result?.verdict == .passed)
    #expect(sequence.result?.recovery == "opened again")
    #expect(sequence.result?.attempts == [Sample.benchError, .passed])
  }

  @Test func aBenchIsBroughtBackOnlyOnce() {
    var sequence = AttemptSequence(retries: 1)
    _ = sequence.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false)
    _ = sequence.recovered(.init("opened again", isBack: true), isInterrupted: false)
    #expect(sequence.ended(Sample.report(Sample.benchError), isAgain: true, isInterrupted: false) == attempt(1))
    #expect(sequence.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false) == .finish)
    #expect(sequence.result?.verdict == Sample.benchError)
  }

  @Test func aBenchThatStaysAwayUsesRetriesOnly() {
    var sequence = AttemptSequence(retries: 1)
    _ = sequence.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false)
    #expect(sequence.recovered(.init("still gone", isBack: false), isInterrupted: false) == attempt(1))
    var without = AttemptSequence(retries: 0)
    _ = without.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false)
    #expect(without.recovered(nil, isInterrupted: false) == .finish)
    #expect(without.result?.recovery == nil)
  }

  @Test func theFirstAttemptThatJudgedTheDeviceIsReported() {
    var sequence = AttemptSequence(retries: 2)
    var judged = Sample.report(Sample.failed)
    judged.repetition = 7
    _ = sequence.ended(Sample.report(Sample.benchError), isAgain: false, isInterrupted: false)
    _ = sequence.recovered(nil, isInterrupted: false)
    _ = sequence.ended(judged, isAgain: false, isInterrupted: false)
    _ = sequence.ended(Sample.report(.passed), isAgain: false, isInterrupted: false)
    #expect(sequence.result?.repetition == 7)
    #expect(sequence.result?.verdict.kind == .flaky)
  }
}

@Suite struct RepetitionBudgets {
  @Test func theNumberOfRepetitionsIsALimit() {
    let budget = RepetitionBudget(repetitions: 3, span: nil, startingAt: 0)
    #expect((0..<5).map { budget.begins($0, at: .max / 2) } == [true, true, true, false, false])
  }

  @Test func noRepetitionBeginsAfterTheSpan() {
    let budget = RepetitionBudget(repetitions: 100, span: .seconds(1), startingAt: 5_000_000_000)
    #expect(budget.begins(1, at: 5_999_999_999))
    #expect(!budget.begins(1, at: 6_000_000_000))
    // The first repetition is never left out, however slow the machine is.
    #expect(budget.begins(0, at: 9_000_000_000))
  }
}
