import Text

/// A line of a file with a caret below a place in it, for people. Long lines are cut around the place.
public struct SourceExcerpt: Hashable, Sendable {
  /// How much of a long line is shown on each side.
  private static let contextScalars = 80

  /// The line with its number in front; safe for a terminal.
  public let line: String
  /// The blanks in front of the caret, as wide as what stands there in ``line``.
  public let indent: String
  /// The caret, with a tilde for each further character that is meant.
  public let caret: String

  /// The excerpt of a place; `nil` where the file has no such line or it is empty.
  public init?(_ file: SourceFile, at location: SourceLocation) {
    let scalars = Array(file.line(location.line).unicodeScalars)
    guard !scalars.isEmpty else { return nil }
    let start = min(location.column - 1, scalars.count)
    let end = min(start + location.length, scalars.count)
    let first = max(0, start - Self.contextScalars)
    let last = min(scalars.count, max(end, start + 1) + Self.contextScalars)
    let before = (first > 0 ? "…" : "") + Self.text(scalars[first..<start])
    let marked = Self.text(scalars[start..<min(end, last)])
    let after = Self.text(scalars[min(end, last)..<max(last, min(end, last))]) + (last < scalars.count ? "…" : "")
    let number = String(location.line)
    line = "\(number) | \(before)\(marked)\(after)"
    indent =
      String(repeating: " ", count: number.utf8.count) + " | "
      + String(repeating: " ", count: before.unicodeScalars.count)
    caret = "^" + String(repeating: "~", count: max(0, marked.unicodeScalars.count - 1))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return PlainText.escaped(text)
  }
}
