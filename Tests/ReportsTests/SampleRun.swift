import Bytes
import Charts
import HCI
import Timeline
import Trace
import Verdicts

@testable import Reports

/// A run with one scenario of every verdict, and with text that a hostile device or file could have put there.
enum SampleRun {
  static let hostile = "\u{1B}[2J<b>\"&']]>\u{0}\u{202E}evil\u{FFFE}\u{2028}\r\n::error::x|y`z`"

  private static let failure = DeviceFailure(
    judges: .phone, violated: ["APP-2.3.1/never"], reason: "phone 0 asked for the removed record 0000240101120000",
    instant: Instant(nanoseconds: 12_345_678_000), place: "scenarios/library/no-redownload.yaml:17")

  private static let declared = KnownDefect(
    requirement: "DEV-2", reason: "it sleeps too deeply", since: "1.4.2", file: "known.yaml", line: 4)
  private static let repaired = KnownDefect(
    requirement: "APP-2.3.1", scenarios: ["repaired", hostile], reason: hostile, file: "known.yaml", line: 7)

  private static func scenario(
    _ id: String, _ file: String, _ verdict: Verdict, _ requirements: [String] = [], attempts: [Verdict] = [],
    cell: String = "", title: String? = nil
  ) -> ScenarioReport {
    ScenarioReport(
      id: id, title: title ?? "the title of \(id)", file: file, line: 3, cell: cell, requirements: requirements,
      verdict: verdict, attempts: attempts, virtualDuration: .seconds(3_600), wallDuration: .milliseconds(12),
      traceHash: TraceHash("000102030405060708090a0b0c0d0e0f"),
      replay: "dictobench run --seed 1 --name '\(id)\(cell)'")
  }

  static let run: RunReport = {
    var failed = scenario(
      "library-no-redownload", "scenarios/library/no-redownload.yaml", .failed(failure), ["APP-2.3", "APP-2.3.1"],
      cell: "[records=7]")
    failed.chartLogs = [ChartLog("door", TransitionLog(taken: TransitionSet([0])))]
    failed.capture = "captures/library-no-redownload_records=7_.btsnoop"
    failed.lastEvents = ["12.300000  phone 0  fts.list  count=7", "12.345678  phone 0  fts.request  opcode=file-data"]
    var account = FailureAccount(
      place: "scenarios/library/no-redownload.yaml:17:26", excerpt: ["17 |     expect: {downloaded: 0}", "   |  ^"],
      who: "the phone", what: "requirement APP-2.3.1", expected: "never fetched again", found: "fetched " + hostile)
    account.open = ["the phone asks for record 0000240101120000, and the recorder has not answered"]
    account.difference = FirstDifference(
      other: "the same run without the fault", until: "12.345", here: "phone → recorder: asks " + hostile,
      there: "phone: nothing of the kind follows", cause: "phone: fts.request for nothing")
    failed.account = account
    failed.steps = [
      StepReport(
        sentence: "phone: sync", file: "scenarios/library/no-redownload.yaml", line: 16, began: .zero,
        ended: Instant(nanoseconds: 12_345_678_000), outcome: .failed("downloaded: expected 0, found 1", .pair))
    ]
    failed.steps[0].shows = ["APP-2.3.1/never"]
    failed.steps[0].observed = "{downloaded: " + hostile + "}"
    let device = DeviceFailure(judges: .recorder, reason: hostile, instant: .zero)
    let scenarios = [
      scenario(
        "library-no-redownload", "scenarios/library/no-redownload.yaml", .passed, ["APP-2.3", "APP-2.3.1"],
        cell: "[records=1]"),
      failed,
      scenario("hostile-name", "scenarios/hostile/name.yaml", .failed(device), title: hostile),
      scenario("adapter-gone", "scenarios/bench/adapter.yaml", .benchError(BenchTrouble("the adapter is gone"))),
      scenario("a-bug", "scenarios/bench/adapter.yaml", .harnessError(HarnessTrouble("a verb trapped"))),
      scenario("no-button", "scenarios/bench/adapter.yaml", .blocked(capability: "button")),
      scenario(
        "sometimes", "scenarios/bench/adapter.yaml", .flaky(reason: "failed in one of 2 attempts: silence"),
        attempts: [.failed(DeviceFailure(judges: .recorder, reason: "silence", instant: .zero)), .passed]),
      scenario("declared", "scenarios/bench/adapter.yaml", .known(declared, device)),
      scenario("repaired", "scenarios/bench/adapter.yaml", .mended(repaired)),
    ]
    let text = """
      - id: APP-2.3.1
        requires: a record that was removed is never fetched again
        judges: phone
        clauses: {never: while it is there, lasts: "for good"}
        simulated: monitor
      - id: DEV-2
        requires: it advertises
        judges: recorder
        simulated: monitor
      """
    let catalogue = try? RequirementCatalogue(Array(text.utf8))
    var run = RunReport(
      tool: "dictobench 0.1.0", seed: .max, profile: "reference", target: "simulated", host: "bench <1>",
      startedAt: 1_700_000_000, wallDuration: .milliseconds(1_234), scenarios: scenarios,
      requirements: catalogue.map { RequirementResult.of(scenarios, in: $0, target: .simulated) } ?? [])
    let unused = KnownDefect(requirement: "DEV-9", reason: "it ticks", file: "known.yaml", line: 9)
    run.knownDefects = [
      KnownDefectTally(declared, shown: 1), KnownDefectTally(repaired, mended: 1), KnownDefectTally(unused),
      KnownDefectTally(unused, held: 2),
    ]
    run.charts = [door]
    return run
  }()

