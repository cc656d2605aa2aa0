/// The numbers of some transitions of one chart, in a fixed width.
package struct TransitionSet: Hashable, Sendable {
  /// How many transitions a chart can have.
  package static let capacity = 128

  private var bits: UInt128 = 0

  /// The empty set.
  package init() {}
  /// A set of these numbers; those that no transition can have are left out.
  package init(_ numbers: [Int]) { for number in numbers where (0..<Self.capacity).contains(number) { insert(number) } }

  /// Adds a transition by its number, 0 to 127.
  package mutating func insert(_ number: Int) { bits |= 1 << UInt128(number) }
  /// Adds those of another set.
  package mutating func formUnion(_ other: TransitionSet) { bits |= other.bits }
  /// Whether the transition of this number is in it.
  package func contains(_ number: Int) -> Bool {
    (0..<Self.capacity).contains(number) && bits >> UInt128(number) & 1 == 1
  }

  /// The numbers, smallest first.
  package var numbers: [Int] { (0..<Self.capacity).filter(contains) }
}

/// What a machine did on its chart: the transitions that it took, and the first one that the chart does not have.
package struct TransitionLog: Hashable, Sendable {
  /// The transitions that were taken.
  package private(set) var taken = TransitionSet()
  /// The first transition that was refused; `nil` for a machine that does what its chart says.
  package private(set) var refusal: RefusedTransition?

  /// The log of a machine that has not moved.
  package init() {}
  /// A log that was stored; refusals are not.
  package init(taken: TransitionSet) { self.taken = taken }

  mutating func note(_ number: Int) { taken.insert(number) }
  mutating func note(_ refused: RefusedTransition) { refusal = refusal ?? refused }

  /// Adds what another machine did on the same chart.
  package mutating func formUnion(_ other: TransitionLog) {
    taken.formUnion(other.taken)
    refusal = refusal ?? other.refusal
  }
}

/// The log of the machines of one chart.
package struct ChartLog: Hashable, Sendable {
  /// The name of the chart.
  package let chart: String
  /// What its machines did.
  package var log: TransitionLog

  package init(_ chart: String, _ log: TransitionLog) {
    self.chart = chart
    self.log = log
  }
}
