import Runner
import ScenarioLanguage
import SecureDFU
import Testing
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

/// A failing run under a fault is compared with the same run without it.
@Suite struct ReferenceRunning {
  private static func reports(fault: String) throws -> [ScenarioReport] {
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
    let library = ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: vocabulary)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    var plan = RunPlan()
    plan.settings.faults = [try #require(PlantedFault(fault))]
    let performer = LivePerformer(sounds: NoSounds(), firmware: NoPackages())
    let references = ReferenceRuns(plan: plan, performer: performer, baseline: nil)
    return library.scenarios.map { scenario in
      var report = performer.perform(scenario, plan.settings, sinks: [], observer: nil)
      let difference = references.difference(of: report, scenario)
      report.account?.difference = difference
      return report
    }
  }

  @Test func theFirstDifferenceIsTheDefect() throws {
    let difference = try #require(try Self.reports(fault: "recorder:list-count-off-by-one")[0].account?.difference)
    #expect(difference.other == "the same run without the fault")
    #expect(difference.here.contains("3 records announced, 2 present so far"))
    #expect(difference.there.contains("sends the list of files: 2 records"))
  }

  @Test func silenceIsADifferenceToo() throws {
    let difference = try #require(try Self.reports(fault: "recorder:never-advertises")[0].account?.difference)
    #expect(difference.here.hasPrefix("recorder: nothing of the kind follows; the last event is at "))
    #expect(difference.there.hasPrefix("recorder: begins to advertise, every "))
  }

  @Test func whatPassesIsNotCompared() throws {
    #expect(try Self.reports(fault: "phone:forgets-refusals")[0].account == nil)
  }
}
