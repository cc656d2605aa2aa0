/// Finds the transport that a misspelt word probably meant.
enum NearestSpelling {
  /// Letters that may be wrong, missing or too many.
  private static let maximumDistance = 2

  static func scheme(to word: String) -> String? {
    let plain = letters(word)
    guard !plain.isEmpty, plain.count <= 32 else { return nil }
    if let kind = TransportKinds.all.first(where: { $0.aliases.contains { letters($0) == plain } }) {
      return kind.schemes[0]
    }
    let ranked = TransportKinds.schemes.map { (distance(plain, letters($0)), $0) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }), best.0 <= min(maximumDistance, plain.count / 2) else {
      return nil
    }
    return best.1
  }

  /// The word in lower case and without the punctuation that is most often wrong.
  private static func letters(_ word: String) -> [Character] { word.lowercased().filter(\.isLetter) }

  /// How many insertions, deletions and replacements turn one word into the other, keeping one row of the table.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
