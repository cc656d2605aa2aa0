import Foundation
import Ledger
import YAML
import Requirements
import Verdicts
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Timeline
import Trace

@testable import Session

/// Gives the verdicts of a script, one for each attempt at a scenario, and remembers the attempts.
private final class ScriptedPerformer: ScenarioPerformer {
  private let verdicts: Mutex<[String: [Verdict]]>
  private let attempts = Mutex<[String]>([])
  private let neverBegins: [String]

  init(_ verdicts: [String: [Verdict]], neverBegins: [String] = []) {
    self.verdicts = Mutex(verdicts)
    self.neverBegins = neverBegins
  }

  /// Scenario and number of each attempt, in order.
  var performed: [String] { attempts.withLock { $0 } }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    attempts.withLock { $0.append("\(scenario.id) \(settings.repetition)") }
    let verdict = verdicts.withLock { verdicts in
      let next = verdicts[scenario.id]?.first ?? .passed
      if verdicts[scenario.id]?.isEmpty == false { verdicts[scenario.id]?.removeFirst() }
      return next
    }
    var report = ScenarioReport(
      id: scenario.id, title: scenario.title, file: "a.yaml", line: 1, verdict: verdict, replay: "")
    report.repetition = settings.repetition
    report.neverBegan = neverBegins.contains(scenario.id)
    return report
  }
}

/// Remembers what a run writes.
private final class RecordedFiles: RunFiles {
  struct Unwritable: Error {}

  struct State {
    var begun: [String] = []
    var kept: [Int: Bool] = [:]
    var finished: [RunReport] = []
  }

  let state = Mutex(State())
  private let isFull: Bool
  private let losesCaptures: Bool
  private let losesReports: Bool

  init(isFull: Bool = false, losesCaptures: Bool = false, losesReports: Bool = false) {
    self.isFull = isFull
    self.losesCaptures = losesCaptures
    self.losesReports = losesReports
  }

  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? {
    if isFull { throw Unwritable() }
    state.withLock { $0.begun.append("\(name ?? scenario.name) \(number)") }
    return RecordedAttempt(losesCapture: losesCaptures)
  }

  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {
    state.withLock { $0.kept[number] = attempt != nil }
  }

  func finish(_ report: RunReport) throws {
    if losesReports { throw Unwritable() }
    state.withLock { $0.finished.append(report) }
  }
}

private final class RecordedAttempt: AttemptFiles {
  private let losesCapture: Bool
  init(losesCapture: Bool) { self.losesCapture = losesCapture }
  var sinks: [any TraceSink] { [] }
  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}
  func observed(_ event: ProductEvent) {}
  func close(_ report: ScenarioReport, isNews: Bool) throws -> String? {
    if losesCapture { throw RecordedFiles.Unwritable() }
    return "capture.btsnoop"
  }
}

