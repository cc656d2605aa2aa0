import Bench
import Foundation
import Reports
import Runner
import ScenarioLanguage
import Timeline
import Verdicts

/// One `run` from the chosen scenarios to the last report.
struct RunSession {
  private var request: RunRequest
  private let console: Console
  private let health: RunHealth?

  init(_ request: RunRequest, _ console: Console, _ health: RunHealth? = nil) {
    self.request = request
    self.console = console
    self.health = health
  }

  /// Runs the scenarios, writes the reports, and says what to tell the shell.
  mutating func run(_ scenarios: [Scenario]) throws -> ExitCode {
    let began = MachineClock.monotonicNanoseconds()
    var report = RunReport(
      tool: Tool.description, seed: request.settings.seed, profile: request.profileName,
      target: request.target.rawValue, host: ProcessInfo.processInfo.hostName,
      startedAt: MachineClock.secondsSince1970(), requiresAll: request.requiresAll)
    report.isUncovered = request.settings.isUncovered
    report.fault = request.settings.fault?.text
    let reports = try RunReports(request, report, console)
    if request.settings.isUncovered { console.note("WARNING: captures and hashes hold keys and recordings") }
    if let health, isBenchReady, let trouble = health.trouble(.before, request, reports) {
      console.note("bench: \(trouble)")
      request.settings.benchTrouble = trouble
    }
    let progress = Progress(console, total: request.budget == nil ? scenarios.count * request.repetitions : nil)
    let catalogue = try Vocabularies.catalogue()
    let sounds = SoundFiles()
    let firmware = FirmwareFiles()
    let ledger = RepetitionLedger(scenarios.map { ($0.id, $0.cell.description) })
    let runs = ParallelRuns(jobs: request.jobs) { [request] in
      Interruption.isRequested || (request.stopsAtFailure && ledger.hasDeviceFailed)
    }
    let results = runs.runTurns(
      of: scenarios.count, while: { [request] turn in turn == 0 || request.begins(turn, after: began) }
    ) { [request, health] turn, index -> ScenarioReport? in
      let attempts = ScenarioAttempts(
        scenarios[index], turn: turn, number: turn * scenarios.count + index, request, sounds, firmware, reports,
        health)
      let result = attempts.run()
      progress.ended(result)
      return ledger.take(result, index, turn: turn)
    }
    progress.finish()
    if let health, isBenchReady { _ = health.trouble(.after, request, reports) }
    report.scenarios = results.compactMap { $0 }
    report.wallDuration = .nanoseconds(Int64(MachineClock.monotonicNanoseconds() - began))
    report.isInterrupted = Interruption.isRequested
    report.bench = request.settings.hardware.map(BenchRecord.init)
    report.bench?.health = health?.history ?? []
    if request.isRepeated { report.repetitions = ledger.repetitions }
    if let catalogue {
      report.requirements = RequirementResult.of(report.scenarios, in: catalogue, target: request.target)
    }
    try reports.finish(report)
    return report.exitCode
  }

  /// Whether there is a bench on which something can be learned.
  private var isBenchReady: Bool {
    let settings = request.settings
    return settings.benchTrouble == nil && settings.hardware?.trouble == nil && !settings.interruption.isRequested
  }
}

/// All attempts at one scenario.
private struct ScenarioAttempts {
  let scenario: Scenario
  let turn: Int
  let number: Int
  let request: RunRequest
  let sounds: SoundFiles
  let firmware: FirmwareFiles
  let reports: RunReports
  let health: RunHealth?

  init(
    _ scenario: Scenario, turn: Int, number: Int, _ request: RunRequest, _ sounds: SoundFiles,
    _ firmware: FirmwareFiles, _ reports: RunReports, _ health: RunHealth?
  ) {
    self.scenario = scenario
    self.turn = turn
    self.number = number
    self.request = request
    self.sounds = sounds
    self.firmware = firmware
    self.reports = reports
    self.health = health
  }

  /// Tries until it passes or the retries are used up; all attempts are kept.
  func run() -> ScenarioReport {
    var attempts: [ScenarioReport] = []
    let nothing = ScenarioEventLog(scenario.name)
    var log: ScenarioEventLog?
    var (turns, recovery) = (0, String?.none)
    repeat {
      attempts.append(attempt(turns, &log))
      turns += 1
      if recovery == nil, let done = bringBack(after: attempts[attempts.count - 1].verdict) {
        recovery = done.words
        if done.isBack { attempts.append(attempt(turns - 1, &log, isAgain: true)) }
      }
    } while turns <= request.retries && attempts[attempts.count - 1].verdict != .passed
      && !Interruption.isRequested
    var report = attempts.first { $0.verdict.kind != .benchError } ?? attempts[0]
    report.recovery = recovery
    report.attempts = attempts.map(\.verdict)
    report.verdict = Verdict.of(attempts: report.attempts)
    let isKept = RepetitionLedger.keepsAll(report, turn: turn)
    do {
      try reports.keep(isKept ? log ?? nothing : nothing, number: number)
    } catch {
      report.verdict = unwritable(error)
    }
    return report
  }

  /// Brings the bench back, once, after it failed in a scenario, and never after anything else; what was done, and
  /// whether the scenario can be tried again.
  private func bringBack(after verdict: Verdict) -> (words: String, isBack: Bool)? {
    let settings = request.settings
    guard case .benchError(let failure) = verdict, let target = settings.hardware, settings.benchTrouble == nil,
      target.trouble == nil, !settings.interruption.isRequested
    else { return nil }
    do {
      let words = "\(failure.reason); \(try target.recover(settings.interruption))"
      if let trouble = health?.trouble(.recovery, request, reports) { return ("\(words); \(trouble)", false) }
      return (words, true)
    } catch {
      guard case .bench(let sentence) = error else { return ("\(error)", false) }
      return ("\(failure.reason); it could not be brought back: \(sentence)", false)
    }
  }

  private func attempt(_ count: Int, _ log: inout ScenarioEventLog?, isAgain: Bool = false) -> ScenarioReport {
    var settings = request.settings
    settings.repetition = turn * (request.retries + 1) + count
    let run = ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware)
    do {
      guard
        let follower = try reports.follow(
          scenario, settings.repetition, as: isAgain ? scenario.name + ".again" : nil)
      else { return run.run() }
      var report = run.run(sinks: follower.sinks, observer: follower)
      report.capture = try follower.close(report)
      log = follower.log
      return report
    } catch {
      var report = run.run()
      report.verdict = unwritable(error)
      return report
    }
  }

  private func unwritable(_ error: any Error) -> Verdict {
    .benchError(BenchTrouble("the reports cannot be written: \(error)"))
  }
}

extension BenchRecord {
  /// What is known of a bench after a run.
  fileprivate init(_ target: HardwareTarget) {
    let adapters = target.controllers.map { Part("controller", "\($0)") }
    let recorders = target.recorders.map { Part("recorder", $0.address.description) }
    let traits = (target.controllerIdentity.traits + target.traits).map { Part($0.name, $0.value) }
    self.init(place: target.place, parts: adapters + recorders + traits)
  }
}

extension RunRequest {
  /// Whether a turn, from 0, begins, when the first began at `start` of the machine's clock.
  fileprivate func begins(_ turn: Int, after start: UInt64) -> Bool {
    guard turn < repetitions else { return false }
    guard let budget else { return true }
    return Duration.nanoseconds(Int64(MachineClock.monotonicNanoseconds() - start)) < budget
  }
}
