import Verdicts
import Runner
import ScenarioLanguage
import Trace

/// Runs one attempt at a scenario. Tests put a scripted one in the place of ``ScenarioRun``.
package protocol ScenarioPerformer: Sendable {
  /// Runs it on the calling thread.
  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport
}

/// Runs scenarios in a simulated world or on a bench.
package struct LivePerformer: ScenarioPerformer {
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary

  package init(sounds: any SoundLibrary, firmware: any FirmwareLibrary) {
    self.sounds = sounds
    self.firmware = firmware
  }

  package func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run(sinks: sinks, observer: observer)
  }
}