@Suite struct RunSessions {
  private static func scenarios(_ ids: [String]) throws -> [Scenario] {
    let files = ids.map { id in
      SourceFile(path: "\(id).yaml", text: "scenario: \(id)\nid: \(id)\nsteps:\n  - device: {press: 2 s}\n")
    }
    let library = ScenarioLibrary(files: files, vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    try #require(library.scenarios.count == ids.count, "\(library.report.text(colour: false))")
    return library.scenarios
  }

  private static func run(
    _ plan: RunPlan, _ performer: ScriptedPerformer, _ files: RecordedFiles, ids: [String] = ["a", "b"],
    tell: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) throws -> RunReport {
    var session = RunSession(
      plan, RunSession.Setting(program: "test", host: "here", folders: [], catalogue: nil), performer, tell: tell)
    return try session.run(try scenarios(ids)) { _, _ in files }.report
  }

  @Test func everythingIsRunAndKeptOnce() throws {
    let (performer, files) = (ScriptedPerformer(["b": [Sample.failed]]), RecordedFiles())
    let ended = Mutex<[String]>([])
    let report = try Self.run(RunPlan(), performer, files) { event in
      if case .ended(let report) = event { ended.withLock { $0.append(report.id) } }
    }
    #expect(report.scenarios.map(\.verdict) == [.passed, Sample.failed])
    #expect(report.scenarios.map(\.capture) == ["capture.btsnoop", "capture.btsnoop"])
    #expect(ended.withLock { $0 } == ["a", "b"])
    #expect(files.state.withLock { $0.kept } == [0: true, 1: true])
    #expect(files.state.withLock { $0.finished.count } == 1)
    #expect(report.exitCode == .deviceFailed)
  }

  /// A row is in the ledger before anybody is told, and again after a run that was cut off.
  @Test func theLedgerHasEveryResultBeforeItIsTold() throws {
    let folder = NSTemporaryDirectory() + "ledger-\(getpid())-\(#line)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = try RunLedger(.file(folder + "/l"), for: .writing, program: "test") { 5 }
    let told = Mutex<[String]>([])
    for _ in 0..<2 {
      var setting = RunSession.Setting(program: "test", host: "here", folders: [], catalogue: nil)
      setting.ledger = LedgerWriter(
        ledger, .init(run: "r", operatorName: "Ada", program: "test", rules: ""), ScenarioFingerprints([]))
      var plan = RunPlan()
      plan.retries = 1
      var session = RunSession(plan, setting, ScriptedPerformer(["a": [Sample.failed]])) { event in
        guard case .ended(let report) = event else { return }
        let written = (try? ledger.verdicts(of: "r"))?.map { "\($0.key.scenario) \($0.verdict)" } ?? []
        told.withLock { $0.append("\(report.id): \(written.joined(separator: ", "))") }
      }
      _ = try session.run(try Self.scenarios(["a", "b"])) { _, _ in RecordedFiles() }
    }
    let once = ["a: a flaky", "b: a flaky, b passed"]
    #expect(told.withLock { $0 } == once + ["a: a flaky, b passed", "b: a flaky, b passed"])
    #expect(
      try ledger.attempts(of: "r").map { "\($0.key.scenario) \($0.number) \($0.verdict)" } == [
        "a 0 failed", "a 1 passed", "b 0 passed",
      ])
    #expect(try ledger.runs().map(\.status) == [5])
  }

  @Test func retriesHaveNumbersOfTheirOwn() throws {
    var plan = RunPlan()
    plan.retries = 2
    plan.repetitions = 2
    let (performer, files) = (ScriptedPerformer(["a": [Sample.failed]]), RecordedFiles())
    let report = try Self.run(plan, performer, files, ids: ["a"])
    // A repetition has the same number with any number of retries.
    #expect(performer.performed == ["a 0", "a 1000000", "a 1"])
    #expect(report.scenarios.first?.verdict.kind == .flaky)
    // What passes again is counted, and its log is not kept.
    #expect(files.state.withLock { $0.kept } == [0: true, 1: false])
    #expect(report.repetitions?.turns == 2)
  }

  @Test func repetitionsCanBeChosenSingly() throws {
    var plan = RunPlan()
    plan.chosenTurns = [2, 5]
    plan.repetitions = 2
    let performer = ScriptedPerformer([:])
    _ = try Self.run(plan, performer, RecordedFiles(), ids: ["a"])
    #expect(performer.performed == ["a 2", "a 5"])
  }

  @Test func nothingBeginsAfterAFailureWhereThatIsWanted() throws {
    var plan = RunPlan()
    plan.stopsAtFailure = true
    let performer = ScriptedPerformer(["a": [Sample.failed]])
    _ = try Self.run(plan, performer, RecordedFiles())
    #expect(performer.performed == ["a 0"])
  }

  @Test func anInterruptEndsTheRunWithItsReport() throws {
    let plan = RunPlan()
    let (performer, files) = (ScriptedPerformer([:]), RecordedFiles())
    let interruption = plan.settings.interruption
    let report = try Self.run(plan, performer, files) { event in
      if case .ended = event { interruption.request() }
    }
    #expect(performer.performed == ["a 0"])
    #expect(report.isInterrupted)
    #expect(report.unrun == [.init(name: "b", file: "b.yaml")])
    #expect(files.state.withLock { $0.finished.count } == 1)
  }

  @Test func whatNeverBeganIsNoResult() throws {
    let files = RecordedFiles()
    let report = try Self.run(RunPlan(), ScriptedPerformer([:], neverBegins: ["b"]), files)
    #expect(report.scenarios.map(\.id) == ["a"])
    #expect(report.unrun.map(\.name) == ["b"])
    #expect(files.state.withLock { $0.kept } == [0: true])
  }

