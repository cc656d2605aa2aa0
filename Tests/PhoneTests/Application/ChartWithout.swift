import Charts

extension StateChart {
  /// The chart without the transition of this number.
  func without(_ number: Int) -> StateChart {
    let kept = transitions.enumerated().filter { $0.offset != number }.map(\.element)
    return StateChart(name, summary, initial: initial, kept.map { ($0.source, $0.event, $0.target) })
  }
}
