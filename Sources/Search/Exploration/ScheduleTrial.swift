import Requirements
import Runner
import ScenarioLanguage
import Verdicts
import YAML

/// What a run of a schedule came to.
package struct TrialOutcome: Sendable {
  /// How it failed; `nil` for a run in which nothing was found.
  package var failure: TrialFailure?
  /// What it reached.
  package var reached: Set<Landmark>
  /// How many of its steps were performed.
  package var performed: Int

  package init(failure: TrialFailure? = nil, reached: Set<Landmark> = [], performed: Int) {
    self.failure = failure
    self.reached = reached
    self.performed = performed
  }
}

/// Runs schedules. Tests put a scripted one in the place of ``SimulatedTrials``.
package protocol ScheduleTrials: Sendable {
  /// Runs a schedule as the scenario that it is written as, on the calling thread. `repetition` changes its chances.
  func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome
}

/// Runs schedules in simulated worlds.
package struct SimulatedTrials: ScheduleTrials {
  private let vocabulary: Vocabulary
  private let settings: RunSettings
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary

  /// Trials with these settings, of which the catalogue and the vocabulary belong together.
  package init(
    _ settings: RunSettings, vocabulary: Vocabulary, sounds: any SoundLibrary, firmware: any FirmwareLibrary
  ) {
    self.settings = settings
    self.vocabulary = vocabulary
    self.sounds = sounds
    self.firmware = firmware
  }

  package func run(_ schedule: Schedule, as text: ScheduleText, repetition: Int) -> TrialOutcome {
    let file = SourceFile(path: text.id + ".yaml", text: text.text(of: schedule))
    let library = ScenarioLibrary(files: [file], vocabulary: vocabulary)
    guard let scenario = library.scenarios.first, library.diagnostics.isEmpty else {
      let trouble = "lint refuses a schedule: \(library.report.text())"
      return TrialOutcome(failure: TrialFailure([], trouble, .harness, "every schedule is a scenario"), performed: 0)
    }
    var settings = settings
    settings.repetition = repetition
    let follower = StateFollower()
    let report = ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run(observer: follower)
    var reached = follower.landmarks
    for log in report.chartLogs {
      for number in log.log.taken.numbers { reached.insert(.transition(chart: log.chart, number: number)) }
    }
    let performed = report.steps.lastIndex { $0.outcome != .skipped }.map { $0 + 1 } ?? 0
    return TrialOutcome(failure: TrialFailure(report), reached: reached, performed: performed)
  }
}
