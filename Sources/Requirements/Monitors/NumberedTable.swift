import Timeline

/// What a monitor keeps for each recorder or each phone, by its number in the scenario.
protocol NumberedState {
  var index: UInt16 { get }
  /// By when something must have happened to it; `nil` while nothing is expected.
  var deadline: Instant? { get }
}

extension NumberedState {
  /// `nil`: many monitors only judge events.
  var deadline: Instant? { nil }
}

/// What a monitor keeps for a recorder from one start to the next.
protocol SwitchedState: NumberedState {
  var isOn: Bool { get }
}

/// The states of all recorders or phones, in the order in which they were first heard of.
///
/// A scenario may have thousands of them, so that nothing here looks through all: a state is found by its number, and the
/// earliest deadline stands at the root of a tournament, in which each state plays against its neighbour.
struct NumberedTable<State: NumberedState> {
  /// Stands for no deadline.
  private static var never: UInt64 { .max }

  private var states: [State] = []
  /// Where the state of each number stands; -1 where there is none.
  private var places: [Int32] = []
  /// The tournament: the winner of nodes 2n and 2n + 1 stands at n, and the states begin at `width`.
  private var earliest: [UInt64] = [never, never]
  private var width = 1

  init() {}

  /// The earliest of all deadlines, or an instant before it.
  var deadline: Instant? { earliest[1] == Self.never ? nil : Instant(nanoseconds: earliest[1]) }

  /// The first state whose deadline has come.
  mutating func firstDue(at instant: Instant) -> Int? {
    while let deadline, deadline <= instant {
      var node = 1
      while node < width { node = earliest[2 * node] <= instant.nanoseconds ? 2 * node : 2 * node + 1 }
      let place = node - width
      if let due = states[place].deadline, due <= instant { return place }
      play(place)
    }
    return nil
  }

  /// Changes a state in a way that brings its deadline never forward. The tournament learns of it when the former deadline
  /// comes, which may be never: what happens with every packet costs less so.
  mutating func postpone(_ place: Int, _ change: (inout State) -> Void) { change(&states[place]) }

  /// Where the state with a number stands.
  func place(_ index: UInt16) -> Int? {
    guard Int(index) < places.count, places[Int(index)] >= 0 else { return nil }
    return Int(places[Int(index)])
  }

  /// Where the state with the number of this one stands; this one is added where there is none.
  mutating func place(of new: State) -> Int {
    if let known = place(new.index) { return known }
    let missing = Int(new.index) + 1 - places.count
    if missing > 0 { places.append(contentsOf: repeatElement(-1, count: missing)) }
    places[Int(new.index)] = Int32(states.count)
    states.append(new)
    if states.count > width { widen() }
    play(states.count - 1)
    return states.count - 1
  }

  private mutating func widen() {
    width *= 2
    earliest = [UInt64](repeating: Self.never, count: 2 * width)
    for (place, state) in states.enumerated() { earliest[width + place] = state.deadline?.nanoseconds ?? Self.never }
    for node in (1..<width).reversed() { earliest[node] = Swift.min(earliest[2 * node], earliest[2 * node + 1]) }
  }

  private mutating func play(_ place: Int) {
    let deadline = states[place].deadline?.nanoseconds ?? Self.never
    var node = width + place
    guard earliest[node] != deadline else { return }
    earliest[node] = deadline
    while node > 1 {
      node /= 2
      earliest[node] = Swift.min(earliest[2 * node], earliest[2 * node + 1])
    }
  }
}

extension NumberedTable: Sendable where State: Sendable {}

extension NumberedTable: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { states.count }

  subscript(place: Int) -> State {
    get { states[place] }
    _modify {
      defer { play(place) }
      yield &states[place]
    }
  }
}

extension NumberedTable where State: SwitchedState {
  /// Where a recorder stands that is on.
  func placeOfRunning(_ index: UInt16) -> Int? { place(index).flatMap { states[$0].isOn ? $0 : nil } }
}
