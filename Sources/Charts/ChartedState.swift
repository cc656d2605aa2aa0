/// The state of a machine that moves on a chart, with the log of its transitions.
package struct ChartedState<State: ChartSymbol, Event: ChartSymbol>: Sendable {
  private let chart: StateChart<State, Event>
  /// The state in which the machine is.
  package private(set) var state: State
  /// The transitions since the machine was made.
  package private(set) var log = TransitionLog()

  /// A machine in the chart's initial state.
  package init(_ chart: StateChart<State, Event>) {
    self.chart = chart
    state = chart.initial
  }

  /// Takes the chart's transition for an event. Returns whether there is one; where there is none, the state stays and
  /// the log keeps the refusal.
  @discardableResult package mutating func take(_ event: Event) -> Bool { chart.move(&state, on: event, &log) }

  /// What was logged, under the chart's name.
  package var chartLog: ChartLog { ChartLog(chart.name, log) }
}
