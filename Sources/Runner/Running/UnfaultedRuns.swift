import ScenarioLanguage
import Synchronization
import Verdicts

/// What scenarios come to without a fault. One that fails then would fail with any fault, so it notices none.
///
/// A scenario, or the cell of one, is run when it is first asked for, at most once unless threads ask at the same time.
/// What it comes to does not depend on who asks.
package final class UnfaultedRuns: Sendable {
  private let settings: RunSettings
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary
  private let known = Mutex<[String: Bool]>([:])

  /// Runs with these settings, and without their faults.
  package init(_ settings: RunSettings, sounds: any SoundLibrary, firmware: any FirmwareLibrary) {
    var settings = settings
    settings.faults = []
    settings.generated = nil
    self.settings = settings
    self.sounds = sounds
    self.firmware = firmware
  }

  /// Whether a scenario passes without a fault.
  package func passes(_ scenario: Scenario) -> Bool {
    if let known = known.withLock({ $0[scenario.name] }) { return known }
    let passes = ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run().verdict == .passed
    known.withLock { $0[scenario.name] = passes }
    return passes
  }

  /// Those of the scenarios that were asked for and fail without a fault, a sentence each.
  package func failures(among scenarios: [Scenario]) -> [String] {
    known.withLock { known in scenarios.filter { known[$0.name] == false }.map { Self.sentence($0) } }
  }

  /// Why a scenario notices nothing.
  static func sentence(_ scenario: Scenario) -> String { "\(scenario.name) fails without a fault" }
}
