import Testing

@testable import Verdicts

@Suite struct Qualifications {
  private static func catalogue() throws -> RequirementCatalogue {
    try RequirementCatalogue(
      Array(
        """
        - {id: DEV-1, requires: a, judges: recorder, simulated: x}
        - {id: DEV-2, requires: b, judges: pair, clauses: {one: first, two: second}, simulated: x}
        - {id: APP-1, requires: c, judges: phone, simulated: x}
        - {id: HIL-1, requires: d, judges: harness, simulated: x}
        """.utf8))
  }

  private static let waiver = Waiver(
    requirement: "DEV-1", grantedBy: "Ada", until: "2026-06-30", reason: "soon", place: "plan.yaml:3")

  private static func qualification(
    _ statements: [RequirementStatement], waivers: [Waiver] = [], today: String = "2026-06-30",
    repeats: [RepeatResult] = [], failures: [Qualification.Failure] = [], waiting: String? = nil
  ) throws -> Qualification {
    let target = Qualification.Target(name: "modelled", scenarios: 1, judged: 1, waiting: waiting)
    let rows = QualificationJudge(try catalogue(), waivers: waivers, today: today)
      .rows([.init(target, .simulated, statements)], of: [])
    return Qualification(
      tool: "t", firmware: "f", plan: "p", seed: 1, day: today, targets: [target], rows: rows, failures: failures,
      repeats: repeats)
  }

  private static func says(_ id: String, _ kind: RequirementStatement.Kind, _ clauses: [String] = [])
    -> RequirementStatement
  {
    RequirementStatement(id, kind, clauses: clauses, source: "s", reason: kind == .shown ? "" : "why")
  }

  private static let allShown = [says("DEV-1", .shown), says("DEV-2", .shown, ["one", "two"])]

  @Test(
    arguments: [
      ([says("DEV-1", .shown)], Qualification.Finding.shown), ([], .notExercised),
      ([says("DEV-1", .shown), says("DEV-1", .violated)], .violated), ([says("DEV-1", .known)], .known),
      ([says("DEV-1", .known), says("DEV-1", .violated)], .violated),
      ([says("DEV-1", .shown), says("DEV-1", .mended)], .mended),
      ([says("DEV-1", .known), says("DEV-1", .mended)], .mended),
      ([says("DEV-1", .mended), says("DEV-1", .violated)], .violated), ([says("DEV-1", .notJudged)], .notJudged),
      ([says("DEV-1", .notObservable)], .notObservable),
    ] as [([RequirementStatement], Qualification.Finding)])
  func whatIsSaidDecides(_ statements: [RequirementStatement], _ finding: Qualification.Finding) throws {
    #expect(try Self.qualification(statements).rows[0].cells[0].finding == finding)
  }

  @Test func aPartIsNotTheWhole() throws {
    let row = try Self.qualification([Self.says("DEV-2", .shown, ["one"])]).rows[1]
    #expect(row.cells[0].finding == .partlyShown)
    #expect(row.cells[0].reason == "not shown: two")
  }

  @Test func whatJudgesThePhoneOrTheHarnessIsNoEvidence() throws {
    let rows = try Self.qualification([Self.says("APP-1", .violated), Self.says("HIL-1", .shown)]).rows
    #expect(rows[2].cells[0].finding == .notObservable)
    #expect(rows[2].cells[0].evidence.isEmpty)
    let shown = try Self.qualification([Self.says("APP-1", .shown)]).rows[2].cells[0]
    #expect(shown.shownBy.isEmpty)
    #expect(rows[3].cells[0].finding == .notObservable)
  }

