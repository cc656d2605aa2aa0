import Runner
import ScenarioLanguage
import SecureDFU
import Testing
import Trace
import Verdicts
import World
import YAML

@testable import Session

struct NoSounds: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] { [0] }
}

struct NoPackages: FirmwareLibrary {
  func catalogue() throws(ControlFailure) -> FirmwareCatalogue { throw .impossible("no firmware") }
  func package(_ name: String) throws(ControlFailure) -> [UInt8] { [] }
}

/// The scenario of a phone that fetches two records; `further` are more lines of it.
func triedScenario(_ further: String = "") throws -> Scenario {
  let text = """
    scenario: tried by a test
    id: try
    verifies: [APP-1.1]
    given:
      device: {records: {count: 2}}
      phone: {bonded: true}
    steps:
      - phone: sync

    """
  let vocabulary = DictofunVocabulary.vocabulary(requirements: ["APP-1.1"])
  let file = SourceFile(path: "try.yaml", text: text + further)
  let library = ScenarioLibrary(files: [file], vocabulary: vocabulary)
  try #require(library.diagnostics.isEmpty, "\(library.report.text())")
  return try #require(library.scenarios.first)
}

/// A failing run under a fault is compared with the same run without it.
@Suite struct ReferenceRunning {
  private static func report(fault: String) throws -> ScenarioReport {
    let scenario = try triedScenario()
    var plan = RunPlan()
    plan.settings.faults = [try #require(PlantedFault(fault))]
    let performer = LivePerformer(sounds: NoSounds(), firmware: NoPackages())
    let references = ReferenceRuns(plan: plan, performer: performer, baseline: nil)
    var report = performer.perform(scenario, plan.settings, sinks: [], observer: nil)
    let difference = references.difference(of: report, scenario)
    report.account?.difference = difference
    return report
  }

  @Test func theFirstDifferenceIsTheDefect() throws {
    let difference = try #require(try Self.report(fault: "recorder:list-count-off-by-one").account?.difference)
    #expect(difference.other == "the same run without the fault")
    #expect(difference.here.contains("3 records announced, 2 present so far"))
    #expect(difference.there.contains("sends the list of files: 2 records"))
  }

  @Test func silenceIsADifferenceToo() throws {
    let difference = try #require(try Self.report(fault: "recorder:never-advertises").account?.difference)
    #expect(difference.here.hasPrefix("recorder: nothing of the kind follows; the last event is at "))
    #expect(difference.there.hasPrefix("recorder: begins to advertise, every "))
  }

  @Test func whatPassesIsNotCompared() throws {
    #expect(try Self.report(fault: "phone:forgets-refusals").account == nil)
  }

  /// Where the run beside the failure is interrupted is not where the failure began.
  @Test func whatIsInterruptedIsNotCompared() throws {
    let scenario = try triedScenario()
    var plan = RunPlan()
    plan.settings.faults = [try #require(PlantedFault("recorder:list-count-off-by-one"))]
    let performer = LivePerformer(sounds: NoSounds(), firmware: NoPackages())
    let report = performer.perform(scenario, plan.settings, sinks: [], observer: nil)
    #expect(report.verdict.kind == .failed)
    let references = ReferenceRuns(plan: plan, performer: InterruptedPerformer(performer), baseline: nil)
    #expect(references.difference(of: report, scenario) == nil)
    #expect(plan.settings.interruption.isRequested)
  }
}

/// Somebody interrupts the run without the fault as it begins.
private struct InterruptedPerformer: ScenarioPerformer {
  private let performer: LivePerformer

  init(_ performer: LivePerformer) { self.performer = performer }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    if settings.faults.isEmpty { settings.interruption.request() }
    return performer.perform(scenario, settings, sinks: sinks, observer: observer)
  }
}
