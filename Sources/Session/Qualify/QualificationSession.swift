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
  /// One target of the plan, or one way to update a modelled recorder to the firmware.
  package struct Column: Sendable {
    /// Its name.
    package let name: String
    /// What it is.
    let target: QualificationPlan.Target
    /// How its scenarios are run; `nil` where they cannot be.
    let plan: RunPlan?
    /// Why they cannot be run; `nil` where they can.
    let waiting: String?
    /// Why it is not certain that they are run with the firmware; `nil` where it is.
    let unidentified: String?
    /// Its scenarios; `nil` for those of the plan.
    let scenarios: [Scenario]?

    /// A target.
    package init(
      _ target: QualificationPlan.Target, plan: RunPlan? = nil, waiting: String? = nil, unidentified: String? = nil
    ) {
      name = target.rawValue
      self.target = target
      self.plan = plan
      self.waiting = waiting
      self.unidentified = unidentified
      scenarios = nil
    }

    /// The way from a release, by its name, and the scenarios that go it.
    package init(updateFrom release: String, plan: RunPlan, _ scenarios: [Scenario]) {
      name = "update from \(release)"
      target = .modelled
      self.plan = plan
      waiting = nil
      unidentified = nil
      self.scenarios = scenarios
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
  private let performer: any ScenarioPerformer
  private let archive: any FailureArchive
  private let setting: Setting
  private let tell: @Sendable (RunEvent) -> Void
  private let fingerprints: ScenarioFingerprints

  /// A session over the scenarios of a library that the plan selects.
  package init(
    _ plan: QualificationPlan, _ columns: [Column], _ ledger: RunLedger, _ library: ScenarioLibrary,
    _ performer: any ScenarioPerformer, _ archive: any FailureArchive, _ setting: Setting,
    tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.columns = columns
    self.ledger = ledger
    scenarios = plan.select(library.scenarios)
    fingerprints = ScenarioFingerprints(library.files, reading: performer)
    self.performer = performer
    self.archive = archive
    self.setting = setting
    self.tell = tell
  }

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
    let name = column.name
    let scenarios = column.scenarios ?? scenarios
    guard let run = column.plan else {
      let target = Qualification.Target(
        name: name, scenarios: scenarios.count, judged: 0, waiting: column.waiting ?? "cannot be tried")
      return Learned(column: .init(target, column.target.kind, []))
    }
    let trial = Trial(column: column, plan: run, subject: setting.results(of: run), scenarios: scenarios)
    var results = try read(trial)
    let missing = scenarios.filter { results[$0, 0]?.isDecided != true }
    if setting.onlyReads {
      // Only who runs can try again what was blocked.
      let missing = missing.filter { results[$0, 0]?.isBlocked != true }
      guard let first = missing.first else { return try tell(trial, results) }
      throw Failure.missing(missing.count, total: scenarios.count, first: first.name, target: name)
    }
    try perform(missing.filter { setting.shard?.contains($0) ?? true }, run)
    results = try read(trial)
    return try tell(trial, results)
  }

  /// What is tried in one column.
  private struct Trial {
    var column: Column
    var plan: RunPlan
    var subject: LedgerResults.Subject
    var scenarios: [Scenario]
  }

  private func read(_ trial: Trial) throws(LedgerFailure) -> LedgerResults {
    try LedgerResults(ledger, about: trial.subject, trial.scenarios, fingerprints)
  }

  /// Runs scenarios, from a repetition on. The archive explains their failures unless an earlier repetition is explained.
  private func perform(
    _ scenarios: [Scenario], _ plan: RunPlan, from turn: Int = 0, count: Int = 1, explains: Bool = true
  ) throws {
    guard !scenarios.isEmpty, !plan.settings.interruption.isRequested else { return }
    var plan = plan
    plan.firstTurn = turn
    plan.repetitions = count
    let writer = LedgerWriter(ledger, setting.subject(plan.target), fingerprints)
    var setting = setting.run
    setting.ledger = writer
    var session = RunSession(plan, setting, performer, tell: tell)
    let outcome = try session.run(scenarios) { plan, heading in
      let digest = digest(plan)
      return try archive.files(heading, of: plan) { explains ? digest($0, $1) : nil }
    }
    if let trouble = outcome.trouble { throw trouble }
    if let trouble = writer.trouble { throw trouble }
  }

  /// How the failures of a run are found again in the archive.
  private func digest(_ plan: RunPlan) -> @Sendable (Scenario, ScenarioReport) -> String? {
    { [fingerprints, subject = setting.results(of: plan)] scenario, report in
      FailureDigest.text(
        subject, scenarioHash: fingerprints[scenario], verdict: report.verdict.kind.rawValue,
        traceHash: report.traceHash?.description)
    }
  }

  /// What explains a failure. One that the archive does not hold is run again where that leads to the same failure.
  private func record(
    of verdict: LedgerVerdict, _ scenario: Scenario, _ trial: Trial
  ) throws -> FailureRecord? {
    let digest = FailureDigest.text(
      trial.subject, scenarioHash: verdict.scenarioHash, verdict: verdict.verdict, traceHash: verdict.traceHash)
    guard let digest else { return nil }
    if let record = archive.record(of: scenario.name, digest) { return record }
    guard trial.plan.target != .hardware, !setting.onlyReads, setting.shard?.contains(scenario) ?? true else {
      return FailureRecord(missing: "capture and trace page are in the folder of the qualification that ran it")
    }
    let interruption = trial.plan.settings.interruption
    let interrupted = FailureRecord(missing: "interrupted before it was run again for its trace page")
    if interruption.isRequested { return interrupted }
    var again = trial.plan
    again.firstTurn = verdict.key.repetition
    again.repetitions = 1
    var session = RunSession(again, setting.run, performer) { _ in }
    let outcome = try session.run([scenario]) { plan, heading in
      try archive.files(heading, of: plan, digest: self.digest(plan))
    }
    if let trouble = outcome.trouble { throw trouble }
    if let record = archive.record(of: scenario.name, digest) { return record }
    if interruption.isRequested { return interrupted }
    guard outcome.report.scenarios.first?.traceHash?.description == verdict.traceHash else {
      return FailureRecord(missing: "run again for its trace page, it did not come to the same trace")
    }
    return FailureRecord(missing: "its capture, trace page and story could not be written")
  }

  /// Puts together what the ledger holds, after the repetitions that are still needed.
  private func tell(_ trial: Trial, _ known: LedgerResults) throws -> Learned {
    var results = known
    let kind = trial.column.target.kind
    var target = Qualification.Target(name: trial.column.name, scenarios: trial.scenarios.count, judged: 0)
    target.unidentified = trial.column.unidentified
    var statements: [RequirementStatement] = []
    var learned = Learned(column: .init(target, kind, []))
    learned.hosts = results.hosts
    for scenario in trial.scenarios {
      guard let first = results[scenario, 0] else { continue }
      if first.isDecided { target.judged += 1 }
      // What is blocked on this target has its verdict, though it is tried again the next time.
      if first.isBlocked {
        let reason = first.verdict.reason ?? "blocked"
        target.blocked?.append(.init(scenario.name, reason: reason, requirements: scenario.requirements))
      }
      learned.figures += first.figures
      var told = [first]
      let quarantine = plan.quarantine(of: scenario, on: setting.today)
      let isFlaky = first.verdict.verdict == Verdict.Kind.flaky.rawValue
      if let question = plan.question(about: scenario), !first.isBlocked {
        let isOurs = setting.shard?.contains(scenario) ?? true
        let test = try repeated(scenario, question, trial, &results, mayRun: isOurs && !setting.onlyReads)
        let result = RepeatResult(scenario.name, on: target.name, test, quarantine: quarantine)
        learned.repeats.append(result)
        told = (0..<max(1, test.total)).compactMap { results[scenario, $0] }
        statements += Self.statements(told, of: result, scenario)
      } else {
        statements += isFlaky && quarantine != nil ? Self.letBe(first.statements) : first.statements
      }
      guard let verdict = told.first(where: { !$0.isGood })?.verdict else { continue }
      let violated = Set(told.flatMap(\.statements).filter { $0.kind == .violated }.map(\.requirement))
      learned.failures.append(
        Qualification.Failure(
          scenario: scenario.name, target: target.name, verdict: verdict.verdict, reason: verdict.reason ?? "",
          record: try record(of: verdict, scenario, trial), violated: violated.sorted(),
          quarantine: isFlaky ? quarantine : nil))
    }
    learned.column = .init(target, kind, statements)
    return learned
  }

  /// Repeats a scenario until its failure rate is known.
  private func repeated(
    _ scenario: Scenario, _ question: SequentialTest.Question, _ trial: Trial, _ results: inout LedgerResults,
    mayRun: Bool
  ) throws -> SequentialTest {
    var test = SequentialTest(question)
    var turn = 0
    var isExplained = false
    while true {
      while test.decision == .undecided, let result = results[scenario, turn] {
        test.take(result.trial)
        isExplained = isExplained || !result.isGood
        turn += 1
      }
      guard test.decision == .undecided, mayRun, !trial.plan.settings.interruption.isRequested else { return test }
      let turns = turn..<min(turn + Self.batch, question.limit)
      try perform([scenario], trial.plan, from: turn, count: turns.count, explains: !isExplained)
      try results.take(scenario, turns, of: setting.subject(trial.plan.target).run, from: ledger)
    }
  }

  /// Repetitions that are begun together. What comes after a decision is kept, and changes nothing.
  private static let batch = 16

  /// What a flaky scenario in quarantine says besides that it is flaky.
  private static func letBe(_ statements: [RequirementStatement]) -> [RequirementStatement] {
    statements.filter { $0.kind != .violated && $0.kind != .notJudged }
  }

  /// What the repetitions say. A flaky scenario in quarantine violates nothing; one that was not decided shows nothing.
  private static func statements(
    _ told: [LedgerResults.Result], of result: RepeatResult, _ scenario: Scenario
  ) -> [RequirementStatement] {
    let all = told.flatMap(\.statements)
    switch result.ending {
    case .passed, .failed: return all
    case .flaky: return result.isBad ? all : letBe(all)
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
  fileprivate var isGood: Bool { FailureDigest.isGood(verdict.verdict) }

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

  /// How its runs are set up, without a ledger.
  fileprivate var run: RunSession.Setting {
    RunSession.Setting(program: tool, host: host, folders: [], catalogue: catalogue)
  }

  /// What results of a run are about.
  fileprivate func results(of plan: RunPlan) -> LedgerResults.Subject {
    LedgerResults.Subject(
      program: subject.program, target: plan.target.rawValue, firmware: plan.firmware, rules: subject.rules,
      seed: plan.settings.seed)
  }
}
