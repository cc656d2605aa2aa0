import Ledger
import Runner
import ScenarioLanguage
import Text
import Verdicts
import YAML

/// Finds out what a release needs to know: runs what the ledger does not hold yet, and puts together what it holds.
///
/// The ledger is the only memory. A session that was killed goes on where it stopped, shards share one ledger or are merged
/// from several, and what is told is always read from the ledger.
package struct QualificationSession {
  /// One target of the plan.
  package struct Column: Sendable {
    /// Its name.
    package var target: QualificationPlan.Target
    /// How its scenarios are run; `nil` where they cannot be.
    package var plan: RunPlan?
    /// Why they cannot be run; `nil` where they can.
    package var waiting: String?

    package init(_ target: QualificationPlan.Target, plan: RunPlan? = nil, waiting: String? = nil) {
      self.target = target
      self.plan = plan
      self.waiting = waiting
    }
  }

  /// Where and for whom it takes place.
  package struct Setting: Sendable {
    /// How its runs are entered in the ledger.
    package var subject: LedgerWriter.Subject
    /// Name and version of the program, for the document.
    package var tool: String
    /// Name of the machine.
    package var host: String
    /// The requirements.
    package var catalogue: RequirementCatalogue
    /// The day, as `2026-12-31`.
    package var today: String
    /// The share of the scenarios that is this machine's; `nil` for all.
    package var shard: Shard?
    /// Whether nothing is run: every result must be in the ledger.
    package var onlyReads = false

    package init(
      subject: LedgerWriter.Subject, tool: String, host: String, catalogue: RequirementCatalogue, today: String
    ) {
      self.subject = subject
      self.tool = tool
      self.host = host
      self.catalogue = catalogue
      self.today = today
    }
  }

  /// Why nothing could be told.
  package enum Failure: Error, CustomStringConvertible {
    /// Results are missing that somebody else should have written.
    case missing(Int, total: Int, first: String, target: String)
    /// The ledger failed.
    case ledger(LedgerFailure)

    package var description: String {
      switch self {
      case .missing(let count, let total, let first, let target):
        "the ledgers hold no result of \(count) of \(total) scenarios on \(target), such as \(first): a shard is missing, or "
          + "was interrupted"
      case .ledger(let failure): "\(failure)"
      }
    }
  }

  private let plan: QualificationPlan
  private let columns: [Column]
  private let ledger: RunLedger
  private let scenarios: [Scenario]
  private let sources: [SourceFile]
  private let performer: any ScenarioPerformer
  private let setting: Setting
  private let tell: @Sendable (RunEvent) -> Void
  private let fingerprints: ScenarioFingerprints

  /// A session over the scenarios of a library that the plan selects.
  package init(
    _ plan: QualificationPlan, _ columns: [Column], _ ledger: RunLedger, _ library: ScenarioLibrary,
    _ performer: any ScenarioPerformer, _ setting: Setting, tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.columns = columns
    self.ledger = ledger
    scenarios = plan.select(library.scenarios)
    sources = library.files
    fingerprints = ScenarioFingerprints(library.files)
    self.performer = performer
    self.setting = setting
    self.tell = tell
  }

  /// Whether the plan selects nothing.
  package var isEmpty: Bool { scenarios.isEmpty }

  /// Runs what is missing, and tells what is known of the firmware.
  ///
  /// - Throws: ``Failure``.
  package func run(firmware: String) throws -> Qualification {
    do {
      var learned: [Learned] = []
      for column in columns { learned.append(try learn(column)) }
      let judge = QualificationJudge(setting.catalogue, waivers: plan.waivers, today: setting.today)
      var qualification = Qualification(
        tool: setting.tool, firmware: firmware, plan: plan.file, seed: plan.seed, day: setting.today,
        targets: learned.map(\.column.target), rows: judge.rows(learned.map(\.column), of: plan.requirements),
        failures: learned.flatMap(\.failures), repeats: learned.flatMap(\.repeats))
      qualification.figures = learned.flatMap { MeasuredFigure.of($0.figures, on: $0.column.target.name) }
      let hosts = Array(Set(learned.flatMap(\.hosts))).sorted()
      qualification.environment = hosts.map { Qualification.Circumstance("machine", $0) }
      return qualification
    } catch let failure as LedgerFailure {
      throw Failure.ledger(failure)
    }
  }

  /// What is known of one column.
  private struct Learned {
    var column: QualificationJudge.Column
    var failures: [Qualification.Failure] = []
    var repeats: [RepeatResult] = []
    var figures: [Figure] = []
    var hosts: [String] = []
  }

  private func learn(_ column: Column) throws -> Learned {
    let name = column.target.rawValue
    guard let run = column.plan else {
      let target = Qualification.Target(
        name: name, scenarios: scenarios.count, judged: 0, waiting: column.waiting ?? "cannot be tried")
      return Learned(column: .init(target, column.target.kind, []))
    }
    let subject = LedgerResults.Subject(
      program: setting.subject.program, target: run.target.rawValue, firmware: run.firmware,
      rules: setting.subject.rules, seed: run.settings.seed)
    var results = try read(subject)
    let missing = scenarios.filter { results[$0, 0]?.isDecided != true }
    if setting.onlyReads {
      guard let first = missing.first else { return try tell(column, run, results, subject) }
      throw Failure.missing(missing.count, total: scenarios.count, first: first.name, target: name)
    }
    try perform(missing.filter { setting.shard?.contains($0) ?? true }, run)
    results = try read(subject)
    return try tell(column, run, results, subject)
  }

  private func read(_ subject: LedgerResults.Subject) throws(LedgerFailure) -> LedgerResults {
    try LedgerResults(ledger, about: subject, scenarios, fingerprints)
  }

  /// Runs scenarios, from a repetition on.
  private func perform(_ scenarios: [Scenario], _ plan: RunPlan, from turn: Int = 0, count: Int = 1) throws {
    guard !scenarios.isEmpty, !plan.settings.interruption.isRequested else { return }
    var plan = plan
    plan.firstTurn = turn
    plan.repetitions = count
    let writer = LedgerWriter(ledger, setting.subject(plan.target), sources: sources)
    var setting = RunSession.Setting(
      program: setting.tool, host: setting.host, folders: [], catalogue: setting.catalogue)
    setting.ledger = writer
    var session = RunSession(plan, setting, performer, tell: tell)
    _ = try session.run(scenarios) { _, _ in NoFiles() }
    if let trouble = writer.trouble { throw trouble }
  }

  /// Puts together what the ledger holds, after the repetitions that are still needed.
  private func tell(
    _ column: Column, _ run: RunPlan, _ known: LedgerResults, _ subject: LedgerResults.Subject
  ) throws -> Learned {
    var results = known
    var target = Qualification.Target(name: column.target.rawValue, scenarios: scenarios.count, judged: 0)
    var statements: [RequirementStatement] = []
    var learned = Learned(column: .init(target, column.target.kind, []))
    learned.hosts = results.hosts
    for scenario in scenarios {
      guard let first = results[scenario, 0] else { continue }
      if first.isDecided { target.judged += 1 }
      learned.figures += first.figures
      var told = [first]
      if let question = plan.question(about: scenario), first.verdict.verdict != Verdict.Kind.blocked.rawValue {
        let isOurs = setting.shard?.contains(scenario) ?? true
        let test = try repeated(scenario, question, run, &results, subject, mayRun: isOurs && !setting.onlyReads)
        let result = RepeatResult(
          scenario.name, on: target.name, test, quarantine: plan.quarantine(of: scenario, on: setting.today))
        learned.repeats.append(result)
        told = (0..<max(1, test.total)).compactMap { results[scenario, $0] }
        statements += Self.statements(told, of: result, scenario)
      } else {
        statements += first.statements
      }
      learned.failures +=
        told.first { !$0.isGood }.map {
          [
            Qualification.Failure(
              scenario: scenario.name, target: target.name, verdict: $0.verdict.verdict,
              reason: $0.verdict.reason ?? "")
          ]
        } ?? []
    }
    learned.column = .init(target, column.target.kind, statements)
    return learned
  }

  /// Repeats a scenario until its failure rate is known.
  private func repeated(
    _ scenario: Scenario, _ question: SequentialTest.Question, _ run: RunPlan, _ results: inout LedgerResults,
    _ subject: LedgerResults.Subject, mayRun: Bool
  ) throws -> SequentialTest {
    while true {
      var test = SequentialTest(question)
      var turn = 0
      while test.decision == .undecided, let result = results[scenario, turn] {
        test.take(result.trial)
        turn += 1
      }
      guard test.decision == .undecided, mayRun, !run.settings.interruption.isRequested else { return test }
      try perform([scenario], run, from: turn, count: min(Self.batch, question.limit - turn))
      results = try read(subject)
    }
  }

  /// Repetitions that are begun together. What comes after a decision is kept, and changes nothing.
  private static let batch = 16

  /// What the repetitions say. A flaky scenario in quarantine violates nothing; one that was not decided shows nothing.
  private static func statements(
    _ told: [LedgerResults.Result], of result: RepeatResult, _ scenario: Scenario
  ) -> [RequirementStatement] {
    let all = told.flatMap(\.statements)
    switch result.ending {
    case .passed, .failed: return all
    case .flaky: return result.isBad ? all : all.filter { $0.kind != .violated && $0.kind != .notJudged }
    case .notJudged:
      return all.filter { $0.kind == .violated || $0.kind == .known }
        + scenario.requirements.map {
          RequirementStatement($0, .notJudged, source: scenario.name, reason: "\(scenario.name): \(result.sentence)")
        }
    }
  }
}

