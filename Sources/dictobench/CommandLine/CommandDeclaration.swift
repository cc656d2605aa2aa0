import Foundation

/// One option of a command, from which parser, help, manual and completions are made.
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

  /// The command lines it understands, without `dictobench`; the options stand in for themselves.
  var forms: [String] {
    let start = name + (options.isEmpty ? "" : " [options]")
    return operands.components(separatedBy: " | ").map { $0.isEmpty ? start : "\(start) \($0)" }
  }

  /// Its options, and the one that every command has.
  var allOptions: [OptionDeclaration] { options + [OptionDeclaration("--help", "Show this help.")] }

  /// The text of `--help`, in lines of `width` characters.
  func help(width: Int) -> String {
    let prefix = "usage: dictobench "
    let usage = forms.map { Columns.wrapped($0, indent: prefix.count, width: width) }
      .joined(separator: "\n       dictobench ")
    let rows = allOptions.map { ($0.label, $0.documentation) }
    return """
      \(Columns.wrapped(summary, width: width))

      \(prefix)\(usage)

      \(Columns.text(rows, width: width))

      example:
        \(example)
      """
  }
}

extension CommandDeclaration {
  /// What may stand as an operand, taken from the words of `operands`.
  private var operandWords: [String] {
    operands.split { " |[]…".contains($0) }.map(String.init)
  }

  /// Operands that are typed as they are: actions such as `read`.
  var literalOperands: [String] { operandWords.filter { $0.allSatisfy { $0.isLowercase } } }

  /// Whether files or folders may be operands.
  var takesPaths: Bool { operandWords.contains { $0.isPathPlaceholder } }
}

extension OptionDeclaration {
  /// What the value of an option is, as far as a shell can complete it.
  enum ValueKind: Hashable {
    /// One of these words.
    case choices([String])
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// Anything.
    case text
  }

  /// Name and placeholder.
  var label: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// What its value is; `nil` for a switch.
  var valueKind: ValueKind? {
    guard let placeholder else { return nil }
    if !choices.isEmpty { return .choices(choices) }
    return placeholder == "FOLDER" ? .folder : placeholder.isPathPlaceholder ? .file : .text
  }
}

extension String {
  /// Whether a placeholder stands for a path: `FILE`, `FILE|-`, `FOLDER`, `CAPTURE`, `PACKAGE.zip`; not `A..B`.
  fileprivate var isPathPlaceholder: Bool {
    split(separator: "|").contains { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      let hasEnding = parts.count == 2 && parts.allSatisfy { $0.first?.isLetter == true }
      return hasEnding || ["FILE", "FOLDER", "CAPTURE"].contains(word)
    }
  }
}
