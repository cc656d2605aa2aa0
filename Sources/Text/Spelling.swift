/// The nearest valid spelling of a word.
package enum Spelling {
  /// Words longer than this are not compared: nobody misspells a name of that length by accident.
  private static let maximumLength = 64

  /// The candidate nearest to `word`, if it is near enough to be what was meant; the first of equals.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= maximumLength, !word.isEmpty else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where candidate.utf8.count <= maximumLength {
      let distance = self.distance(word.lowercased(), candidate.lowercased())
      if distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    guard let best else { return nil }
    // Words that begin alike may differ more at their ends: `verify` for `verifies`.
    let bonus = word.count > 4 && best.candidate.lowercased().hasPrefix(word.lowercased().prefix(4)) ? 1 : 0
    return best.distance <= max(1, (word.count + 1) / 3) + bonus ? best.candidate : nil
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
