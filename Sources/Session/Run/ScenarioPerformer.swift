import Crypto
import Runner
import ScenarioLanguage
import Synchronization
import Trace
import Verdicts

/// Runs one attempt at a scenario. Tests put a scripted one in the place of ``ScenarioRun``.
package protocol ScenarioPerformer: Sendable {
  /// Runs it on the calling thread.
  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport

  /// The digests of the sounds and packages that a scenario names, one after the other, as they are read for it. Empty
  /// where it names none.
  func digests(ofNamesIn scenario: Scenario) -> [UInt8]
}

extension ScenarioPerformer {
  /// Nothing is read.
  package func digests(ofNamesIn scenario: Scenario) -> [UInt8] { [] }
}

/// Runs scenarios in a simulated world or on a bench.
package struct LivePerformer: ScenarioPerformer {
  private let sounds: any SoundLibrary
  private let firmware: any FirmwareLibrary
  private let digests = NameDigests()

  package init(sounds: any SoundLibrary, firmware: any FirmwareLibrary) {
    self.sounds = sounds
    self.firmware = firmware
  }

  package func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    ScenarioRun(scenario, settings, sounds: sounds, firmware: firmware).run(sinks: sinks, observer: observer)
  }

  package func digests(ofNamesIn scenario: Scenario) -> [UInt8] {
    scenario.thingsNamed.flatMap { thing in digests.digest(of: thing) { thing.content(sounds, firmware) } }
  }
}

/// The digests of what scenarios name, each computed once.
private final class NameDigests: Sendable {
  private let known = Mutex<[NamedThing: [UInt8]]>([:])

  func digest(of thing: NamedThing, _ content: () -> [UInt8]) -> [UInt8] {
    if let digest = known.withLock({ $0[thing] }) { return digest }
    let digest = SHA256.digest(content())
    known.withLock { $0[thing] = digest }
    return digest
  }
}
