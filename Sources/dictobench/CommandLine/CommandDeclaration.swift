import Foundation

/// One option of a command, from which parser, help and completion are made.
struct OptionDeclaration: Sendable {
  /// Name with its dashes, such as `--seed`.
  let name: String
  /// The placeholder of its value in the help; `nil` for a switch.
  let placeholder: String?
  /// What it does.
  let documentation: String
  /// The allowed values; empty where any value is.
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
  /// The operands in the help, such as `[FILE|FOLDER …]`; alternatives are separated by ` | `. Empty for none.
  let operands: String
  /// The highest number of operands.
  let operandLimit: Int
  /// Its options, in the order of the help.
  let options: [OptionDeclaration]
  /// A command line that works.
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
    let tool = "dictobench \(name)" + (options.isEmpty ? "" : " [options]")
    let forms = operands.components(separatedBy: " | ").map { $0.isEmpty ? tool : "\(tool) \($0)" }
    let usage = "usage: " + forms.joined(separator: "\n       ")
    let rows = (options + [OptionDeclaration("--help", "Show this help.")]).map { option in
      (option.placeholder.map { "\(option.name) \($0)" } ?? option.name, option.documentation)
    }
    return "\(Columns.wrapped(summary))\n\n\(usage)\n\n\(Columns.text(rows))\n\nexample:\n  \(example)"
  }
}

/// Text in two columns, for a terminal of 80 columns.
enum Columns {
  /// Width of the first column; a longer entry gets a line of its own.
  private static let indent = 28
  private static let width = 80

  /// Rows with a first column of ``indent`` characters.
  static func text(_ rows: [(String, String)]) -> String {
    let margin = String(repeating: " ", count: indent)
    return rows.map { left, right in
      let head = "  " + left
      let start = head.count < indent ? head + margin.dropFirst(head.count) : head + "\n" + margin
      return start + wrapped(right, indent: indent)
    }.joined(separator: "\n")
  }

  /// Breaks text into lines that fit to the right of `indent` characters, which begin every line but the first.
  static func wrapped(_ text: String, indent: Int = 0) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count + 1 > width - indent { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
