/// What a terminal can show.
package struct ConsoleStyle: Hashable, Sendable {
  /// Whether words are coloured.
  package var isColoured: Bool
  /// Whether progress is drawn over itself; else nothing is printed until something ends.
  package var isAnimated: Bool
  /// Characters of a line; longer progress is cut.
  package var columns: Int

  package init(isColoured: Bool, isAnimated: Bool, columns: Int = 80) {
    self.isColoured = isColoured
    self.isAnimated = isAnimated
    self.columns = max(20, columns)
  }

  /// Plain and quiet, as a log wants it.
  package static let plain = ConsoleStyle(isColoured: false, isAnimated: false)

  /// Reads the style from the environment: `NO_COLOR` takes colours away, `FORCE_COLOR` and `CLICOLOR_FORCE` bring
  /// them, `TERM=dumb` and `CI` keep progress still. The width is `COLUMNS`, else `columns` as the terminal states them,
  /// else 80.
  package init(isTerminal: Bool, columns: Int? = nil, _ variable: (String) -> String?) {
    func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }
    let isCapable = isTerminal && variable("TERM") != "dumb"
    let isForced = isSet("FORCE_COLOR") || isSet("CLICOLOR_FORCE")
    self.init(
      isColoured: !isSet("NO_COLOR") && (isCapable || isForced), isAnimated: isCapable && !isSet("CI"),
      columns: variable("COLUMNS").flatMap { Int($0) } ?? columns ?? 80)
  }

  /// Colours that carry meaning besides the word they colour.
  package enum Colour: String {
    /// Something failed.
    case red = "31"
    /// Something is as it should be.
    case green = "32"
    /// Something is open.
    case yellow = "33"
  }

  /// The text in a colour, where colours are shown.
  package func coloured(_ text: String, _ colour: Colour) -> String {
    isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
