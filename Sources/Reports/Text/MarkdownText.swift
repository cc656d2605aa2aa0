import Text

/// Foreign text in Markdown.
enum MarkdownText {
  /// Text that neither ends a table's cell nor becomes markup.
  static func escaped(_ text: String) -> String {
    PlainText.escaped(text, limit: 300).map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "|", "*", "_", "`", "[", "]", "\\": "\\" + String(character)
      default: String(character)
      }
    }.joined()
  }
}
