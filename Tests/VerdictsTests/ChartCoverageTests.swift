import Charts
import Testing
import Timeline

@testable import Verdicts

@Suite struct ChartCoverageTests {
  private static let door = ChartOutline(
    name: "door", summary: "A door.", initial: "shut", states: ["shut", "open"],
    events: ["pushed", "pulled", "kicked"],
    transitions: [
      ChartOutline.Transition(source: "shut", event: "pushed", target: "open"),
      ChartOutline.Transition(source: "open", event: "pulled", target: "shut"),
      ChartOutline.Transition(source: "shut", event: "kicked", target: "open"),
    ])

  /// A run in which each scenario took these transitions of the door.
  private static func run(_ scenarios: [[Int]?]) -> RunReport {
    var run = RunReport(
      tool: "dictobench 0", seed: 1, profile: nil, target: "simulated", host: "here", startedAt: 0,
      scenarios: scenarios.map { taken in
        var report = ScenarioReport(id: "one", title: "", file: "", line: 1, verdict: .passed, replay: "")
        if let taken { report.chartLogs = [ChartLog("door", TransitionLog(taken: TransitionSet(taken)))] }
        return report
      })
    run.charts = [door]
    return run
  }

  @Test func scenariosAreCountedForEachTransition() {
    #expect(Self.run([[0, 1], [0], nil]).chartCoverage.map(\.scenarios) == [[2, 1, 0]])
  }

  @Test func aChartThatNoMachineRanIsNotTold() {
    #expect(Self.run([nil, nil]).chartCoverage.isEmpty)
  }

  @Test func aMachineThatDidNotMoveIsTold() {
    #expect(Self.run([[]]).chartCoverage.first?.taken == 0)
  }

  @Test func oneLineCountsWhatWasTaken() {
    let sentences = [[[0, 1, 2]], [[1]], []].map { Self.run($0).chartSentence }
    #expect(sentences == ["transitions taken: door 3 of 3", "transitions taken: door 1 of 3", nil])
  }

  @Test func whatNoScenarioTookIsNamed() {
    #expect(Self.run([[1]]).chartCoverage.first?.untaken.map(\.event) == ["pushed", "kicked"])
  }

  @Test func numbersThatNoTransitionHasCountForNothing() {
    #expect(Self.run([[0, 90]]).chartCoverage.first?.scenarios == [1, 0, 0])
  }
}