  @Test func aWaiverHoldsThroughItsLastDay() throws {
    let violated = [Self.says("DEV-1", .violated), Self.says("DEV-2", .shown, ["one", "two"])]
    let held = try Self.qualification(violated, waivers: [Self.waiver])
    #expect(held.rows[0].cells[0].finding == .waived)
    #expect(held.rows[0].cells[0].reason == "why; waived by Ada until 2026-06-30 (plan.yaml:3): soon")
    #expect(held.answer == .qualified)
    let expired = try Self.qualification(violated, waivers: [Self.waiver], today: "2026-07-01")
    #expect(expired.rows[0].cells[0].finding == .violated)
    #expect(expired.rows[0].cells[0].reason?.contains("expired on 2026-06-30") == true)
    #expect(expired.answer == .notQualified)
    // Of two waivers, the one that still holds counts.
    var renewed = Self.waiver
    renewed.until = "2026-12-31"
    let both = try Self.qualification(violated, waivers: [Self.waiver, renewed], today: "2026-07-01")
    #expect(both.rows[0].cells[0].finding == .waived)
    // Of two that have expired, the last of the plan is told.
    renewed.until = "2026-06-15"
    let none = try Self.qualification(violated, waivers: [renewed, Self.waiver], today: "2026-07-01")
    #expect(none.rows[0].cells[0].waiver == Self.waiver)
    // A waiver of one requirement says nothing about another.
    let other = try Self.qualification([Self.says("DEV-2", .violated)], waivers: [Self.waiver])
    #expect(other.rows[1].cells[0].finding == .violated)
    #expect(other.rows[1].cells[0].waiver == nil)
  }

  /// Neither a defect that shows elsewhere nor a waiver hides that one is declared though it holds.
  @Test func aWrongDeclarationIsNeverHidden() throws {
    var mended = Self.says("DEV-1", .mended)
    (mended.source, mended.reason) = ("t", "it holds")
    let rest = Self.says("DEV-2", .shown, ["one", "two"])
    for others in [[Self.says("DEV-1", .known)], [Self.says("DEV-1", .violated)]] {
      let said = try Self.qualification(others + [mended, mended, rest], waivers: [Self.waiver])
      #expect(said.rows[0].cells[0].finding == .mended)
      #expect(said.rows[0].cells[0].reason == "it holds")
      #expect(said.rows[0].cells[0].evidence == ["t"])
      #expect(said.answer == .notQualified)
    }
    // Nor does a plan that leaves the requirement out.
    let failure = Qualification.Failure(scenario: "t", target: "modelled", verdict: "mended", reason: "it holds")
    #expect(try Self.qualification(Self.allShown, failures: [failure]).answer == .notQualified)
  }

  /// A scenario whose attempts disagreed shows nothing, which what others show would cover.
  @Test func aFlakyResultNeedsAQuarantine() throws {
    var flaky = Qualification.Failure(scenario: "s", target: "modelled", verdict: "flaky", reason: "1 of 2")
    let notJudged = Self.allShown + [Self.says("DEV-1", .notJudged)]
    #expect(try Self.qualification(notJudged, failures: [flaky]).answer == .notQualified)
    // Only one of its attempts is known by its violations, so a waiver of these does not cover it.
    flaky.violated = ["DEV-1"]
    let violated = [Self.says("DEV-1", .violated), Self.says("DEV-2", .shown, ["one", "two"])]
    #expect(try Self.qualification(violated, waivers: [Self.waiver], failures: [flaky]).answer == .notQualified)
    flaky.quarantine = Quarantine(scenario: "s", grantedBy: "Ada", until: "2026-12-31", reason: "bench")
    #expect(try Self.qualification(notJudged, failures: [flaky]).answer == .qualified)
    #expect(flaky.sentence == "1 of 2; in quarantine until 2026-12-31 by Ada: bench")
  }

  /// Two targets, of which each is judged by what was said on it.
  private static func twoTargets(
    _ modelled: [RequirementStatement], _ image: [RequirementStatement], of ids: [String] = [],
    repeats: [RepeatResult] = [], failures: [Qualification.Failure] = []
  ) throws -> Qualification {
    let targets = ["modelled", "image"].map { Qualification.Target(name: $0, scenarios: 1, judged: 1) }
    let rows = QualificationJudge(try catalogue(), waivers: [waiver], today: "2026-06-30").rows(
      [.init(targets[0], .simulated, modelled), .init(targets[1], .image, image)], of: ids)
    return Qualification(
      tool: "t", firmware: "f", plan: "p", seed: 1, day: "2026-06-30", targets: targets, rows: rows, failures: failures,
      repeats: repeats)
  }

