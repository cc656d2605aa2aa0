/// The nearest valid spelling of a word.
package enum Spelling {
  /// Words longer than this are not compared: nobody misspells a name of that length by accident.
  private static let maximumLength = 64
  /// Shorter words are parts of too many names to say which was meant.
  private static let minimumPart = 3

  /// How a candidate resembles a word, the nearest kind first.
  private enum Likeness: Int {
    /// All but one letter, or two neighbours, are the same.
    case slip
    /// It begins with the word.
    case beginning
    /// The word is a part of it.
    case part
    /// A few edits turn one into the other.
    case edits
  }

  /// The candidate nearest to `word`, if it is near enough to be what was meant; the first of equals.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= maximumLength, !word.isEmpty else { return nil }
    let word = word.lowercased()
    var best: (rank: (Int, Int), candidate: String)?
    for candidate in candidates where candidate.utf8.count <= maximumLength {
      let distance = self.distance(word, candidate.lowercased())
      guard let likeness = likeness(of: candidate.lowercased(), to: word, distance) else { continue }
      let rank = (likeness.rawValue, distance)
      if rank < best?.rank ?? (.max, .max) { best = (rank, candidate) }
    }
    return best?.candidate
  }

  /// How a candidate resembles a word that is `distance` edits away; `nil` where it is something else.
  private static func likeness(of candidate: String, to word: String, _ distance: Int) -> Likeness? {
    // Another letter is another name, and no slip.
    if distance == 1, word.count == 1, candidate.count == 1 { return nil }
    if distance <= 1 { return .slip }
    if word.count >= minimumPart {
      if candidate.hasPrefix(word) { return .beginning }
      if candidate.contains(word) { return .part }
    }
    // Words that begin or end alike may differ more at the other end: `verify` for `verifies`, `fone` for `phone`.
    let common = min(4, word.count - 1)
    let isAlike =
      common >= minimumPart && (candidate.hasPrefix(word.prefix(common)) || candidate.hasSuffix(word.suffix(common)))
    return distance <= max(1, (word.count + 1) / 3) + (isAlike ? 1 : 0) ? .edits : nil
  }

  /// `; did you mean sync?` for the end of a message; empty when no candidate is near enough. `quote` stands on both
  /// sides of the candidate.
  package static func question(about word: String, among candidates: [String], quote: String = "") -> String {
    nearest(to: word, among: candidates).map { "; did you mean \(quote)\($0)\(quote)?" } ?? ""
  }

  /// How many insertions, deletions, replacements and swaps of neighbours turn one word into the other.
  package static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          cost = min(cost, beforeLast[column - 2] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