extension LedgerResults.Result {
  /// Whether nothing has to be told of it.
  fileprivate var isGood: Bool {
    [Verdict.Kind.passed, .blocked].map(\.rawValue).contains(verdict.verdict)
  }

  /// What it is to a sequential test. A declared failure is as expected.
  fileprivate var trial: SequentialTest.Trial {
    switch Verdict.Kind(rawValue: verdict.verdict) {
    case .passed?, .known?, .mended?: .good
    case .failed?, .flaky?: .bad
    case .benchError?, .harnessError?, .blocked?, nil: .benchError
    }
  }
}

extension QualificationPlan.Target {
  /// What runs call it.
  fileprivate var kind: TargetKind {
    switch self {
    case .modelled: .simulated
    case .image: .image
    case .hardware: .hardware
    }
  }
}

extension QualificationSession.Setting {
  /// How the runs on a target are entered in the ledger.
  fileprivate func subject(_ target: TargetKind) -> LedgerWriter.Subject {
    var subject = subject
    subject.run += "-\(target.rawValue)"
    return subject
  }
}

/// Writes nothing: the ledger has everything.
private struct NoFiles: RunFiles {
  func begin(_ scenario: Scenario, _ number: Int, as name: String?) throws -> (any AttemptFiles)? { nil }
  func keep(_ attempt: (any AttemptFiles)?, of scenario: Scenario, number: Int) throws {}
  func finish(_ report: RunReport) throws {}
}
