import Text

/// The outcome of a proof as a file that ``CertificateChecker`` verifies: every state with its rank, what can happen in
/// it, and where that leads.
///
///     dictobench-certificate 1
///     reference · records of 300 octets · 2 disturbances
///     0be1…  62  sync>1 power-cut>0 application-kill>0
///     …
///
/// A state's line is its digest, its rank and its moves, each with the number of the state after it; the states are
/// numbered by their lines, from 0. The first is the beginning.
package enum Certificate {
  /// The first line.
  package static let header = "dictobench-certificate 1"

  /// The certificate of a space of which every state has a rank.
  package static func text(of space: StateSpace, _ ranks: [Int]) -> String {
    var text = "\(header)\n\(space.plan.words)\n"
    for (node, rank) in zip(space.nodes, ranks) {
      text += "\(node.digest) \(rank)"
      for edge in node.edges { text += " \(edge.move.rawValue)>\(edge.target)" }
      text += "\n"
    }
    return text
  }
}

extension MeetingPlan {
  /// What it is about, in one line.
  package var words: String {
    let faults = phoneFaults.map { " · phone \($0)" }.joined()
    let count = disturbances.map { Wording.count($0, "disturbance") } ?? "any number of disturbances"
    return "\(profile.name)\(faults) · records of \(sizes.map { "\($0)" }.joined(separator: ", ")) octets · \(count)"
  }
}