  @Test func reportsThatCannotBeWrittenAreTheBenchs() throws {
    let report = try Self.run(RunPlan(), ScriptedPerformer([:]), RecordedFiles(isFull: true), ids: ["a"])
    #expect(report.scenarios.first?.verdict.kind == .benchError)
    #expect(report.exitCode == .benchFailed)
  }

  /// A device that failed did so whatever becomes of the files, and nothing is performed twice for their sake.
  @Test(arguments: [(true, false), (false, true)])
  func filesThatCannotBeWrittenHideNoFailureAndRepeatNothing(isFull: Bool, losesCaptures: Bool) throws {
    let performer = ScriptedPerformer(["a": [Sample.failed]])
    let files = RecordedFiles(isFull: isFull, losesCaptures: losesCaptures)
    let lost = Mutex<[String]>([])
    let report = try Self.run(RunPlan(), performer, files, ids: ["a", "b"]) { event in
      if case .filesLost(let scenario, _) = event { lost.withLock { $0.append(scenario) } }
    }
    #expect(performer.performed == ["a 0", "b 0"])
    #expect(report.scenarios.map(\.verdict.kind) == [.failed, .benchError])
    #expect(report.exitCode == .deviceFailed)
    // The verdict of the other one says it.
    #expect(lost.withLock { $0 } == ["a"])
    // The event log does not depend on the capture.
    #expect(files.state.withLock { $0.kept[0] } == losesCaptures)
  }

  @Test func aReportThatCannotBeEndedLeavesWhatWasFound() throws {
    var session = RunSession(
      RunPlan(), RunSession.Setting(program: "test", host: "here", folders: [], catalogue: nil),
      ScriptedPerformer(["a": [Sample.failed]]), tell: { _ in })
    let outcome = try session.run(try Self.scenarios(["a"])) { _, _ in RecordedFiles(losesReports: true) }
    #expect(outcome.trouble is RecordedFiles.Unwritable)
    #expect(outcome.report.exitCode == .deviceFailed)
  }

  @Test func aBenchThatCameBackIsTriedWithAnotherName() throws {
    let scenario = try #require(try Self.scenarios(["a"]).first)
    let (performer, files) = (ScriptedPerformer(["a": [Sample.benchError]]), RecordedFiles())
    let attempts = ScenarioAttempts(scenario, turn: 0, number: 0, RunPlan(), performer, files, isNews: { _ in true }) {
      .init("\($0.reason); opened again", isBack: true)
    }
    let report = try #require(attempts.run()).report
    #expect(files.state.withLock { $0.begun } == ["a 0", "a.again 0"])
    #expect(report.verdict == .passed)
    #expect(report.recovery == "the adapter is gone; opened again")
  }

  @Test func whatAnotherBenchTakesOverIsNotConcluded() throws {
    let scenario = try #require(try Self.scenarios(["a"]).first)
    let (performer, files) = (ScriptedPerformer(["a": [Sample.benchError]]), RecordedFiles())
    func attempts() -> ScenarioAttempts {
      ScenarioAttempts(scenario, turn: 0, number: 0, RunPlan(), performer, files, isNews: { _ in true }) { _ in nil }
    }
    var (first, second) = (attempts(), attempts())
    var left: [ScenarioReport] = []
    first.handsOver = { attempts in
      left = attempts
      return true
    }
    #expect(first.run()?.report.verdict == nil)
    #expect(left.map(\.verdict) == [Sample.benchError])
    second.earlier = left
    let report = try #require(second.run()).report
    #expect(files.state.withLock { $0.begun } == ["a 0", "a.other-bench 0"])
    #expect(report.verdict == .passed)
    #expect(report.attempts == [Sample.benchError, .passed])
  }

  @Test func healthIsAnythingButAPassAgainstTheBench() throws {
    let scenario = try #require(try Self.scenarios(["a"]).first)
    let gate = HealthGate(scenario, ScriptedPerformer(["a": [.passed, Sample.failed]]))
    let files = RecordedFiles()
    #expect(gate.trouble(.before, RunSettings(), files) == nil)
    #expect(gate.trouble(.after, RunSettings(), files) == "the health scenario a ended failed: too late")
    #expect(gate.history.map(\.occasion) == [.before, .after])
    #expect(files.state.withLock { $0.begun } == ["health.a 0", "health.a 1"])
  }
}
