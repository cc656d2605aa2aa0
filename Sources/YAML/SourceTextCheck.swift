/// Checks that a file is text whose lines and columns every editor counts in the same way.
enum SourceTextCheck {
  struct Problem {
    let location: SourceLocation
    let message: String
    let expected: String
  }

  /// The first byte sequence that is not UTF-8, or the first character that is not allowed.
  static func problem(in file: SourceFile) -> Problem? {
    var line = file.firstLine
    var column = 1
    var decoder = UTF8()
    var bytes = file.bytes.makeIterator()
    var isFirst = true
    var wasReturn = false
    while true {
      let place = SourceLocation(file: file.path, line: line, column: column)
      switch decoder.decode(&bytes) {
      case .emptyInput: return nil
      case .error: return Problem(location: place, message: "the file is not UTF-8 here", expected: "UTF-8 text")
      case .scalarValue(let scalar):
        defer {
          isFirst = false
          wasReturn = scalar == "\r"
        }
        if isFirst, scalar == "\u{FEFF}" { continue }
        if scalar == "\n" && wasReturn { continue }
        if scalar == "\n" || scalar == "\r" {
          (line, column) = (line + 1, 1)
        } else if isAllowed(scalar) {
          column += 1
        } else {
          let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
          return Problem(
            location: place, message: "the character \(name) is not allowed",
            expected: "visible characters, spaces and line breaks")
        }
      }
    }
  }

  /// The characters that libyaml accepts, except line ends that only some programs know and a byte order mark in
  /// mid-text.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}

/// Rewords the problems that libyaml reports.
enum SyntaxAdvice {
  /// The problem and what is allowed there.
  static func advice(for problem: String, line: String, column: Int) -> (message: String, expected: String?) {
    let character = line.unicodeScalars.dropFirst(column - 1).first
    switch problem {
    case "found character that cannot start any token":
      if character == "\t" { return ("this line is indented with a tab", "spaces") }
      return ("a value cannot begin with this character", "the value in quotes")
    case "mapping values are not allowed in this context":
      return ("this line has a second colon, or is indented wrongly", "one `key: value`, or the value in quotes")
    case "did not find expected ',' or '}'": return ("a `{` is not closed", "`,` or `}`")
    case "did not find expected ',' or ']'": return ("a `[` is not closed", "`,` or `]`")
    case "could not find expected ':'": return ("this key has no colon", "`key: value`")
    case "did not find expected key": return ("expected a key here; check the indentation", "`key: value`")
    case "did not find expected '-' indicator": return ("expected a list item here", "`- `")
    case "found unexpected end of stream": return ("a quote is not closed", "the closing quote")
    case "block sequence entries are not allowed in this context":
      return ("a list item cannot begin here", "the list on separate lines")
    case "did not find expected <document start>":
      return ("text after the end of the document", "one document per file")
    default: return (problem, nil)
    }
  }
}
