import Foundation
import Runner
import ScenarioLanguage
import Synchronization
import Testing
import Trace
import Verdicts
import World
import YAML

@testable import Ledger
@testable import Session

/// Gives each repetition of a scenario the verdict of a script, and counts them.
private final class Repeater: ScenarioPerformer {
  let turns = Mutex<[Int]>([])
  private let verdict: @Sendable (Int) -> Verdict

  init(_ verdict: @escaping @Sendable (Int) -> Verdict) { self.verdict = verdict }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    turns.withLock { $0.append(settings.repetition) }
    return ScenarioReport(
      id: scenario.id, title: "", file: "a.yaml", line: 1, verdict: verdict(settings.repetition), replay: "")
  }
}

/// Keeps nothing.
private struct NoArchive: FailureArchive, RunFiles {
  func files(
    _ heading: RunReport, of plan: RunPlan, digest: @escaping @Sendable (Scenario, ScenarioReport) -> String?
  ) -> any RunFiles { self }
  func record(of scenario: String, _ digest: String) -> FailureRecord? { nil }
  func begin(_ scenario: Scenario, _ number: Int, as name: String?) -> (any AttemptFiles)? { nil }
  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) {}
  func finish(_ report: RunReport) {}
}

/// A store that counts the rows that are read.
private final class CountingStore: LedgerStore {
  private let store: SQLiteStore
  private let rows: RowCount

  init(_ path: String, _ rows: RowCount) throws {
    store = try SQLiteStore(path, makes: true)
    self.rows = rows
  }

  var name: String { store.name }
  func run(_ statement: String, _ values: [LedgerValue]) throws(LedgerFailure) -> [LedgerRow] {
    let found = try store.run(statement, values)
    rows.count.withLock { $0 += found.count }
    return found
  }
  func begin() throws(LedgerFailure) { try store.begin() }
  func commit() throws(LedgerFailure) { try store.commit() }
  func rollback() { store.rollback() }
  func hasTable(_ name: String) throws(LedgerFailure) -> Bool { try store.hasTable(name) }
  func sealing(_ table: String) -> [String] { store.sealing(table) }
  func reconnect() -> Bool { store.reconnect() }
}

private final class RowCount: Sendable {
  let count = Mutex(0)
}

@Suite struct RepeatedQualifications {
  private static let library = ScenarioLibrary(
    files: [SourceFile(path: "a.yaml", text: "scenario: a\nid: a\nsteps:\n  - device: {press: 2 s}\n")],
    vocabulary: DictofunVocabulary.vocabulary(requirements: []))

  /// Qualifies with repetitions up to a limit; returns what is said, and how many rows were read.
  private static func qualify(
    atMost limit: Int, _ performer: Repeater, in ledger: String, as run: String = "q", onlyReads: Bool = false,
    _ interruption: RunInterruption = RunInterruption()
  ) throws -> (qualification: Qualification, rows: Int) {
    let text = "repeat:\n  - {scenarios: [a], below: 1 %, confidence: 99 %, at-most: \(limit)}"
    let (plan, problems) = QualificationPlan.read(
      SourceFile(path: "plan.yaml", text: text), requirements: [], scenarios: library.scenarios, releases: [])
    let rows = RowCount()
    let store = try CountingStore(ledger, rows)
    let catalogue = try RequirementCatalogue(Array("- id: DEV-1\n  requires: it works\n  judges: recorder\n".utf8))
    var setting = QualificationSession.Setting(
      subject: .init(run: run, operatorName: "Ada", program: "p", rules: "r"), tool: "p", host: "here",
      catalogue: catalogue, today: "2026-01-01")
    setting.onlyReads = onlyReads
    var base = RunPlan()
    base.jobs = 2
    base.settings.interruption = interruption
    let session = QualificationSession(
      try #require(plan, "\(problems)"), [.init(.modelled, plan: base)],
      try RunLedger(store, program: "test") { 5 }, library, performer, NoArchive(), setting
    ) { _ in }
    return (try session.run(firmware: "f"), rows.count.withLock { $0 })
  }

