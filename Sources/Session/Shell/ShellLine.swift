import Bytes
import Text

/// What a line of the shell asks for, before the language is asked about it.
package enum ShellLine: Hashable, Sendable {
  /// Nothing: it is empty, or a remark.
  case nothing
  /// Help, on these words of the language if any.
  case help([String])
  /// The lines so far.
  case history
  /// What the requirements came to so far.
  case requirements
  /// The session as a scenario, in a file of this name.
  case save(String)
  /// The end of the session.
  case quit
  /// A step, or the world before the first one, in the words of the language.
  case language(String)
  /// None of these; the sentence says what was expected.
  case wrong(String)

  /// The words that begin a line which is not a step, with what stands behind them and what they do.
  package static let words: [(word: String, operands: String, summary: String)] = [
    ("help", "[WORD …]", "Explains a word of the language, or lists them."),
    ("history", "", "Shows the lines that were performed, and what they came to."),
    ("requirements", "", "Shows which requirements were met or violated so far."),
    ("save", "FILE", "Writes the session as a scenario."),
    ("quit", "", "Ends the session."),
    ("read", "HANDLE", "Short for phone: {read-attribute: HANDLE}."),
    ("write", "HANDLE HEX", "Short for phone: {write-attribute: {handle: HANDLE, value: HEX}}."),
    ("fts", "list | info RECORD | data RECORD | status | raw HEX", "Short for the phone's file transfer verbs."),
  ]

  /// What `fts` can be followed by, with the verb of the phone that it stands for.
  static let requests = [
    ("list", "list"), ("info", "inform"), ("data", "download"), ("status", "file-system"),
    ("raw", "write-control-point"),
  ]

  /// Reads a line.
  package init(_ line: String) {
    let text = line.trimmingBlanks
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else {
      self = .nothing
      return
    }
    // A step that is copied from a file keeps its columns.
    guard first != "-" else {
      self = .language(line.replacing("-", with: " ", maxReplacements: 1))
      return
    }
    let operands = Array(words.dropFirst())
    switch first {
    case "help": self = .help(operands.flatMap { $0.split(separator: ":").map(String.init) })
    case "history" where operands.isEmpty: self = .history
    case "requirements" where operands.isEmpty: self = .requirements
    case "save" where !operands.isEmpty: self = .save(text.dropFirst(first.count).trimmingBlanks)
    case "quit" where operands.isEmpty, "exit" where operands.isEmpty: self = .quit
    case "read" where operands.count == 1: self = Self.attribute(operands[0]) { "phone: {read-attribute: \($0)}" }
    case "write" where operands.count > 1:
      self = Self.octets(operands.dropFirst()) { octets in
        Self.attribute(operands[0]) { "phone: {write-attribute: {handle: \($0), value: \(octets)}}" }
      }
    case "fts" where !operands.isEmpty: self = Self.request(operands)
    default: self = Self.other(first, line)
    }
  }

  private static func other(_ first: String, _ line: String) -> ShellLine {
    if let own = words.first(where: { $0.word == first }) {
      return .wrong(
        own.operands.isEmpty
          ? "`\(first)` stands alone on its line" : "`\(first)` was not understood; expected \(first) \(own.operands)")
    }
    guard !line.contains(":"), let near = Spelling.nearest(to: first, among: words.map(\.word)) else {
      return .language(line)
    }
    return .wrong("unknown word `\(first)`; did you mean `\(near)`?")
  }

  /// A handle: hexadecimal after `0x`, else decimal.
  private static func attribute(_ text: String, _ step: (UInt16) -> String) -> ShellLine {
    let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    guard let number, number > 0 else {
      return .wrong("a handle is a number from 1 to 65535, such as 16 or 0x0010, not \(text)")
    }
    return .language(step(number))
  }

  private static func octets(_ words: some Sequence<String>, _ step: (String) -> ShellLine) -> ShellLine {
    let digits = words.joined()
    guard Hexadecimal.bytes(digits) != nil, !digits.isEmpty else {
      return .wrong("octets are written in hexadecimal, such as 01 ff, not \(words.joined(separator: " "))")
    }
    return step("\"\(digits)\"")
  }

  private static func request(_ operands: [String]) -> ShellLine {
    guard let (word, verb) = requests.first(where: { $0.0 == operands[0] }) else {
      let names = requests.map(\.0)
      return .wrong(
        "fts has no request \(operands[0])\(Spelling.question(about: operands[0], among: names)); expected "
          + Wording.list(names))
    }
    switch (word, operands.count) {
    case ("list", 1), ("status", 1): return .language("phone: \(verb)")
    case ("raw", 2...): return octets(operands.dropFirst()) { .language("phone: {\(verb): \($0)}") }
    case ("info", 2), ("data", 2):
      let isNumber = operands[1].allSatisfy(\.isNumber)
      return .language("phone: {\(verb): \(isNumber ? "\"\(operands[1])\"" : operands[1])}")
    case ("list", _), ("status", _): return .wrong("fts \(word) stands alone on its line")
    default: return .wrong("fts \(word) needs " + (word == "raw" ? "octets" : "a record: newest, oldest or its digits"))
    }
  }
}
