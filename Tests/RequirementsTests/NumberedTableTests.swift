import Testing
import Timeline

@testable import Requirements

/// The table against a list that is looked through.
struct NumberedTables {
  private struct State: NumberedState {
    var index: UInt16
    var deadline: Instant?
  }

  private static func earliest(_ states: [State]) -> Instant? { states.compactMap(\.deadline).min() }

  private static func firstDue(_ states: [State], at instant: Instant) -> UInt16? {
    states.first { $0.deadline.map { $0 <= instant } ?? false }?.index
  }

  @Test(arguments: 1...20)
  func tellsWhatALookThroughAllWouldTell(seed: UInt64) {
    let chance = ChoiceSource(seed: seed).stream("table")
    var table = NumberedTable<State>()
    var states: [State] = []
    for _ in 0..<400 {
      let index = UInt16(chance.below(40))
      let deadline = chance.below(3) == 0 ? nil : Instant(nanoseconds: chance.below(1000))
      if !states.contains(where: { $0.index == index }) { states.append(State(index: index)) }
      let known = states.firstIndex { $0.index == index } ?? 0
      #expect(table.place(of: State(index: index)) == known)
      table[known].deadline = deadline
      states[known].deadline = deadline
      let now = Instant(nanoseconds: chance.below(1000))
      #expect(table.deadline == Self.earliest(states))
      #expect(table.firstDue(at: now).map { table[$0].index } == Self.firstDue(states, at: now))
    }
  }

  /// A state whose deadline was put off is not due at the old one, and hides no other that is.
  @Test(arguments: 1...20)
  func deadlinesMayBePutOff(seed: UInt64) {
    let chance = ChoiceSource(seed: seed).stream("table")
    var table = NumberedTable<State>()
    var states: [State] = []
    for index in 0..<20 {
      states.append(State(index: UInt16(index), deadline: Instant(nanoseconds: chance.below(500))))
      _ = table.place(of: states[index])
    }
    for _ in 0..<200 {
      let place = Int(chance.below(20))
      let later = Instant(nanoseconds: (states[place].deadline?.nanoseconds ?? 0) + chance.below(100))
      states[place].deadline = later
      table.postpone(place) { $0.deadline = later }
      let now = Instant(nanoseconds: chance.below(1500))
      #expect(table.firstDue(at: now).map { table[$0].index } == Self.firstDue(states, at: now))
      #expect(table.deadline ?? .zero <= Self.earliest(states) ?? .zero)
    }
  }

  @Test func whoWasNeverHeardOfHasNoPlace() {
    var table = NumberedTable<State>()
    #expect(table.place(7) == nil)
    #expect(table.place(of: State(index: 7)) == 0)
    #expect(table.place(6) == nil)
    #expect(table.place(9) == nil)
  }
}