  @Test func eachTargetIsJudgedByItself() throws {
    let both = try Self.twoTargets([Self.says("DEV-1", .shown)], [Self.says("DEV-1", .known)])
    #expect(both.rows[0].cells.map(\.finding) == [.shown, .known])
    #expect(both.rows.map(\.requirement.id) == ["DEV-1", "DEV-2", "APP-1", "HIL-1"])
    let asked = try Self.twoTargets([], [], of: ["DEV-2"])
    #expect(asked.rows.map(\.requirement.id) == ["DEV-2"])
    // A requirement that changed on one target is told with that target.
    let now = try Self.twoTargets([Self.says("DEV-1", .known)], [Self.says("DEV-1", .known)])
    let changes = QualificationChanges(now, since: both)
    #expect(changes.newlyBroken.map(\.target) == ["modelled"])
    #expect(changes.unchanged.map(\.target) == ["image"])
  }

  /// What is waived, or in quarantine, on one target excuses nothing on another.
  @Test func anExcuseHoldsForItsTarget() throws {
    func failure(_ scenario: String, _ target: String, _ verdict: String = "failed") -> Qualification.Failure {
      Qualification.Failure(scenario: scenario, target: target, verdict: verdict, reason: "")
    }
    let violated = [Self.says("DEV-1", .violated), Self.says("DEV-2", .shown, ["one", "two"])]
    func answer(_ failures: [Qualification.Failure], _ repeats: [RepeatResult] = []) throws -> Qualification.Answer {
      try Self.twoTargets(violated, Self.allShown, repeats: repeats, failures: failures).answer
    }
    #expect(try answer([failure("s", "modelled")]) == .qualified)
    #expect(try answer([failure("s", "image")]) == .notQualified)
    // Nor does it excuse what else the scenario violates, which the plan may not ask for.
    for (others, expected) in [(["DEV-1"], Qualification.Answer.qualified), (["APP-2.2", "DEV-1"], .notQualified)] {
      var failing = failure("s", "modelled")
      failing.violated = others
      #expect(try answer([failing]) == expected)
    }
    #expect(try answer([failure("t", "modelled")]) == .notQualified)
    #expect(try answer([failure("t", "modelled", "bench-error")]) == .qualified)
    let quarantine = Quarantine(scenario: "s", grantedBy: "Ada", until: "2026-12-31", reason: "bench")
    let trials = [SequentialTest.Trial.good, .good, .bad] + Array(repeating: .good, count: 40)
    var held = try Self.result(trials, quarantine: quarantine)
    held.scenario = "t"
    #expect(try answer([failure("t", "modelled")], [held]) == .qualified)
    #expect(try answer([failure("t", "image")], [held]) == .notQualified)
    held.quarantine = nil
    #expect(try answer([failure("t", "modelled")], [held]) == .notQualified)
  }

  /// A monitor's violation is that of its scenario.
  @Test func aViolationOfAMonitorIsExcusedWithItsScenario() throws {
    var said = Self.says("DEV-1", .violated)
    said.source = "monitor in s"
    let statements = [said, said, Self.says("DEV-2", .shown, ["one", "two"])]
    let failure = Qualification.Failure(scenario: "s", target: "modelled", verdict: "failed", reason: "")
    let held = try Self.qualification(statements, waivers: [Self.waiver], failures: [failure])
    #expect(held.rows[0].cells[0].evidence == ["monitor in s"])
    #expect(held.answer == .qualified)
  }

