import ImageRecorder
import Processor
import Requirements
import Runner
import ScenarioLanguage
import Verdicts
import YAML

/// What a run of a schedule came to.
package struct TrialOutcome: Sendable {
  /// How it failed; empty for a run in which nothing was found.
  package var failures: [TrialFailure]
  /// What it reached.
  package var reached: Set<Landmark>
  /// The instructions that the recorders executed; `nil` for the model, which executes none.
  package var executed: Coverage?
  /// What the run lacked, so that it says nothing; `nil` for a run that could be made.
  package var lack: String?
  /// How many of its steps were performed.
  package var performed: Int
  /// Whether somebody ended it before its time, so that it says nothing.
  package private(set) var isInterrupted = false

  /// The outcome of a run that somebody ended before its time.
  package static var interrupted: TrialOutcome {
    var outcome = TrialOutcome(performed: 0)
    outcome.isInterrupted = true
    return outcome
  }

  package init(
    failures: [TrialFailure] = [], reached: Set<Landmark> = [], executed: Coverage? = nil, lack: String? = nil,
    performed: Int
  ) {
    self.failures = failures
    self.reached = reached
    self.executed = executed
    self.lack = lack
    self.performed = performed
  }

  /// The failure for this reason; `nil` where it did not fail for it.
  func failure(for cause: TrialCause) -> TrialFailure? { failures.first { $0.cause == cause } }

  /// Whether the schedule may be changed further: it was performed to its end.
  var isWhole: Bool { lack == nil && !failures.contains(where: \.endsSteps) }
}

/// Runs schedules. Tests put a scripted one in the place of ``SimulatedTrials``.
package protocol ScheduleTrials: Sendable {
  /// Runs a schedule as the scenario that it is written as, on the calling thread. `repetition` changes its chances. Once
  /// somebody has asked for an end, every outcome is ``TrialOutcome/interrupted``.
  func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome
}

/// Runs schedules in simulated worlds.
package struct SimulatedTrials: ScheduleTrials {
  private let vocabulary: Vocabulary
  private let settings: RunSettings
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary
  private let image: ImageProgram?

  /// Trials with these settings, of which the catalogue and the vocabulary belong together. With an image the recorders
  /// execute it, under the name of the settings' program.
  package init(
    _ settings: RunSettings, executing image: ImageProgram? = nil, vocabulary: Vocabulary,
    sounds: any SoundLibrary, firmware: any FirmwareLibrary
  ) {
    self.settings = settings
    self.image = image
    self.vocabulary = vocabulary
    self.sounds = sounds
    self.firmware = firmware
  }

  package func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome {
    let file = SourceFile(path: text.id + ".yaml", text: text.text(of: schedule))
    let library = ScenarioLibrary(files: [file], vocabulary: vocabulary)
    guard let scenario = library.scenarios.first, library.diagnostics.isEmpty else {
      let trouble = "lint refuses a schedule: \(library.report.text())"
      return TrialOutcome(
        failures: [TrialFailure([], trouble, .harness, "every schedule is a scenario")], performed: 0)
    }
    if settings.interruption.isRequested { return .interrupted }
    var settings = settings
    settings.repetition = repetition
    let ledger = CoverageLedger()
    if let image {
      settings.program = image.recorderProgram(named: settings.program.name, telling: ledger, scenario: text.id)
    }
    let follower = StateFollower()
    let report = ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run(observer: follower)
    // A run that had just ended by itself is given up with the others.
    if settings.interruption.isRequested { return .interrupted }
    var reached = follower.landmarks
    for log in report.chartLogs {
      for number in log.log.taken.numbers { reached.insert(.transition(chart: log.chart, number: number)) }
    }
    let performed = report.steps.lastIndex { $0.outcome != .skipped }.map { $0 + 1 } ?? 0
    return TrialOutcome(
      failures: TrialFailure.all(in: report, besides: settings.known), reached: reached,
      executed: ledger.executed(by: text.id),
      lack: report.verdict.lack, performed: performed)
  }
}

extension Verdict {
  /// What a scenario lacked that was blocked; `nil` for any other.
  fileprivate var lack: String? {
    if case .blocked(let capability) = self { capability } else { nil }
  }
}
