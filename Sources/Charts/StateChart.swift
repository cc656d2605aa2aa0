/// A state chart as a value: the states of a machine, the events that move it, and the only transitions that exist.
///
/// The machine that it describes asks it for every transition, so the chart cannot differ from what runs. One event in
/// one state leads to one state; what depends on more than the state is decided by the machine, which then names the
/// event by its decision.
package struct StateChart<State: ChartSymbol, Event: ChartSymbol>: Sendable {
  /// One arrow of the chart.
  package struct Transition: Hashable, Sendable {
    /// The state that it leaves.
    package let source: State
    /// The event that it answers.
    package let event: Event
    /// The state that it enters; the same as `source` where the machine begins the state anew.
    package let target: State
  }

  /// The name by which `explain --chart` knows it.
  package let name: String
  /// One sentence: which machine it is, and of whom.
  package let summary: String
  /// The state in which the machine begins.
  package let initial: State
  /// Its transitions; the place of one in this list is its number. At most ``TransitionSet/capacity``.
  package let transitions: [Transition]

  /// The number of the transition for each state and event, one row a state.
  private let table: [UInt8]
  private static var none: UInt8 { .max }
  private static var columns: Int { Event.allCases.count }

  /// A chart of the transitions `(source, event, target)`. No two may answer one event in one state.
  package init(_ name: String, _ summary: String, initial: State, _ transitions: [(State, Event, State)]) {
    precondition(transitions.count <= TransitionSet.capacity, "the chart \(name) has more transitions than a set holds")
    self.name = name
    self.summary = summary
    self.initial = initial
    self.transitions = transitions.map { Transition(source: $0, event: $1, target: $2) }
    var table = [UInt8](repeating: Self.none, count: State.allCases.count * Self.columns)
    for (number, (source, event, _)) in transitions.enumerated() {
      let place = Self.place(source, event)
      precondition(table[place] == Self.none, "the chart \(name) answers \(event) in \(source) twice")
      table[place] = UInt8(number)
    }
    self.table = table
  }

  private static func place(_ source: State, _ event: Event) -> Int {
    Int(source.rawValue) * columns + Int(event.rawValue)
  }

  /// The number of the transition that answers an event in a state. Throws where the chart has none.
  package func number(of event: Event, in source: State) throws(RefusedTransition) -> Int {
    let number = table[Self.place(source, event)]
    guard number != Self.none else { throw RefusedTransition(chart: name, state: source.name, event: event.words) }
    return Int(number)
  }

  /// Moves `state` as the chart says and notes the transition. Returns whether there is one; where there is none, the
  /// state stays and the log keeps the refusal.
  package func move(_ state: inout State, on event: Event, _ log: inout TransitionLog) -> Bool {
    do throws(RefusedTransition) {
      let number = try number(of: event, in: state)
      state = transitions[number].target
      log.note(number)
      return true
    } catch {
      log.note(error)
      return false
    }
  }

  /// The chart in words, for documents.
  package var outline: ChartOutline {
    ChartOutline(
      name: name, summary: summary, initial: initial.name, states: State.allCases.map(\.name),
      events: Event.allCases.map(\.words),
      transitions: transitions.map {
        ChartOutline.Transition(source: $0.source.name, event: $0.event.words, target: $0.target.name)
      })
  }
}

/// An event came in a state in which the chart has no transition for it: the machine does something that it is not
/// declared to do.
package struct RefusedTransition: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the chart.
  package let chart: String
  /// The state, which the machine has kept.
  package let state: String
  /// The event, in words.
  package let event: String

  package init(chart: String, state: String, event: String) {
    self.chart = chart
    self.state = state
    self.event = event
  }

  package var description: String { "the chart \(chart) has no transition for \"\(event)\" in the state \(state)" }
}