  @Test func theAnswerIsTheWorstThatIsSaid() throws {
    #expect(try Self.qualification(Self.allShown).answer == .qualified)
    #expect(try Self.qualification([Self.says("DEV-1", .shown)]).answer == .provisional)
    #expect(
      try Self.qualification([Self.says("DEV-1", .shown), Self.says("DEV-2", .shown, ["one"])]).answer == .provisional)
    let waiting = try Self.qualification(Self.allShown, waiting: "no bench")
    #expect(waiting.answer == .provisional)
    #expect(waiting.rows[0].cells[0].finding == .notExercised)
    #expect(waiting.rows[0].cells[0].reason == "no bench")
    var begun = try Self.qualification(Self.allShown)
    begun.targets[0].scenarios = 2
    #expect(begun.answer == .provisional)
    #expect(try Self.qualification(Self.allShown + [Self.says("DEV-1", .mended)]).answer == .notQualified)
    let failure = Qualification.Failure(scenario: "s", target: "modelled", verdict: "failed", reason: "")
    #expect(try Self.qualification(Self.allShown, failures: [failure]).answer == .notQualified)
    let waived = [Self.says("DEV-1", .violated), Self.says("DEV-2", .shown, ["one", "two"])]
    #expect(try Self.qualification(waived, waivers: [Self.waiver], failures: [failure]).answer == .qualified)
    #expect(try Self.qualification(Self.allShown).exitCode == .passed)
    #expect(try Self.qualification([]).exitCode == .outstanding)
  }

  /// Nothing that no target can show is signed off, and what judges only the phone says nothing about the firmware.
  @Test func whatNoTargetShowsIsLeftOpen() throws {
    let blind = [Self.says("DEV-1", .notObservable), Self.says("DEV-2", .shown, ["one", "two"])]
    #expect(try Self.qualification(blind).answer == .provisional)
    #expect(try Self.twoTargets(blind, Self.allShown).answer == .qualified)
    #expect(try Self.twoTargets(Self.allShown, Self.allShown, of: ["APP-1", "HIL-1"]).answer == .provisional)
    #expect(try Self.twoTargets(Self.allShown, Self.allShown, of: ["DEV-1", "APP-1"]).answer == .qualified)
  }

  /// One target shows everything, and on the other one a scenario about DEV-1 was blocked.
  private static func blocked(
    on name: String, besides other: String, _ said: [RequirementStatement] = []
  ) throws -> Qualification {
    var target = Qualification.Target(name: name, scenarios: 2, judged: 1)
    target.blocked = [.init("s", reason: "the target lacks a button", requirements: ["DEV-1"])]
    let targets = [Qualification.Target(name: other, scenarios: 2, judged: 2), target]
    let rows = QualificationJudge(try catalogue(), waivers: [], today: "2026-06-30").rows(
      [.init(targets[0], .simulated, allShown), .init(target, .image, said)], of: [])
    return Qualification(
      tool: "t", firmware: "f", plan: "p", seed: 1, day: "2026-06-30", targets: targets, rows: rows, failures: [],
      repeats: [])
  }

  @Test func whatWasBlockedIsNotJudged() throws {
    let blocked = try Self.blocked(on: "hardware", besides: "modelled")
    #expect(blocked.answer == .provisional)
    #expect(blocked.rows[0].cells[1].finding == .notJudged)
    #expect(blocked.rows[0].cells[1].reason == "s is blocked: the target lacks a button")
    #expect(blocked.rows[0].cells[1].evidence == ["s"])
    #expect(blocked.rows[1].cells[1].finding == .notExercised)
    #expect(blocked.targets[1].state == "1 of 2 scenarios judged, 1 blocked")
    // Another scenario shows the same there.
    #expect(try Self.blocked(on: "hardware", besides: "modelled", [Self.says("DEV-1", .shown)]).answer == .qualified)
    // What a real recorder shows needs no simulated one.
    #expect(try Self.blocked(on: "image", besides: "hardware").answer == .qualified)
    #expect(try Self.blocked(on: "image", besides: "modelled").answer == .provisional)
  }

  @Test func anUnidentifiedFirmwareIsNotQualified() throws {
    var qualification = try Self.qualification(Self.allShown)
    qualification.targets[0].unidentified = "nothing identifies the firmware"
    #expect(qualification.answer == .provisional)
    #expect(qualification.targets[0].state == "1 of 1 scenarios judged, nothing identifies the firmware")
  }

  /// What is signed off says neither more nor less than what was shown.
  @Test(arguments: [
    (9_000, 1_000, "0 of 0 failed; the failure rate is below 0.9 % with 99.9 % confidence"),
    (29_000, 50_000, "0 of 0 failed; the failure rate is below 2.9 % with 95 % confidence"),
    (20_050, 1, "0 of 0 failed; the failure rate is below 2.005 % with 99.9999 % confidence"),
  ]) func sharesAreToldExactly(bound: Int, risk: Int, sentence: String) throws {
    var result = RepeatResult(
      "s", on: "modelled", SequentialTest(try #require(SequentialTest.Question(below: bound, risk: risk))),
      quarantine: nil)
    result.decision = .below
    #expect(result.sentence == sentence)
  }

  /// Too many failures show that the rate is above the aim, not that it has reached the bound.
  @Test func whatFailsIsAboveTheAim() throws {
    let result = try Self.result([.bad, .bad, .bad, .bad, .bad])
    #expect(result.sentence.hasSuffix("; the failure rate is above 12.5 % with 90 % confidence"))
  }

  private static func result(_ trials: [SequentialTest.Trial], quarantine: Quarantine? = nil) throws -> RepeatResult {
    var test = SequentialTest(try #require(SequentialTest.Question(below: 500_000, risk: 100_000, limit: 50)))
    for trial in trials { test.take(trial) }
    return RepeatResult("s", on: "modelled", test, quarantine: quarantine)
  }

  @Test func aFlakyScenarioNeedsAQuarantine() throws {
    let quarantine = Quarantine(scenario: "s", grantedBy: "Ada", until: "2026-12-31", reason: "bench")
    let trials = [SequentialTest.Trial.good, .good, .bad] + Array(repeating: .good, count: 40)
    let flaky = try Self.result(trials)
    #expect(flaky.ending == .flaky)
    #expect(flaky.isBad)
    #expect(try Self.qualification(Self.allShown, repeats: [flaky]).answer == .notQualified)
    let held = try Self.result(trials, quarantine: quarantine)
    #expect(!held.isBad)
    #expect(try Self.qualification(Self.allShown, repeats: [held]).answer == .qualified)
    #expect(try Self.result([.bad, .bad, .bad, .bad, .bad], quarantine: quarantine).ending == .failed)
    #expect(try Self.result([.bad, .bad, .bad, .bad, .bad], quarantine: quarantine).isBad)
    let unknown = try Self.result(Array(repeating: .benchError, count: 20))
    #expect(unknown.ending == .notJudged)
    #expect(try Self.qualification(Self.allShown, repeats: [unknown]).answer == .provisional)
  }

  @Test func changesAreSortedByWhatTheyMean() throws {
    let before = try Self.qualification([Self.says("DEV-1", .violated), Self.says("DEV-2", .shown, ["one", "two"])])
    let now = try Self.qualification([Self.says("DEV-1", .shown), Self.says("DEV-2", .violated)])
    let changes = QualificationChanges(now, since: before)
    #expect(changes.newlyMended.map(\.requirement) == ["DEV-1"])
    #expect(changes.newlyBroken.map(\.requirement) == ["DEV-2"])
    #expect(changes.unchanged.isEmpty)
    let same = QualificationChanges(before, since: before)
    #expect(same.unchanged.map(\.requirement) == ["DEV-1"])
    #expect(same.newlyBroken.isEmpty)
    // What is broken and could not be tried again is not mended.
    let silent = QualificationChanges(try Self.qualification([]), since: before)
    #expect(silent.newlyMended.isEmpty)
    #expect(silent.evidenceLost.map(\.requirement) == ["DEV-1", "DEV-2"])
  }

  @Test func whatTheLastReleaseHasNoResultOfIsNamed() throws {
    func gaps(_ now: Qualification, _ before: Qualification) -> [String]? {
      QualificationChanges(now, since: before).incomparable?.map { "\($0.requirement) on \($0.target)" }
    }
    let whole = try Self.qualification(Self.allShown)
    #expect(gaps(whole, whole) == [])
    // What was not tried, or not to its end, is no result.
    #expect(gaps(whole, try Self.qualification([])) == ["DEV-1 on modelled", "DEV-2 on modelled"])
    let begun = try Self.qualification([Self.says("DEV-1", .notJudged), Self.says("DEV-2", .shown, ["one"])])
    #expect(gaps(whole, begun) == ["DEV-1 on modelled"])
    // What is not known now needs none.
    #expect(gaps(try Self.qualification([]), try Self.qualification([])) == [])
    // Rows that a narrower plan left out, and targets that it did not have.
    let narrow = try Self.twoTargets(Self.allShown, Self.allShown, of: ["DEV-2"])
    let both = try Self.twoTargets(Self.allShown, [Self.says("DEV-1", .violated)])
    #expect(gaps(both, narrow) == ["DEV-1 on modelled", "DEV-1 on image"])
    #expect(gaps(both, whole) == ["DEV-1 on image"])
  }
}
