import Requirements
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Timeline
import Trace
import Verdicts
import World

@testable import Reports
@testable import Session

/// Writes the event log of a run as its folder would have it.
private final class LogWriter: RunObserver {
  var log: ScenarioEventLog

  init(_ name: String) { log = ScenarioEventLog(name) }

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}
  func observed(_ event: ProductEvent) {
    if let reported = event.reported { log.observed(reported, wall: 0) }
  }
}

/// Remembers with which settings it was asked.
private final class AskedPerformer: ScenarioPerformer {
  let settings = Mutex<[RunSettings]>([])

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    self.settings.withLock { $0.append(settings) }
    return ScenarioReport(id: "a", title: "A", file: "a.yaml", line: 1, verdict: .passed, replay: "")
  }
}

/// With what a run is compared that fails.
@Suite struct BaselineRunning {
  private static func scenario() throws -> Scenario {
    try triedScenario("    expect: {downloaded: 7}\n  - device: {press: 2 s}\n")
  }

  @Test func aFailingRunDoesNotDifferFromItself() throws {
    let scenario = try Self.scenario()
    let plan = RunPlan()
    let performer = LivePerformer(sounds: NoSounds(), firmware: NoPackages())
    let writer = LogWriter(scenario.name)
    let report = performer.perform(scenario, plan.settings, sinks: [], observer: writer)
    try #require(report.verdict.kind == .failed)
    writer.log.finished(report, wall: 0)
    var lines = EventLines()
    let logs = RecordedEvents(lines.numbered(EventLines.rests(of: writer.log))).scenarios
    try #require(logs[scenario.name]?.first?.entries.isEmpty == false)
    let run = RunReport(
      tool: "test", seed: 1, profile: "reference", target: "simulated", host: "here", startedAt: 0, scenarios: [report])
    let baseline = BaselineRun(name: "old", report: run) { logs[$0] ?? [] }
    let references = ReferenceRuns(plan: plan, performer: performer, baseline: baseline)
    #expect(references.difference(of: report, scenario) == nil)
  }

  /// A declared defect would make a reference run that passes one that has to be mended.
  @Test func theReferenceIsNotDeclaredToHaveTheDefects() throws {
    var plan = RunPlan()
    plan.settings.profile = .published
    plan.settings.known = KnownDefects([
      KnownDefect(requirement: "DEV-10", reason: "it admits anybody", file: "known.yaml", line: 1)
    ])
    let performer = AskedPerformer()
    var report = ScenarioReport(
      id: "try", title: "A", file: "a.yaml", line: 1,
      verdict: .failed(DeviceFailure(judges: .recorder, reason: "too late", instant: .zero)), replay: "")
    report.traceHash = TraceHash("000102030405060708090a0b0c0d0e0f")
    report.account = FailureAccount(
      place: "a.yaml:3:5", excerpt: [], who: "the recorder", what: "a list", expected: "2", found: "3")
    let references = ReferenceRuns(plan: plan, performer: performer, baseline: nil)
    _ = references.difference(of: report, try Self.scenario())
    let asked = performer.settings.withLock { $0 }
    #expect(asked.map(\.profile) == [.published, .reference])
    #expect(asked.map(\.known) == [plan.settings.known, KnownDefects()])
  }
}
