/// One option of a command, from which parser, help and completion are made.
struct OptionDeclaration: Sendable {
  /// Name with its dashes, such as `--seed`.
  let name: String
  /// What stands for its value in the help; `nil` for a switch.
  let placeholder: String?
  /// What it does.
  let documentation: String
  /// The values allowed, where they are words.
  let choices: [String]
  /// Whether it may be given more than once.
  let repeats: Bool

  init(
    _ name: String, _ documentation: String, value placeholder: String? = nil, choices: [String] = [],
    repeats: Bool = false
  ) {
    self.name = name
    self.placeholder = placeholder ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
    self.documentation = documentation
    self.choices = choices
    self.repeats = repeats
  }
}

/// One command of the tool.
struct CommandDeclaration: Sendable {
  /// Its name.
  let name: String
  /// What it does, in one line.
  let summary: String
  /// What stands behind the options in the help, such as `[FILE|FOLDER …]`; empty for nothing.
  let operands: String
  /// How many operands it takes at most.
  let operandLimit: Int
  /// Its options, in the order of the help.
  let options: [OptionDeclaration]
  /// A command line that works, and what it does.
  let example: String

  init(
    _ name: String, _ summary: String, operands: String = "", operandLimit: Int = 0, options: [OptionDeclaration],
    example: String
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandLimit = operands.isEmpty ? 0 : (operandLimit == 0 ? Int.max : operandLimit)
    self.options = options
    self.example = example
  }

  /// The text of `--help`.
  var help: String {
    let usage =
      "usage: dictobench \(name)" + (options.isEmpty ? "" : " [options]") + (operands.isEmpty ? "" : " \(operands)")
    let rows = (options + [OptionDeclaration("--help", "Show this.")]).map { option in
      (option.placeholder.map { "\(option.name) \($0)" } ?? option.name, option.documentation)
    }
    return "\(summary)\n\n\(usage)\n\n\(Columns.text(rows))\n\nexample:\n  \(example)"
  }
}

/// Two columns of text.
enum Columns {
  /// Widest first column; a longer entry gets a line of its own.
  private static let indent = 34
  private static let width = 110

  static func text(_ rows: [(String, String)]) -> String {
    rows.map { left, right in
      let head = "  " + left
      let start =
        head.count < indent
        ? head + String(repeating: " ", count: indent - head.count)
        : head + "\n" + String(repeating: " ", count: indent)
      return start + wrapped(right)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count + 1 > width - indent { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
