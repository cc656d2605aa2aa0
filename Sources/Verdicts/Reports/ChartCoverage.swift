import Charts

/// The transitions of one chart in one run: how many scenarios took each.
package struct ChartCoverage: Hashable, Sendable {
  /// The chart.
  package let chart: ChartOutline
  /// The number of scenarios that took each transition, in the chart's order.
  package let scenarios: [Int]

  /// The number of transitions that at least one scenario took.
  package var taken: Int { scenarios.count { $0 > 0 } }

  /// The transitions that no scenario took.
  package var untaken: [ChartOutline.Transition] {
    zip(chart.transitions, scenarios).filter { $0.1 == 0 }.map(\.0)
  }
}

extension RunReport {
  /// How many transitions of each chart the run took, in one line; `nil` without charts.
  package var chartSentence: String? {
    let coverage = chartCoverage
    if coverage.isEmpty { return nil }
    return "transitions taken: "
      + coverage.map { "\($0.chart.name) \($0.taken) of \($0.chart.transitions.count)" }.joined(separator: ", ")
  }

  /// The coverage of each chart that a machine of this run has run.
  package var chartCoverage: [ChartCoverage] {
    charts.compactMap { chart in
      let sets = scenarios.compactMap { $0.chartLogs.first { $0.chart == chart.name }?.log.taken }
      guard !sets.isEmpty else { return nil }
      return ChartCoverage(
        chart: chart, scenarios: chart.transitions.indices.map { number in sets.count { $0.contains(number) } })
    }
  }
}

/// A chart's log as a member of `summary.json`: the chart's name and the numbers of the transitions.
struct CodedChartLog: Codable {
  let chart: String
  let taken: [Int]

  init(_ log: ChartLog) {
    chart = log.chart
    taken = log.log.taken.numbers
  }

  /// The log; numbers that no chart can have are left out.
  var value: ChartLog { ChartLog(chart, TransitionLog(taken: TransitionSet(taken))) }
}

/// A chart as a member of `summary.json`, with the scenarios that took each transition where it is written.
struct CodedChart: Codable {
  struct Transition: Codable {
    let from: String
    let event: String
    let to: String
    let scenarios: Int
  }

  let name: String
  let summary: String
  let initial: String
  let states: [String]
  let events: [String]
  let transitions: [Transition]

  init(_ coverage: ChartCoverage) {
    let chart = coverage.chart
    name = chart.name
    summary = chart.summary
    initial = chart.initial
    states = chart.states
    events = chart.events
    transitions = zip(chart.transitions, coverage.scenarios).map {
      Transition(from: $0.source, event: $0.event, to: $0.target, scenarios: $1)
    }
  }

  var value: ChartOutline {
    ChartOutline(
      name: name, summary: summary, initial: initial, states: states, events: events,
      transitions: transitions.prefix(TransitionSet.capacity).map {
        ChartOutline.Transition(source: $0.from, event: $0.event, target: $0.to)
      })
  }
}
