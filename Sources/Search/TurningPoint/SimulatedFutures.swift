import Requirements
import Runner
import ScenarioLanguage
import Timeline
import Verdicts

/// Runs one scenario again and again in simulated worlds.
package struct SimulatedFutures: FutureTrials {
  private let scenario: Scenario
  private let settings: RunSettings
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary

  /// Futures of a scenario with these settings, whose seed chooses the run that is looked at.
  package init(
    _ scenario: Scenario, _ settings: RunSettings, sounds: any SoundLibrary, firmware: any FirmwareLibrary
  ) {
    self.scenario = scenario
    self.settings = settings
    self.sounds = sounds
    self.firmware = firmware
  }

  /// The run that belongs to the seed; `nil` where it does not fail.
  package func failedRun() -> FailedRun? {
    let recorder = MomentRecorder()
    let report = run(settings, recorder)
    guard report.verdict != .passed else { return nil }
    let end = report.verdict.failure?.instant ?? .zero
    // Whatever happened after the failure cannot have caused it.
    let moments = recorder.moments.filter { report.verdict.failure == nil || $0.instant <= end }
    return FailedRun(reason: report.verdict.reason ?? report.verdict.kind.rawValue, moments: moments)
  }

  package func fails(after events: Int, number: UInt64) -> Bool {
    var settings = settings
    settings.future = FutureDraw(after: events, number: number)
    return run(settings, nil).verdict != .passed
  }

  private func run(_ settings: RunSettings, _ observer: MomentRecorder?) -> ScenarioReport {
    ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run(observer: observer)
  }
}

/// Keeps the events of a run that are worth a sentence.
private final class MomentRecorder: RunObserver {
  private(set) var moments = [RunMoment(events: 0, at: .zero, "the beginning")]
  private var count = 0

  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  func stepFinished(_ report: StepReport) {}

  func observed(_ event: ProductEvent) {
    count += 1
    guard let told = event.reported else { return }
    moments.append(RunMoment(events: count, at: event.instant, "\(told.who): \(told.words)"))
  }
}
