/// Text in two columns, as wide as a terminal.
enum Columns {
  /// Width of the first column of a terminal of 80 columns or more; a longer entry gets a line of its own.
  private static let widestIndent = 28

  /// Rows whose second column begins at the same place.
  static func text(_ rows: [(String, String)], width: Int) -> String {
    let indent = min(widestIndent, width * 7 / 20)
    let margin = String(repeating: " ", count: indent)
    return rows.map { left, right in
      let head = "  " + left
      let start = head.count < indent ? head + margin.dropFirst(head.count) : head + "\n" + margin
      return start + wrapped(right, indent: indent, width: width)
    }.joined(separator: "\n")
  }

  /// Breaks text into lines that fit to the right of `indent` characters, which begin every line but the first.
  static func wrapped(_ text: String, indent: Int = 0, width: Int) -> String {
    let start = "\n" + String(repeating: " ", count: indent)
    var (lines, column) = ("", 0)
    for word in text.split(separator: " ") {
      let length = word.count
      if column > 0 {
        let fits = column + 1 + length <= width - indent
        lines += fits ? " " : start
        column = fits ? column + 1 : 0
      }
      lines += word
      column += length
    }
    return lines
  }

  /// Breaks those lines of a text that are too long. What is continued stands below the last column of its line.
  static func fitted(_ text: String, width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > width else { return String(line) }
      let head = String(line.prefix(lastColumn(of: line, width: width)))
      return head + wrapped(String(line.dropFirst(head.count)), indent: head.count, width: width)
    }.joined(separator: "\n")
  }

  /// Where the last column of a line begins: behind two blanks or more, in the left half of the terminal.
  private static func lastColumn(of line: Substring, width: Int) -> Int {
    var (column, blanks) = (0, 0)
    for (index, character) in line.prefix(width / 2).enumerated() {
      if character != " ", blanks >= 2 { column = index }
      blanks = character == " " ? blanks + 1 : 0
    }
    return column
  }
}
