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
    let outcomes: [RequirementOutcome] = [
      .notObservable("x"), .notExercised, .notJudged("z"), .partlyShown(missing: ["a"]), .shown, .violated("y"),
    ]
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
      (entry("APP-1") + entry("APP-1"), "line 5: `APP-1` is defined twice, first in line 1"),
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

  @Test(
    arguments: [
      ("  clauses: {a: one, b-c: two}\n", ["APP-1/a", "APP-1/b-c"]), ("", ["APP-1"]),
    ] as [(String, [String])])
  func clausesAreReferredToByTheirNames(clauses: String, references: [String]) throws {
    let catalogue = try RequirementCatalogue(Array(Self.entry("APP-1", rest: clauses).utf8))
    #expect(catalogue.requirements.first?.references == references)
  }

  @Test(arguments: [
    "  clauses: [a]\n", "  clauses: {}\n", "  clauses: {A: one}\n", "  clauses: {a: }\n", "  clauses: a\n",
  ])
  func whatIsNoClauseIsRefused(clauses: String) {
    #expect(throws: CatalogueFailure.self) {
      try RequirementCatalogue(Array(Self.entry("APP-1", rest: clauses).utf8))
    }
  }
}
