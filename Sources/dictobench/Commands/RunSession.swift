import Foundation
import Reports
import Requirements
import Runner
import ScenarioLanguage
import Timeline
import Trace

/// One `run` from the chosen scenarios to the last report.
struct RunSession {
  let request: RunRequest
  let console: Console

  init(_ request: RunRequest, _ console: Console) {
    self.request = request
    self.console = console
  }

  /// Runs the scenarios, writes the reports, and says what to tell the shell.
  func run(_ scenarios: [Scenario]) throws -> ExitCode {
    Interruption.listen()
    let startedAt = MachineClock.secondsSince1970()
    let began = MachineClock.monotonicNanoseconds()
    let reports = try ReportFolder(request)
    let progress = Progress(console, count: scenarios.count * request.repetitions)
    let catalogue = try Vocabularies.catalogue()
    let sounds = SoundFiles()
    let work = (0..<request.repetitions).flatMap { turn in scenarios.map { (turn, $0) } }
    let runs = ParallelRuns(jobs: request.jobs) { Interruption.isRequested }
    let results = runs.run(work.count) { index in
      let (turn, scenario) = work[index]
      let result = ScenarioAttempts(scenario, turn: turn, request, sounds, reports).run(number: index)
      progress.ended(result)
      return result
    }
    progress.finish()
    let ended = results.compactMap { $0 }
    var report = RunReport(
      tool: Tool.description, seed: request.settings.seed, profile: request.settings.profile.name,
      target: request.target.rawValue, host: ProcessInfo.processInfo.hostName, startedAt: startedAt,
      wallDuration: .nanoseconds(Int64(MachineClock.monotonicNanoseconds() - began)),
      isInterrupted: ended.count < results.count, requiresAll: request.requiresAll, scenarios: ended)
    if let catalogue { report.requirements = RequirementResult.of(ended, in: catalogue, target: request.target) }
    try reports.finish(report)
    console.out(ConsoleSummary.text(report, folder: request.out))
    return report.exitCode
  }
}

/// All attempts at one scenario.
private struct ScenarioAttempts {
  let scenario: Scenario
  let turn: Int
  let request: RunRequest
  let sounds: SoundFiles
  let reports: ReportFolder

  init(_ scenario: Scenario, turn: Int, _ request: RunRequest, _ sounds: SoundFiles, _ reports: ReportFolder) {
    self.scenario = scenario
    self.turn = turn
    self.request = request
    self.sounds = sounds
    self.reports = reports
  }

  /// Tries until it passes or the retries are used up; all attempts are kept.
  func run(number: Int) -> ScenarioReport {
    var attempts: [ScenarioReport] = []
    repeat {
      var settings = request.settings
      settings.repetition = turn * (request.retries + 1) + attempts.count
      let sinks = reports.sinks(for: scenario, number: number, attempt: attempts.count)
      var report = ScenarioRun(scenario, settings, sounds: sounds).run(sinks: sinks.all)
      report.capture = sinks.close(report)
      attempts.append(report)
    } while attempts.count <= request.retries && attempts[attempts.count - 1].verdict != .passed
    var report = attempts[0]
    report.attempts = attempts.map(\.verdict)
    report.verdict = Verdict.of(attempts: report.attempts)
    return report
  }
}
