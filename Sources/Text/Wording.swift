/// Numbers and lists in sentences.
package enum Wording {
  /// `1 record`, `3 records`; `plural` where an `s` does not make one.
  package static func count(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `a`, `a or b`, `a, b or c`; empty for no words.
  package static func list(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }

  /// The choices in backquotes, at most twelve of them: `` `a`, `b`, `c` ``, and how many more there are.
  package static func choices(_ words: [String]) -> String {
    let shown = words.prefix(shownChoices).map { "`\($0)`" }.joined(separator: ", ")
    return words.count > shownChoices ? "\(shown) or one of \(words.count - shownChoices) more" : shown
  }

  /// More choices than this are counted and not listed.
  private static let shownChoices = 12

  /// Text cut to what fits into a message: sixty characters.
  package static func shortened(_ text: String) -> String {
    text.unicodeScalars.count <= 60 ? text : String(text.prefix(57)) + "…"
  }
}

extension StringProtocol {
  /// The text without white space at either end.
  package var trimmingBlanks: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
