/// A state chart in words, whatever the types of its states and events: what documents and reports tell of it.
package struct ChartOutline: Hashable, Sendable {
  /// One arrow of the chart.
  package struct Transition: Hashable, Sendable {
    /// The state that it leaves.
    package var source: String
    /// The event that it answers, in words.
    package var event: String
    /// The state that it enters.
    package var target: String

    package init(source: String, event: String, target: String) {
      self.source = source
      self.event = event
      self.target = target
    }
  }

  /// The name of the chart.
  package var name: String
  /// One sentence: which machine it is, and of whom.
  package var summary: String
  /// The state in which the machine begins.
  package var initial: String
  /// All its states.
  package var states: [String]
  /// All its events, in words.
  package var events: [String]
  /// Its transitions; the place of one in this list is its number.
  package var transitions: [Transition]

  package init(
    name: String, summary: String, initial: String, states: [String], events: [String], transitions: [Transition]
  ) {
    self.name = name
    self.summary = summary
    self.initial = initial
    self.states = states
    self.events = events
    self.transitions = transitions
  }

  /// The chart as a Mermaid state diagram, without a line feed at its end.
  package var mermaid: String {
    let arrows = transitions.map { "  \($0.source) --> \($0.target): \($0.event)" }
    return (["%% \(name): \(summary)", "stateDiagram-v2", "  [*] --> \(initial)"] + arrows).joined(separator: "\n")
  }

  /// The states that no chain of transitions from the initial one reaches.
  package var unreachableStates: [String] {
    var reached: Set = [initial]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for transition in transitions where reached.contains(transition.source) {
        if reached.insert(transition.target).inserted { isGrowing = true }
      }
    }
    return states.filter { !reached.contains($0) }
  }
}
