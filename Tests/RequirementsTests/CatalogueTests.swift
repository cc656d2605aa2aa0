import Foundation
import Testing
import Verdicts

@testable import Requirements

@Suite struct HouseCatalogue {
  @Test func theCatalogueOfTheHouseKnowsEveryMonitorAndNamesWhatEachTargetShows() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = try Data(contentsOf: root.appending(path: "scenarios/requirements.yaml"))
    let catalogue = try RequirementCatalogue(Array(bytes))
    for monitor in MonitorSet.everyMonitor {
      let requirement = try #require(catalogue[monitor.declaration.requirement])
      #expect(requirement.judges == monitor.declaration.judges, "\(requirement.id)")
      #expect(requirement.observation(on: .image) != nil, "\(requirement.id)")
    }
    #expect(catalogue["APP-1.1"] != nil)
    #expect(
      catalogue.requirements.allSatisfy { requirement in
        TargetKind.allCases.contains { requirement.observation(on: $0) != nil }
      })
    #expect(
      catalogue["APP-2.1"]?.blindness(on: .hardware)
        == "says nothing about the device under test: the harness plays the phone")
  }
}
