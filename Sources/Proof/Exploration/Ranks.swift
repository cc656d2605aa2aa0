/// How far each state of a space is from the end at most, when nothing disturbs phone and recorder any more.
///
/// A state's rank is one more than the highest rank that an undisturbed move leads to; a finished state has rank 0.
/// Where every state has a rank, every request ends whatever the order of packets, and so does every sync, because ranks
/// only fall. A state without a rank leads round in a circle, or nowhere.
package struct Ranks {
  /// By the number of the state; `nil` for a state without one.
  package let ranks: [Int?]
  /// States that are not finished, and in which nothing happens any more.
  package let dead: [Int]

  /// The ranks of a space that was explored to its end.
  package init(_ space: StateSpace) {
    let nodes = space.nodes
    var before: [[Int]] = Array(repeating: [], count: nodes.count)
    var open = nodes.map { node in node.edges.count { !$0.move.isDisturbance } }
    for (number, node) in nodes.enumerated() {
      for edge in node.edges where !edge.move.isDisturbance { before[edge.target].append(number) }
    }
    var ranks: [Int?] = Array(repeating: nil, count: nodes.count)
    dead = nodes.indices.filter { open[$0] == 0 && !nodes[$0].isFinished }
    var settled = nodes.indices.filter { open[$0] == 0 && nodes[$0].isFinished }
    for number in settled { ranks[number] = 0 }
    while let number = settled.popLast() {
      for earlier in before[number] {
        open[earlier] -= 1
        guard open[earlier] == 0 else { continue }
        let highest = nodes[earlier].edges.filter { !$0.move.isDisturbance }.compactMap { ranks[$0.target] }.max()
        ranks[earlier] = (highest ?? 0) + 1
        settled.append(earlier)
      }
    }
    self.ranks = ranks
  }
}
