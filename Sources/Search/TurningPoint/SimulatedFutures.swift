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

  /// Why the run that belongs to the seed is not one that failed.
  package enum NotFailed: Error, Hashable {
    /// It passed.
    case passed
    /// It ended before phone and recorder were judged, for this reason.
    case unjudged(String)
  }

  /// The run that belongs to the seed.
  package func failedRun() throws(NotFailed) -> FailedRun {
    let recorder = MomentRecorder()
    let verdict = run(settings, recorder).verdict
    switch verdict {
    case .failed(let failure):
      // Whatever happened after the failure cannot have caused it.
      return FailedRun(reason: failure.reason, moments: recorder.moments.filter { $0.instant <= failure.instant })
    case .blocked: throw .unjudged("it is blocked: \(verdict.reason ?? "")")
    case .harnessError(let trouble): throw .unjudged("the harness failed: \(trouble.reason)")
    case .benchError(let trouble): throw .unjudged("the bench failed: \(trouble.reason)")
    case .passed, .flaky, .known, .mended: throw .passed
    }
  }

  package func fails(after events: Int, number: UInt64) -> Bool {
    var settings = settings
    settings.future = FutureDraw(after: events, number: number)
    return run(settings, nil).verdict.kind == .failed
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
