import Bytes
import Text

/// The line that shows on a terminal how far a run is.
package struct ProgressLine: Sendable {
  private let style: ConsoleStyle

  package init(_ style: ConsoleStyle) { self.style = style }

  /// A line to be drawn over the last one while a run goes on; `nil` where nothing is animated. `total` is `nil` if it
  /// is not known.
  package func text(finished: Int, of total: Int?, failed: Int, running name: String) -> String? {
    guard style.isAnimated else { return nil }
    let failures = failed == 0 ? "" : ", \(failed) not passed"
    let text = "\(finished)\(total.map { "/\($0)" } ?? "")\(failures)  \(PlainText.escaped(name))"
    return "\r\u{1B}[K" + text.prefix(style.columns - 1)
  }

  /// What takes the last line away; `nil` where nothing is animated.
  package var clearing: String? { style.isAnimated ? "\r\u{1B}[K" : nil }
}
