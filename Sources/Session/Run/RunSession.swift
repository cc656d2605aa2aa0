import Bench
import Verdicts
import Runner
import ScenarioLanguage
import Timeline
import World

/// One run: from the check of the bench to the last report.
package struct RunSession {
  /// What a run came to.
  package struct Outcome: Sendable {
    /// The report that was written.
    package var report: RunReport
    /// What to remember of the benches; empty unless real recorders were run and all went well.
    package var goodRuns: [(run: GoodRun, bench: String)]
    /// Why not all reports of the whole run could be written; `nil` where they were.
    package var trouble: (any Error)?
  }

  /// Who runs, where, and what is written besides the captures.
  package struct Setting: Sendable {
    /// Name and version of the program, such as `dictobench 0.1.0`.
    package var program: String
    /// Name of the machine.
    package var host: String
    /// Folders whose free space is checked before a run on a bench.
    package var folders: [String]
    /// The requirements that the report lists; `nil` for none.
    package var catalogue: RequirementCatalogue?
    /// An earlier run with which this one is compared; `nil` for none.
    package var baseline: BaselineRun?
    /// Where results are written before they are told; `nil` for nowhere.
    package var ledger: LedgerWriter?

    package init(program: String, host: String, folders: [String], catalogue: RequirementCatalogue?) {
      self.program = program
      self.host = host
      self.folders = folders
      self.catalogue = catalogue
    }
  }

  private var plan: RunPlan
  private let setting: Setting
  private let performer: any ScenarioPerformer
  /// The benches of the run; one lane without a bench for a simulated run.
  private var lanes: [RunLane]
  private let tell: @Sendable (RunEvent) -> Void

  /// A session that tells `tell` what happens. `health` are the health scenarios of the benches, in their order.
  package init(
    _ plan: RunPlan, _ setting: Setting, _ performer: any ScenarioPerformer, health: [Scenario?] = [],
    tell: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.setting = setting
    self.performer = performer
    lanes = RunLane.lanes(of: plan, health, performer)
    self.tell = tell
  }

  /// Runs the scenarios. `files` begins the files of a run of which only the beginning is known.
  ///
  /// - Throws: what `files` throws, when the reports cannot be begun; `LedgerFailure` when the run cannot be entered in
  ///   the ledger.
  package mutating func run(
    _ scenarios: [Scenario], files: (RunPlan, RunReport) throws -> any RunFiles
  ) throws -> Outcome {
    for index in lanes.indices {
      lanes[index].check(setting, tell)
      lanes[index].compareTwins(scenarios, performer, tell)
    }
    if plan.target == .app { tell(.judgingApplication) }
    let began = MachineClock.monotonicNanoseconds()
    var report = heading
    try setting.ledger?.begin(plan, report, BenchRecord(allOf: lanes)).map(tell)
    let beats = setting.ledger?.pulse?.start()
    defer {
      beats?.cancel()
      setting.ledger?.pulse?.beat(isLast: true)
    }
    let files = try files(lanes[0].plan, report)
    if plan.settings.isUncovered { tell(.uncovered) }
    for index in lanes.indices { lanes[index].checkHealth(files, tell) }
    let ledger = RepetitionLedger(scenarios.map { ($0.id, $0.cell.description) })
    report.scenarios = perform(scenarios, files, ledger, began)
    // Of the first repetition all is in the report.
    let begun = Set(report.scenarios.map(\.name))
    report.unrun = scenarios.filter { !begun.contains($0.name) }.map { .init(name: $0.name, file: $0.location.file) }
    report.baseline = setting.baseline.map { BaselineChange(report, since: $0.report, in: $0.name) }
    for lane in lanes where lane.isReady { _ = lane.health?.trouble(.after, lane.plan.settings, files) }
    report.wallDuration = .nanoseconds(Int64(MachineClock.monotonicNanoseconds() - began))
    report.isInterrupted = plan.settings.interruption.isRequested
    report.bench = lanes[0].record
    report.furtherBenches = lanes.dropFirst().compactMap(\.record)
    if plan.isRepeated { report.repetitions = ledger.repetitions }
    report.knownDefects = plan.settings.known.tallies(over: report.scenarios)
    if let catalogue = setting.catalogue {
      report.requirements = RequirementResult.of(report.scenarios, in: catalogue, target: plan.target)
    }
    setting.ledger?.end(report.exitCode)
    var outcome = Outcome(report: report, goodRuns: lanes.compactMap { $0.preflight?.goodRun($0.plan, report) })
    // What was found stays found.
    do { try files.finish(report) } catch { outcome.trouble = error }
    return outcome
  }

  /// What is known of the run before it begins.
  private var heading: RunReport {
    var report = RunReport(
      tool: setting.program, seed: plan.settings.seed, profile: plan.profileName, target: plan.target.rawValue,
      host: setting.host, startedAt: MachineClock.secondsSince1970(), requiresAll: plan.requiresAll)
    report.isUncovered = plan.settings.isUncovered
    report.image = plan.image
    if plan.settings.phone != .reference { report.phone = plan.settings.phone.rawValue }
    report.fault = plan.settings.faults.text
    report.part = plan.part
    report.charts = StateCharts.outlines
    return report
  }

  private mutating func perform(
    _ scenarios: [Scenario], _ files: any RunFiles, _ ledger: RepetitionLedger, _ began: UInt64
  ) -> [ScenarioReport] {
    tell(.started(total: plan.span == nil ? scenarios.count * plan.repetitions : nil))
    defer { tell(.finished) }
    let budget = RepetitionBudget(repetitions: plan.repetitions, span: plan.span, startingAt: began)
    let book = setting.ledger
    let isStopped = { @Sendable [plan] in
      plan.settings.interruption.isRequested || (plan.stopsAtFailure && ledger.hasDeviceFailed)
        || book?.trouble != nil
    }
    let begins = { @Sendable turn in budget.begins(turn, at: MachineClock.monotonicNanoseconds()) }
    let references = ReferenceRuns(plan: lanes[0].plan, performer: performer, baseline: setting.baseline)
    let work = {
      @Sendable [performer, tell]
      (
        lane: RunLane, turn: Int, index: Int, earlier: [ScenarioReport], handsOver: @escaping ([ScenarioReport]) -> Bool
      ) -> (ScenarioReport, isNews: Bool)? in
      let (plan, health) = (lane.plan, lane.health)
      var attempts = ScenarioAttempts(
        scenarios[index], turn: plan.turn(after: turn), number: turn * scenarios.count + index, plan, performer, files,
        references, ledger: book, isNews: { ledger.isNews($0, index, turn: turn) }
      ) { plan.bringBack(after: $0, health, files) }
      (attempts.earlier, attempts.handsOver) = (earlier, handsOver)
      attempts.lost = { tell(.filesLost(scenarios[index].name, reason: "\($0)")) }
      let ended = if let pulse = book?.pulse { pulse.during(attempts.run) } else { attempts.run() }
      guard let (report, isNews) = ended else { return nil }
      var result = report
      result.place = plan.places.isEmpty ? index : plan.places[index]
      result.bench = lane.name
      tell(.ended(result))
      return (result, isNews)
    }
    guard lanes.count > 1 else {
      let runs = ParallelRuns(jobs: plan.jobs, isStopped: isStopped)
      return runs.runTurns(of: scenarios.count, while: begins) { [lane = lanes[0]] turn, index -> ScenarioReport? in
        guard let (result, isNews) = work(lane, turn, index, [], { _ in false }) else { return nil }
        return ledger.take(result, index, turn: turn, isNews: isNews)
      }.compactMap { $0 }
    }
    let spread = BenchSpread(scenarios, over: lanes, isStopped: isStopped, tell: tell)
    let results = spread.runTurns(while: begins) { [lanes] lane, place, earlier in
      let ended = work(lanes[lane], place.turn, place.index, earlier) { spread.handsOver(lane, place, $0) }
      guard let (result, isNews) = ended else { return nil }
      return (result, ledger.take(result, place.index, turn: place.turn, isNews: isNews))
    }
    for (index, trouble) in spread.troubles.enumerated() { lanes[index].lateTrouble = trouble }
    return results
  }
}

extension RunPlan {
  /// Brings the bench back after it failed in a scenario. Returns `nil` where there is no bench to bring back.
  fileprivate func bringBack(
    after trouble: BenchTrouble, _ health: HealthGate?, _ files: any RunFiles
  ) -> AttemptSequence.Recovery? {
    guard let bench = settings.hardware, self.trouble == nil, !settings.interruption.isRequested else { return nil }
    do {
      let words = "\(trouble.reason); \(try bench.recover(settings.interruption))"
      guard let ill = health?.trouble(.recovery, settings, files) else { return .init(words, isBack: true) }
      return .init("\(words); \(ill)", isBack: false)
    } catch {
      guard case .bench(let sentence) = error else { return .init("\(error)", isBack: false) }
      return .init("\(trouble.reason); it could not be brought back: \(sentence)", isBack: false)
    }
  }
}
