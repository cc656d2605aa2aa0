import ScenarioLanguage
import Testing
import Timeline
import Verdicts
import YAML

@testable import Runner

@Suite struct KnownDefectVerdicts {
  private static func defect(_ requirement: String, _ scenarios: [String] = [], line: Int = 2) -> KnownDefect {
    KnownDefect(requirement: requirement, scenarios: scenarios, reason: "declared", file: "known.yaml", line: line)
  }

  private static func failed(_ requirement: String?) -> Verdict {
    .failed(DeviceFailure(judges: .recorder, violated: requirement.map { [$0] } ?? [], reason: "why", instant: .zero))
  }

  private static func finding(_ requirement: String, _ outcome: RequirementOutcome) -> MonitorFinding {
    let violation = MonitorViolation(requirement: requirement, judges: .recorder, instant: .zero, reason: "why")
    var violations: [MonitorViolation] = []
    if case .violated = outcome { violations = [violation] }
    return MonitorFinding(
      declaration: MonitorDeclaration(requirement, "holds", judges: .recorder), outcome: outcome, preconditions: 1,
      met: 0, violations: violations)
  }

  private static func report(
    _ verdict: Verdict, cell: String = "", verifies: [String] = ["APP-1"], _ findings: [MonitorFinding] = [],
    step: StepOutcome = .passed, shows: [String] = []
  ) -> ScenarioReport {
    var decided = StepReport(sentence: "", file: "a.yaml", line: 2, began: .zero, ended: .zero, outcome: step)
    decided.shows = shows
    decided.isDecided = !shows.isEmpty
    return ScenarioReport(
      id: "a", title: "", file: "a.yaml", line: 1, cell: cell, requirements: verifies, verdict: verdict, replay: "",
      steps: [decided], findings: findings)
  }

  private static func kind(_ report: ScenarioReport, _ defects: KnownDefect...) -> Verdict.Kind {
    KnownDefects(defects).verdict(of: report).kind
  }

  @Test func aDeclaredFailureIsKnown() {
    #expect(Self.kind(Self.report(Self.failed("DEV-2")), Self.defect("DEV-2")) == .known)
    #expect(Self.kind(Self.report(Self.failed("DEV-2")), Self.defect("DEV-2", ["a"])) == .known)
    #expect(Self.kind(Self.report(Self.failed("DEV-2"), cell: "[n=1]"), Self.defect("DEV-2", ["a[n=1]"])) == .known)
    let verdict = KnownDefects([Self.defect("DEV-2")]).verdict(of: Self.report(Self.failed("DEV-2")))
    #expect(verdict.reason == "known.yaml:2 (declared): why")
  }

  @Test func aFailureOfAnotherRequirementOrScenarioIsNot() {
    let failure = Self.report(Self.failed("DEV-2"), cell: "[n=1]")
    for other in [Self.defect("DEV-3"), Self.defect("DEV-2", ["b"]), Self.defect("DEV-2", ["a[records=2]"])] {
      #expect(KnownDefects([other]).verdict(of: failure) == failure.verdict)
    }
  }

  /// A step's failure names no requirement: it is one of those that the scenario verifies.
  @Test func aFailedStepIsAnyOfWhatItsScenarioVerifies() {
    let report = Self.report(Self.failed(nil), verifies: ["APP-1", "APP-2"], step: .failed("why", .recorder))
    #expect(Self.kind(report, Self.defect("APP-2")) == .known)
    #expect(Self.kind(report, Self.defect("APP-3")) == .failed)
  }

  @Test func aDeclaredViolationHidesNoOther() {
    let report = Self.report(
      Self.failed("DEV-2"), [Self.finding("DEV-2", .violated("why")), Self.finding("DEV-3", .violated("why"))])
    let verdict = KnownDefects([Self.defect("DEV-2")]).verdict(of: report)
    #expect(verdict.kind == .failed)
    #expect(verdict.failure?.requirements == ["DEV-3"])
    #expect(Self.kind(report, Self.defect("DEV-2"), Self.defect("DEV-3")) == .known)
  }

