import Session
import System
import Text

/// A line that is typed at a terminal: draws what a ``LineEditor`` says.
final class LineTerminal {
  private let console: Console
  private let prompt: String
  private let complete: (String) -> ShellCompletion.Proposal
  private var keys = TerminalKeyDecoder()
  private var editor = LineEditor()

  init(_ console: Console, prompt: String, complete: @escaping (String) -> ShellCompletion.Proposal) {
    self.console = console
    self.prompt = prompt
    self.complete = complete
  }

  /// Begins a line. Whether the terminal gives its keys one by one.
  func begin() -> Bool {
    guard TerminalMode.takeKeys() else { return false }
    draw()
    return true
  }

  /// Takes octets until they complete a line. Returns how many were taken; the line, or `nil` for the end, where they
  /// complete it.
  func take(_ octets: [UInt8]) -> (count: Int, line: String??) {
    for (index, octet) in octets.enumerated() {
      guard let key = keys.take(octet) else { continue }
      switch editor.take(key, complete) {
      case .none: break
      case .changed: draw()
      case .choices(let words): list(words)
      case .line(let line):
        leave()
        return (index + 1, .some(line))
      case .end:
        leave()
        return (index + 1, .some(nil))
      }
    }
    return (octets.count, nil)
  }

  /// Forgets what was typed, and begins anew on the next line.
  func cancel() {
    editor.clear()
    console.progress("\n")
    draw()
  }

  private func leave() {
    console.progress("\n")
    TerminalMode.restore()
  }

  private func list(_ words: [String]) {
    console.progress("\n")
    console.note(Columns.wrapped(words.joined(separator: "  "), width: console.style.columns))
    draw()
  }

  private func draw() {
    let width = max(1, console.style.columns - prompt.count - 1)
    let (text, column) = editor.view(width: width)
    // Carriage return, the line, what is left of the old one erased, and the cursor put to its column.
    console.progress("\r\(prompt)\(text)\u{1B}[K\r\u{1B}[\(prompt.count + column)C")
  }
}