  private static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "repeated-\(getpid())-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func fourTimesTheRepetitionsReadFourTimesTheRows() throws {
    try Self.inFolder { folder in
      let few = try Self.qualify(atMost: 50, Repeater { _ in .passed }, in: folder + "/few").rows
      let many = try Self.qualify(atMost: 200, Repeater { _ in .passed }, in: folder + "/many").rows
      #expect(many < 5 * few)
    }
  }

  /// A qualification that goes on says what one without an interruption says, and runs only what is missing.
  @Test func whatGoesOnSaysTheSame() throws {
    let verdict: @Sendable (Int) -> Verdict = { turn in
      turn == 20 ? Sample.failed : turn == 30 ? Sample.benchError : .passed
    }
    try Self.inFolder { folder in
      let whole = try Self.qualify(atMost: 70, Repeater(verdict), in: folder + "/whole").qualification
      _ = try Self.qualify(atMost: 25, Repeater(verdict), in: folder + "/parts", as: "first")
      let rest = Repeater(verdict)
      let parts = try Self.qualify(atMost: 70, rest, in: folder + "/parts", as: "second").qualification
      #expect(parts == whole)
      #expect(whole.repeats.map { [$0.judged, $0.failed, $0.benchErrors] } == [[69, 1, 1]])
      #expect(rest.turns.withLock { $0.sorted() } == Array(25..<70))
    }
  }

  /// A bench did not fail because somebody ended the run.
  @Test func whatWasInterruptedIsTriedAgain() throws {
    try Self.inFolder { folder in
      let interruption = RunInterruption()
      let ended = Repeater { turn in
        guard turn == 3 else { return .passed }
        interruption.request()
        return Sample.benchError
      }
      _ = try Self.qualify(atMost: 20, ended, in: folder + "/l", as: "first", interruption)
      let rest = Repeater { _ in .passed }
      let all = try Self.qualify(atMost: 20, rest, in: folder + "/l", as: "second").qualification
      #expect(rest.turns.withLock { $0.contains(3) })
      #expect(all.repeats.map { [$0.judged, $0.benchErrors] } == [[20, 0]])
    }
  }

  /// What was blocked is told apart from what was judged, also when shards are put together, and is tried again.
  @Test func whatIsBlockedIsTriedAgain() throws {
    try Self.inFolder { folder in
      let blocked = Repeater { _ in .blocked(capability: "a button") }
      let first = try Self.qualify(atMost: 20, blocked, in: folder + "/l", as: "first").qualification
      #expect(first.targets.map(\.judged) == [0])
      #expect(first.targets.first?.blocked?.map(\.scenario) == ["a"])
      #expect(first.targets.first?.blocked?.first?.reason.contains("a button") == true)
      #expect(first.answer == .provisional)
      let merged = try Self.qualify(atMost: 20, blocked, in: folder + "/l", as: "merge", onlyReads: true)
      #expect(merged.qualification.targets.map(\.blocked?.count) == [1])
      let again = Repeater { _ in .passed }
      let second = try Self.qualify(atMost: 20, again, in: folder + "/l", as: "second").qualification
      #expect(again.turns.withLock { $0.contains(0) })
      #expect(second.repeats.map(\.judged) == [20])
      #expect(second.targets.map(\.blocked) == [[]])
    }
  }

  /// What a run with retries wrote counts once for each repetition: none of them is one of its other attempts.
  @Test func retriesAreNoFurtherRepetitions() throws {
    let verdict: @Sendable (Int) -> Verdict = { $0 == 1 ? Sample.failed : .passed }
    try Self.inFolder { folder in
      let ledger = try RunLedger(.file(folder + "/l"), for: .writing, program: "test") { 5 }
      var setting = RunSession.Setting(program: "p", host: "here", folders: [], catalogue: nil)
      setting.ledger = LedgerWriter(
        ledger, .init(run: "run", operatorName: "Ada", program: "p", rules: "r"),
        ScenarioFingerprints(Self.library.files))
      var plan = RunPlan()
      (plan.retries, plan.repetitions) = (1, 10)
      let attempts = Repeater(verdict)
      var session = RunSession(plan, setting, attempts) { _ in }
      _ = try session.run(Self.library.scenarios) { _, _ in NoArchive() }
      let first = attempts.turns.withLock { $0.filter { $0 < AttemptNumber.repetitions } }
      #expect(first == Array(0..<10))
      #expect(attempts.turns.withLock { $0.count } == 11)
      let rest = Repeater(verdict)
      _ = try Self.qualify(atMost: 12, rest, in: folder + "/l")
      #expect(rest.turns.withLock { $0.sorted() } == [10, 11])
    }
  }
}