  @Test func aDefectThatDoesNotShowIsMended() {
    let verdict = KnownDefects([Self.defect("APP-1", line: 7)]).verdict(of: Self.report(.passed, shows: ["APP-1/one"]))
    #expect(verdict.kind == .mended)
    // A scenario that passes and shows nothing of it says nothing about it.
    #expect(Self.kind(Self.report(.passed), Self.defect("APP-1")) == .passed)
    #expect(Self.kind(Self.report(.passed, shows: ["APP-2/one"]), Self.defect("APP-1")) == .passed)
    #expect(verdict.reason?.hasPrefix("known.yaml:7 declares APP-1 violated here, but it holds: remove") == true)
    // What a monitor saw counts where the entry names the scenario.
    let seen = Self.report(.passed, [Self.finding("DEV-2", .shown)])
    #expect(Self.kind(seen, Self.defect("DEV-2", ["a"])) == .mended)
    #expect(Self.kind(seen, Self.defect("DEV-2")) == .passed)
    #expect(
      Self.kind(Self.report(.passed, [Self.finding("DEV-2", .notExercised)]), Self.defect("DEV-2", ["a"])) == .passed)
  }

  @Test func aMendedDefectIsToldBesideAKnownOne() {
    let findings = [Self.finding("DEV-2", .violated("why")), Self.finding("DEV-3", .shown)]
    let defects = [Self.defect("DEV-2", ["a"]), Self.defect("DEV-3", ["a"], line: 5)]
    let whole = KnownDefects(defects).verdict(of: Self.report(Self.failed("DEV-2"), findings))
    #expect(whole == .mended(defects[1]))
    // After a step that failed, the rest might still have shown it.
    let cut = Self.report(Self.failed("DEV-2"), findings, step: .failed("why", .recorder))
    #expect(KnownDefects(defects).verdict(of: cut).kind == .known)
  }

  @Test func whatJudgesNoDeviceStaysAsItIs() {
    let verdicts: [Verdict] = [
      .blocked(capability: "button"), .benchError(BenchTrouble("cable")), .harnessError(HarnessTrouble("bug")),
    ]
    for verdict in verdicts {
      #expect(KnownDefects([Self.defect("APP-1", ["a"])]).verdict(of: Self.report(verdict)) == verdict)
    }
  }

  @Test func everyDefectIsCounted() {
    let defects = KnownDefects([Self.defect("APP-1"), Self.defect("DEV-2"), Self.defect("DEV-9"), Self.defect("DEV-3")])
    let shown = Self.report(Self.failed(nil), step: .failed("why", .recorder))
    let held = Self.report(.passed, verifies: ["DEV-3"], [Self.finding("DEV-2", .shown)], shows: ["DEV-3"])
    let ended = [shown, held].map { report in
      var report = report
      report.verdict = defects.verdict(of: report)
      return report
    }
    #expect(ended.map(\.verdict.kind) == [.known, .mended])
    let tallies = defects.tallies(over: ended)
    #expect(tallies.map(\.shown) == [1, 0, 0, 0])
    #expect(tallies.map(\.held) == [0, 1, 0, 0])
    #expect(tallies.map(\.mended) == [0, 0, 0, 1])
  }

  /// A whole run: the fault is a defect of the firmware, and its declaration travels with the command that repeats it.
  @Test func aRunJudgesByThem() throws {
    let body =
      "given: {device: {records: 2}, phone: {bonded: true}}\nsteps:\n  - phone: sync\n    expect: {listed: 2}\n    shows: APP-1.1\n"
    var settings = RunSettings()
    settings.known = KnownDefects([Self.defect("APP-1.1")])
    func run(_ faults: [PlantedFault]) throws -> ScenarioReport {
      settings.faults = faults
      return ScenarioRun(try Playing.scenarios(body)[0], settings, sounds: Silence(), firmware: NoFirmware()).run()
    }
    let known = try run(try #require([PlantedFault]("recorder:list-omits-newest")))
    #expect(known.verdict.kind == .known)
    #expect(known.attempts == [known.verdict])
    #expect(known.replay.contains("--known known.yaml"))
    #expect(try run([]).verdict.kind == .mended)
  }
}

@Suite struct KnownDefectFilesRead {
  private static let steps = "steps:\n  - phone: connect\n"

  private static func read(
    _ text: String, others: () -> [Scenario] = { [] }
  ) throws -> (defects: KnownDefects?, diagnostics: [Diagnostic]) {
    KnownDefects.read(
      SourceFile(path: "known.yaml", text: text), requirements: ["APP-1.1", "DEV-2"],
      scenarios: try Playing.scenarios(
        "matrix: {records: [1, 2]}\ngiven: {device: {records: $records}}\n" + steps, id: "pairing-once"), others: others
    )
  }

  @Test func aFileIsRead() throws {
    let text = """
      defects:
        - requirement: APP-1.1
          reason: forgets
        - reason: wakes late
          scenarios: [pairing-*, "pairing-once[records=2]"]
          since: 1.4.2
          requirement: DEV-2
      """
    let (defects, diagnostics) = try Self.read(text)
    #expect(diagnostics.isEmpty)
    #expect(defects?.file == "known.yaml")
    let tallies = try #require(defects).tallies(over: []).map(\.defect)
    #expect(tallies.map(\.line) == [2, 7])
    #expect(tallies.map(\.since) == [nil, "1.4.2"])
    #expect(tallies.map(\.scenarios) == [[], ["pairing-*", "pairing-once[records=2]"]])
  }

  @Test(
    arguments: [
      ("- requirement: APP-1.l\n    reason: x", 2, 18, "unknown requirement `APP-1.l`", "APP-1.1"),
      (
        "- {requirement: DEV-2, reason: x, scenarios: [pairing-onec]}", 2, 49, "unknown scenario `pairing-onec`",
        "pairing-once"
      ),
      (
        "- {requirement: DEV-2, reason: x, scenarios: [pairing-*, \"pairing-once[records=3]\"]}", 2, 60,
        "unknown scenario `pairing-once[records=3]`", "pairing-once[records=1]"
      ),
      ("- {requirement: DEV-2, reazon: x}", 2, 26, "reazon", "reason"),
      ("- {requirement: DEV-2, reason: x}\n  - {requirement: DEV-2, reason: z}", 3, 19, "declared twice", nil),
      ("- {requirement: DEV-2}", nil, nil, "reason", nil),
    ] as [(String, Int?, Int?, String, String?)])
  func mistakesAreToldAtTheirPlace(
    entries: String, line: Int?, column: Int?, message: String, suggestion: String?
  ) throws {
    let (defects, diagnostics) = try Self.read("defects:\n  " + entries + "\n")
    #expect(defects == nil)
    let problem = try #require(diagnostics.first { $0.message.contains(message) }, "\(diagnostics)")
    if let line { #expect(problem.location.line == line) }
    if let column { #expect(problem.location.column == column) }
    if let suggestion { #expect(problem.suggestion == suggestion) }
  }

  @Test func scenariosBeyondTheRunAreLookedForOnce() throws {
    let other = try Playing.scenarios(Self.steps, id: "battery-flat")
    var asked = 0
    let text = "defects:\n  - {requirement: DEV-2, reason: x, scenarios: [battery-flat, bettery-flat]}\n"
    let (_, diagnostics) = try Self.read(text) {
      asked += 1
      return other
    }
    #expect(asked == 1)
    #expect(diagnostics.map(\.suggestion) == ["battery-flat"])
  }
}
