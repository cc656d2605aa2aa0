import Phone

/// Every state that a plan's meeting can come into, breadth first: what is possible in it, and where that leads.
package struct StateSpace {
  /// One state.
  package struct Node: Hashable, Sendable {
    /// Its digest.
    package let digest: StateDigest
    /// Whether everything is as it should be at the end.
    package let isFinished: Bool
    /// What can happen next, and the number of the state after it.
    package var edges: [Edge] = []
  }

  /// One move.
  package struct Edge: Hashable, Sendable {
    /// What happens.
    package let move: Move
    /// The number of the state after it.
    package let target: Int
  }

  /// What must never happen, and how it comes about.
  package struct Violation: Hashable, Sendable {
    /// What happened, as one sentence.
    package let sentence: String
    /// The moves from the beginning.
    package let moves: [Move]
  }

  /// What it is about.
  package let plan: MeetingPlan
  /// The states in the order in which they were reached; the first is the beginning.
  package private(set) var nodes: [Node] = []
  /// The first violation by the number of moves; where there is one, the space is not explored any further.
  package private(set) var violation: Violation?
  /// How each state was reached first.
  private var origins: [(parent: Int, move: Move)] = []

  /// Explores a plan. `limit` is the most states; throws `tooMany` beyond it, and `library` where a library fails.
  package init(_ plan: MeetingPlan, limit: Int = Self.defaultLimit) throws(ProofFailure) {
    self.plan = plan
    do {
      try explore(limit)
    } catch let failure as ProofFailure {
      throw failure
    } catch {
      throw .library("\(error)")
    }
  }

  /// The most states unless stated otherwise.
  package static let defaultLimit = 1_000_000

  private mutating func explore(_ limit: Int) throws {
    let shelf = LibraryShelf()
    let start = try Meeting(plan, shelf)
    var numbers: [StateDigest: Int] = [StateDigest(start): 0]
    // A state's machines are needed until all that follows it is known.
    var frontier = [start]
    nodes.append(Node(digest: StateDigest(start), isFinished: start.isFinished))
    origins.append((0, .sync))
    var first = 0
    while !frontier.isEmpty {
      var reached: [Meeting] = []
      for (offset, meeting) in frontier.enumerated() {
        for move in meeting.moves {
          let next = try meeting.after(move, shelf)
          let digest = StateDigest(next)
          let target: Int
          if let known = numbers[digest] {
            target = known
          } else {
            target = nodes.count
            guard target < limit else { throw ProofFailure.tooMany(limit) }
            numbers[digest] = target
            nodes.append(Node(digest: digest, isFinished: next.isFinished))
            origins.append((first + offset, move))
            reached.append(next)
          }
          nodes[first + offset].edges.append(Edge(move: move, target: target))
          if let sentence = next.violation {
            violation = Violation(sentence: sentence, moves: moves(to: first + offset) + [move])
            return
          }
        }
      }
      first += frontier.count
      frontier = reached
    }
  }

  /// The moves by which a state was reached first.
  package func moves(to number: Int) -> [Move] {
    var moves: [Move] = []
    var number = number
    while number != 0 {
      moves.append(origins[number].move)
      number = origins[number].parent
    }
    return moves.reversed()
  }
}

/// Why nothing can be proven or checked.
package enum ProofFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are more states than this.
  case tooMany(Int)
  /// The phone's library failed, for this reason.
  case library(String)

  /// One sentence.
  package var description: String {
    switch self {
    case .tooMany(let limit): "there are more than \(limit) states"
    case .library(let reason): "the phone's library failed: \(reason)"
    }
  }
}
