import Testing
import Timeline

@testable import Verdicts

@Suite struct Judgements {
  @Test(
    arguments: [
      ([], false, false, ExitCode.nothingRan), ([.blocked, .blocked], false, true, .nothingRan),
      ([.passed, .known, .blocked], false, false, .passed), ([.passed], false, true, .outstanding),
      ([.passed, .flaky], false, false, .outstanding), ([.flaky, .benchError], false, false, .benchFailed),
      ([.benchError, .harnessError], false, true, .internalError),
      ([.harnessError, .failed, .benchError], false, false, .deviceFailed), ([.mended], false, false, .deviceFailed),
      ([.failed], true, false, .interrupted),
    ] as [([Verdict.Kind], Bool, Bool, ExitCode)])
  func aDeviceFailureIsNeverHidden(kinds: [Verdict.Kind], interrupted: Bool, outstanding: Bool, status: ExitCode) {
    #expect(ExitCode.of(kinds, isInterrupted: interrupted, isOutstanding: outstanding) == status)
    #expect(ExitCode.of(kinds.reversed(), isInterrupted: interrupted, isOutstanding: outstanding) == status)
  }

  @Test func attemptsThatDisagreeAreFlaky() {
    let failure = DeviceFailure(judges: .recorder, reason: "silence", instant: .zero)
    #expect(Verdict.of(attempts: [.failed(failure), .failed(failure)]) == .failed(failure))
    #expect(Verdict.of(attempts: [.failed(failure), .passed]).kind == .flaky)
    #expect(Verdict.of(attempts: [.passed, .failed(failure)]).reason?.contains("silence") == true)
  }

  @Test func outcomesMergeWithoutHidingAViolation() {
    let outcomes: [RequirementOutcome] = [.notObservable("x"), .notExercised, .shown, .violated("y")]
    for (left, lower) in outcomes.enumerated() {
      for (right, higher) in outcomes.enumerated() {
        #expect(lower.merged(with: higher) == outcomes[max(left, right)])
      }
    }
  }
}

@Suite struct Catalogues {
  private static func entry(_ id: String, judges: String = "phone", rest: String = "  simulated: events\n") -> String {
    "- id: \(id)\n  requires: something\n  judges: \(judges)\n\(rest)"
  }

  @Test(
    arguments: [
      ("", "line 1: the file contains no requirements"),
      ("id: APP-1", "line 1: the file is not a list; expected a list of rows, `- key: value`"),
      (entry("APP-1") + entry("APP-1"), "line 5: `APP-1` is written twice, first in line 1"),
      (entry("APP-"), "line 1: `APP-` is not an id; ids look like APP-1.3.1, DEV-4, HIL-2 or IMG-1"),
      (entry("APP-1", judges: "cat"), "line 3: `cat` is not one of recorder, phone, pair, harness"),
      (entry("APP-1", rest: "  simulated: [a]\n"), "line 4: `simulated` cannot be a list; expected text"),
      (entry("APP-1", rest: "  judges: pair\n"), "line 4: duplicate key `judges`; expected each key once"),
      (entry("APP-1", rest: "  seen: somehow\n"), nil), ("- id: APP-1\n", "line 1: `judges` is missing"),
      (
        entry("APP-1", rest: "  app: &x y\n"),
        "line 4: anchors are not allowed; expected the value itself"
      ),
      (entry("APP-1") + "---\n- id: DEV-1\n", "line 5: a second document begins here; expected one document per file"),
      ("- [", nil), ("\u{0}", nil),
    ] as [(String, String?)])
  func whatIsNoCatalogueIsRefusedWithItsLine(text: String, message: String?) {
    do {
      _ = try RequirementCatalogue(Array(text.utf8))
      Issue.record("was read: \(text)")
    } catch {
      if let message { #expect(error.description == message) }
    }
  }

  @Test func outcomesAreCollectedOverScenariosAndMonitors() throws {
    let text = ["APP-1", "APP-2", "DEV-1", "DEV-2"].map {
      Self.entry($0, judges: $0.hasPrefix("A") ? "phone" : "recorder")
    }
    .joined()
    let catalogue = try RequirementCatalogue(Array((text + "  hardware: events\n").utf8))
    let failure = DeviceFailure(judges: .recorder, requirement: "DEV-1", reason: "late", instant: .zero)
    let scenarios = [
      ScenarioReport(
        id: "a", title: "", file: "a.yaml", line: 1, requirements: ["APP-1"], verdict: .passed, replay: ""),
      ScenarioReport(
        id: "b", title: "", file: "b.yaml", line: 1, requirements: ["APP-1", "DEV-1"], verdict: .failed(failure),
        replay: ""),
      ScenarioReport(
        id: "c", title: "", file: "c.yaml", line: 1, requirements: ["APP-2"],
        verdict: .benchError(BenchTrouble("cable")), replay: ""),
    ]
    let results = RequirementResult.of(scenarios, in: catalogue, target: .simulated)
    #expect(results.map(\.outcome) == [.shown, .notExercised, .violated("late"), .notExercised])
    #expect(results[0].evidence == ["a"])
    #expect(results[2].evidence == ["b"])
    let onHardware = RequirementResult.of(scenarios, in: catalogue, target: .hardware).map(\.outcome.word)
    #expect(onHardware == ["notObservable", "notObservable", "notObservable", "notExercised"])
  }
}
