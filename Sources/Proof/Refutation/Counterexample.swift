/// How a plan's meeting comes to something that must not happen.
package struct Counterexample: Hashable, Sendable {
  /// What happens, as one sentence.
  package let sentence: String
  /// The moves from the beginning up to it.
  package let moves: [Move]
  /// The moves that then come again and again; empty where it does not go round in a circle.
  package let circle: [Move]

  /// The disturbances among the moves, in order.
  package var disturbances: [Move] { moves.filter(\.isDisturbance) }

  /// What refutes the same plan with the fewest disturbances; this one where counting them leads to more than `limit` states.
  /// Throws `library` where a library fails.
  package func simplified(
    of plan: MeetingPlan, limit: Int = StateSpace.defaultLimit
  ) throws(ProofFailure) -> Counterexample {
    try Self.simplest(of: plan, limit: limit) ?? self
  }

  /// What refutes a plan with the fewest disturbances; `nil` where it takes more than the plan allows or than can be
  /// explored in `limit` states, or nothing does. Throws `library` where a library fails.
  static func simplest(
    of plan: MeetingPlan, limit: Int = StateSpace.defaultLimit
  ) throws(ProofFailure) -> Counterexample? {
    for disturbances in 0...(plan.disturbances ?? Self.mostDisturbances) {
      var smaller = plan
      smaller.disturbances = disturbances
      let space: StateSpace
      do throws(ProofFailure) { space = try StateSpace(smaller, limit: limit) } catch {
        if case .tooMany = error { return nil }
        throw error
      }
      if let counterexample = Counterexample(space, Ranks(space)) { return counterexample }
    }
    return nil
  }

  /// More disturbances than this are not counted before there is a counterexample.
  private static let mostDisturbances = 4

  /// A counterexample in a space; `nil` where every state has a rank and nothing bad happens. Of several it is one with
  /// the fewest disturbances, and among these one with the fewest moves.
  package init?(_ space: StateSpace, _ ranks: Ranks) {
    if let violation = space.violation {
      sentence = violation.sentence
      moves = violation.moves
      circle = []
      return
    }
    let routes = Routes(space)
    let unranked = ranks.ranks.indices.filter { ranks.ranks[$0] == nil }
    guard let worst = unranked.min(by: { routes.costs[$0] < routes.costs[$1] }) else { return nil }
    var path = [worst]
    var steps: [Move] = []
    // Wherever a state without a rank leads to one with a rank, it also leads to one without, or nowhere.
    while let edge = space.nodes[path[path.count - 1]].edges.first(where: {
      !$0.move.isDisturbance && ranks.ranks[$0.target] == nil
    }) {
      steps.append(edge.move)
      if let back = path.firstIndex(of: edge.target) {
        moves = routes.moves(to: worst) + steps.prefix(back)
        circle = Array(steps.suffix(from: back))
        sentence = "everything goes round in a circle of \(circle.count) moves, and never ends"
        return
      }
      path.append(edge.target)
    }
    moves = routes.moves(to: worst) + steps
    circle = []
    sentence = "nothing happens any more, and not everything is done"
  }
}

/// The shortest ways to the states of a space, by disturbances first and then by moves.
struct Routes {
  /// How far a state is.
  struct Cost: Hashable, Comparable {
    let disturbances: Int
    let moves: Int

    static func < (left: Cost, right: Cost) -> Bool {
      (left.disturbances, left.moves) < (right.disturbances, right.moves)
    }
  }

  /// By the number of the state.
  private(set) var costs: [Cost]
  private var origins: [(parent: Int, move: Move)?]

  init(_ space: StateSpace) {
    costs = Array(repeating: Cost(disturbances: .max, moves: .max), count: space.nodes.count)
    origins = Array(repeating: nil, count: space.nodes.count)
    costs[0] = Cost(disturbances: 0, moves: 0)
    var layer = [0]
    var disturbances = 0
    while !layer.isEmpty {
      // Everything that can be reached without a further disturbance, then what one more leads to.
      layer.sort { costs[$0] < costs[$1] }
      var reached: [Int] = []
      var next = 0
      while next < layer.count {
        let number = layer[next]
        next += 1
        for edge in space.nodes[number].edges {
          let cost = Cost(
            disturbances: disturbances + (edge.move.isDisturbance ? 1 : 0), moves: costs[number].moves + 1)
          guard cost < costs[edge.target] else { continue }
          costs[edge.target] = cost
          origins[edge.target] = (number, edge.move)
          if edge.move.isDisturbance { reached.append(edge.target) } else { layer.append(edge.target) }
        }
      }
      disturbances += 1
      layer = reached.filter { costs[$0].disturbances == disturbances }
    }
  }

  func moves(to number: Int) -> [Move] {
    var moves: [Move] = []
    var number = number
    while let origin = origins[number] {
      moves.append(origin.move)
      number = origin.parent
    }
    return moves.reversed()
  }
}
