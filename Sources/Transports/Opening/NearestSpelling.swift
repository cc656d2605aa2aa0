import Text

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
    let ranked = TransportKinds.schemes.map { (Spelling.distance(plain, letters($0)), $0) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }), best.0 <= min(maximumDistance, plain.count / 2) else {
      return nil
    }
    return best.1
  }

  /// The word in lower case and without the punctuation that is most often wrong.
  private static func letters(_ word: String) -> String { word.lowercased().filter(\.isLetter) }
}
