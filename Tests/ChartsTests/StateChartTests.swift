import Testing

@testable import Charts

private enum Lamp: UInt8, ChartSymbol { case dark, warmingUp, bright }
private enum Switch: UInt8, ChartSymbol { case switchedOn, warm, switchedOff }

private let lamp = StateChart<Lamp, Switch>(
  "lamp", "A lamp that warms up.", initial: .dark,
  [
    (.dark, .switchedOn, .warmingUp), (.warmingUp, .warm, .bright), (.warmingUp, .switchedOff, .dark),
    (.bright, .switchedOff, .dark),
  ])

@Suite struct StateChartTests {
  @Test func aMachineGoesWhereItsChartSays() {
    var state = ChartedState(lamp)
    let moved = [Switch.switchedOn, .warm].map { state.take($0) }
    #expect(moved == [true, true])
    #expect(state.state == .bright)
    #expect(state.log.taken.numbers == [0, 1])
    #expect(state.log.refusal == nil)
  }

  @Test func aTransitionThatTheChartLacksIsNotTaken() {
    var state = ChartedState(lamp)
    let moved = state.take(.warm)
    #expect(!moved)
    #expect(state.state == .dark)
    #expect(state.log.taken.numbers.isEmpty)
    state.take(.switchedOff)
    #expect(state.log.refusal == RefusedTransition(chart: "lamp", state: "dark", event: "warm"), "the first is kept")
  }

  @Test func whatTheChartLacksIsATypedFailure() {
    #expect(throws: RefusedTransition(chart: "lamp", state: "bright", event: "switched on")) {
      try lamp.number(of: .switchedOn, in: .bright)
    }
  }

  @Test func logsOfSeveralMachinesAddUp() {
    var one = ChartedState(lamp)
    one.take(.switchedOn)
    one.take(.warm)
    var other = ChartedState(lamp)
    other.take(.switchedOn)
    other.take(.switchedOff)
    other.take(.warm)
    var sum = one.log
    sum.formUnion(other.log)
    #expect(sum.taken.numbers == [0, 1, 2])
    #expect(sum.refusal?.event == "warm")
  }

  @Test func aSetHoldsEveryNumberThatAChartCanHave() {
    let all = Array(0..<TransitionSet.capacity)
    #expect(TransitionSet(all).numbers == all)
    #expect(TransitionSet([-1, 128, 1_000, 3]).numbers == [3], "numbers from a file may be anything")
  }

  @Test func theOutlineIsAMermaidDiagram() {
    let expected = """
      %% lamp: A lamp that warms up.
      stateDiagram-v2
        [*] --> dark
        dark --> warmingUp: switched on
        warmingUp --> bright: warm
        warmingUp --> dark: switched off
        bright --> dark: switched off
      """
    #expect(lamp.outline.mermaid == expected)
  }

  @Test func aStateThatNothingReachesIsFound() {
    var outline = lamp.outline
    #expect(outline.unreachableStates.isEmpty)
    outline.transitions.removeAll { $0.event == "warm" }
    #expect(outline.unreachableStates == ["bright"])
  }
}