  /// A chart of which the run took one of two transitions.
  private static let door = ChartOutline(
    name: "door", summary: "A door, <b>.", initial: "shut", states: ["shut", "open"], events: ["pushed", "pulled"],
    transitions: [
      ChartOutline.Transition(source: "shut", event: "pushed", target: "open"),
      ChartOutline.Transition(source: "open", event: "pulled", target: "shut"),
    ])

  static let events: [ScenarioEventLog] = {
    var log = ScenarioEventLog("library-no-redownload[records=7]")
    let wall: Int64 = 1_700_000_000_500_000
    log.stepStarted("phone: sync", file: "scenarios/library/no-redownload.yaml", line: 16, at: .zero, wall: wall)
    let peer = BluetoothAddress(0xC001_0203_0405, .random)
    let instant = Instant(nanoseconds: 1_500_000_999)
    for (name, details) in [
      (
        "link.up",
        [
          EventDetail("role", "central"), .init("intervalMicroseconds", 30_000), .init("latency", 0),
          .init("supervisionMilliseconds", 4_000),
        ]
      ),
      ("battery.read", [.init("percent", 84)]), ("packet.malformed", [.init("reason", hostile)]),
    ] {
      log.observed(
        ReportedEvent(at: instant, from: .phone(), link: 1, peer: peer, name: name, details: details), wall: wall)
    }
    log.stepFinished(run.scenarios[1].steps[0], wall: wall)
    log.finished(run.scenarios[1], wall: wall)
    return [log]
  }()

  /// The file of events, whole.
  static var eventLog: [UInt8] {
    var lines = EventLines()
    return lines.beginning(of: run) + events.flatMap { lines.numbered(EventLines.rests(of: $0)) } + lines.end(of: run)
  }

  static let story = RunStory(run)

  /// A place in which nothing is printed and nothing is in the environment.
  static func place(_ folder: ReportFolder?) -> ReportPlace {
    ReportPlace(folder: folder, style: .plain, environment: { _ in nil }, say: { _ in })
  }

  /// A run on a bench with everything that a report can hold.
  static let fullRun: RunReport = {
    var run = SampleRun.run
    run.target = "hardware"
    run.profile = nil
    run.fault = "air:" + hostile
    run.isUncovered = true
    run.isInterrupted = true
    run.requiresAll = true
    var scenario = run.scenarios[1]
    scenario.tags = ["smoke", hostile]
    scenario.repetition = 3
    scenario.attempts = [scenario.verdict, .passed, .blocked(capability: hostile), .mended(repaired)]
    scenario.virtualDuration = .nanoseconds(34_560_000_000_123_457)
    scenario.wallDuration = .nanoseconds(1)
    scenario.traceHash = nil
    scenario.prompts = [
      OperatorPrompt("press it", asked: .zero, answered: Instant(nanoseconds: 1_700_000_001), answer: hostile),
      OperatorPrompt("again", asked: Instant(nanoseconds: 7), answered: nil, answer: nil),
    ]
    scenario.recovery = "the cable \(hostile)"
    scenario.leftover = "the battery is flat"
    var step = scenario.steps[0]
    step.answer = StepReport.Answer(question: "Is it red?", isYes: true, text: hostile, answeredAt: 1_700_000_000)
    let outcomes: [StepOutcome] = [
      .passed, .failed(hostile, .recorder), .blocked("button"), .benchError("cable"), .harnessError("bug"), .skipped,
    ]
    scenario.steps = outcomes.map { outcome in
      var step = step
      step.outcome = outcome
      return step
    }
    scenario.steps[5].shows = ["APP-2.3.1/lasts", hostile]
    scenario.steps[5].isDecided = false
    let declaration = MonitorDeclaration(
      "DEV-2", "it advertises", judges: .recorder, shows: [hostile], needsWorld: "a simulated world")
    let violation = MonitorViolation(
      requirement: "DEV-2", judges: .recorder, instant: Instant(nanoseconds: 9), reason: hostile)
    let seen: [RequirementOutcome] = [
      .violated(hostile), .shown, .partlyShown(missing: [hostile]), .notJudged(hostile), .notExercised,
      .notObservable("dark"),
    ]
    scenario.findings = seen.map { outcome in
      MonitorFinding(
        declaration: declaration, outcome: outcome, preconditions: 3, met: 2,
        firstMet: Instant(nanoseconds: 1_500_000_999),
        violations: [violation])
    }
    run.scenarios[1] = scenario
    var bench = BenchRecord(place: "shelf \(hostile)", parts: [.init("controller", hostile)])
    bench.health = [HealthReport(.recovery, scenario.verdict, capture: "captures/health.btsnoop")]
    run.bench = bench
    var tally = RepetitionTally(id: "library-no-redownload", cell: "[records=7]")
    for verdict in run.scenarios.map(\.verdict) { tally.count([verdict]) }
    run.repetitions = RunReport.Repetitions(turns: 9, tallies: [tally], unlisted: 4)
    return run
  }()
}
