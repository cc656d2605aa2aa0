import ScenarioLanguage
import Testing

@testable import Runner

/// A scenario that fails whatever is planted says nothing about a fault.
@Suite struct UnfaultedRunTests {
  private static func outcome(_ cells: [Scenario], _ unfaulted: UnfaultedRuns) throws -> FaultTable.Outcome {
    let rows = FaultTable(everyFaultWith: cells).rows
    let row = try #require(rows.first { $0.fault.text == "recorder:list-count-off-by-one" })
    return row.run(cells, RunSettings(), besides: unfaulted, sounds: Silence(), firmware: NoFirmware())
  }

  @Test func onlyACellThatPassesWithoutTheFaultNotices() throws {
    let cells = try Playing.scenarios(
      """
      matrix: {count: [1, 2]}
      given: {device: {records: 2}, phone: {bonded: true}}
      steps:
        - phone: sync
          expect: {listed: $count}
      """)
    var settings = RunSettings()
    settings.faults = try #require([PlantedFault]("recorder:list-count-off-by-one"))
    let unfaulted = UnfaultedRuns(settings, sounds: Silence(), firmware: NoFirmware())
    #expect(try Self.outcome([cells[0]], unfaulted) == .missed("try[count=1] fails without a fault"))
    let both = try Self.outcome(cells, unfaulted)
    guard case .noticed("try[count=2]", _) = both else {
      Issue.record("\(both)")
      return
    }
    #expect(unfaulted.failures(among: cells) == ["try[count=1] fails without a fault"])
  }
}
