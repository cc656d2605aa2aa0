import Session
import Text

/// A line that is being typed: a value without a terminal.
struct LineEditor {
  /// What a key came to.
  enum Event: Hashable, Sendable {
    /// The line must be drawn again.
    case changed
    /// Nothing.
    case none
    /// There are several words to choose from.
    case choices([String])
    /// The line is complete.
    case line(String)
    /// The user wants the end.
    case end
  }

  private(set) var text: [Character] = []
  /// How many characters stand before the cursor.
  private(set) var cursor = 0
  private var history: [String] = []
  /// The line of the history that is shown; its count for the line that is typed.
  private var place = 0
  /// What was typed before the history was looked at.
  private var typed: [Character] = []

  /// Characters of a line; more are not taken.
  private static let limit = 4_096
  /// Lines that are remembered.
  private static let historyLimit = 1_000

  /// Takes a key; Tab asks `complete`.
  mutating func take(_ key: TerminalKey, _ complete: (String) -> ShellCompletion.Proposal) -> Event {
    switch key {
    case .character(let character): return insert([character])
    case .enter: return .line(end())
    case .endOfInput: return text.isEmpty ? .end : erase(cursor..<min(cursor + 1, text.count))
    case .tab:
      let proposal = complete(String(text[..<cursor]))
      if !proposal.addition.isEmpty { return insert(Array(proposal.addition)) }
      return proposal.choices.isEmpty ? .none : .choices(proposal.choices)
    case .backspace: return erase(max(0, cursor - 1)..<cursor)
    case .delete: return erase(cursor..<min(cursor + 1, text.count))
    case .eraseToStart: return erase(0..<cursor)
    case .eraseToEnd: return erase(cursor..<text.count)
    case .eraseWord: return erase(wordStart..<cursor)
    case .left: return move(to: cursor - 1)
    case .right: return move(to: cursor + 1)
    case .home: return move(to: 0)
    case .end: return move(to: text.count)
    case .up: return show(place - 1)
    case .down: return show(place + 1)
    }
  }

  /// Forgets what was typed.
  mutating func clear() { (text, cursor, typed, place) = ([], 0, [], history.count) }

  /// What is seen of the line in `width` columns, and how many of them stand before the cursor.
  func view(width: Int) -> (text: String, column: Int) {
    let start = max(0, cursor - max(1, width - 1))
    return (PlainText.escaped(String(text[start...].prefix(width))), cursor - start)
  }

  private mutating func insert(_ characters: [Character]) -> Event {
    guard text.count + characters.count <= Self.limit else { return .none }
    text.insert(contentsOf: characters, at: cursor)
    cursor += characters.count
    return .changed
  }

  private mutating func erase(_ range: Range<Int>) -> Event {
    guard !range.isEmpty else { return .none }
    text.removeSubrange(range)
    cursor = range.lowerBound
    return .changed
  }

  private mutating func move(to position: Int) -> Event {
    guard (0...text.count).contains(position) else { return .none }
    cursor = position
    return .changed
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return start
  }

  private mutating func show(_ line: Int) -> Event {
    guard (0...history.count).contains(line) else { return .none }
    if place == history.count { typed = text }
    place = line
    text = line == history.count ? typed : Array(history[line])
    cursor = text.count
    return .changed
  }

  /// Ends the line, and remembers it unless it is empty or the last one again.
  private mutating func end() -> String {
    let line = String(text)
    if !line.trimmingBlanks.isEmpty, history.last != line { history.append(line) }
    if history.count > Self.historyLimit { history.removeFirst() }
    clear()
    return line
  }
}
