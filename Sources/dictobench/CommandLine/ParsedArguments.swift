import ScenarioLanguage
import Text

/// A command line that cannot be understood; exit code 2.
struct UsageFailure: Error {
  /// What was found, what was expected, and the nearest valid spelling.
  let message: String

  init(_ message: String) { self.message = message }
}

/// The options and operands of one command, checked against its declaration.
///
/// `-q` and `-v` stand for `--quiet` and `--verbose`. `--x=y` and `--x y` mean the same; `--` ends the options; a lone `-` is an operand.
struct ParsedArguments {
  private var values: [(name: String, value: String)] = []
  /// The operands.
  private(set) var operands: [String] = []
  /// Whether `--help` was among them.
  private(set) var wantsHelp = false

  init(_ words: [String], for command: CommandDeclaration) throws(UsageFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--help" || word == "-h" {
        wantsHelp = true
        continue
      }
      let (name, attached) = Self.split(Self.abbreviations[word] ?? word)
      guard let option = command.options.first(where: { $0.name == name }) else {
        throw UsageFailure(
          "unknown option \(name) for \(command.name)\(Self.suggestion(name, command.options.map(\.name)))")
      }
      try take(option, attached, &rest)
    }
    guard operands.count <= command.operandLimit else {
      throw UsageFailure("\(command.name) does not take \"\(operands[command.operandLimit])\"")
    }
    if command.takesPaths, operands.contains("") {
      throw UsageFailure("\(command.name) needs the name of a file or folder, not an empty one")
    }
  }

  private static let abbreviations = ["-q": "--quiet", "-v": "--verbose"]

  private mutating func take(
    _ option: OptionDeclaration, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageFailure) {
    guard let placeholder = option.placeholder else {
      guard attached == nil else { throw UsageFailure("\(option.name) does not take a value") }
      values.append((option.name, ""))
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageFailure("\(option.name) needs a value: \(placeholder)")
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      throw UsageFailure(
        "\(option.name) needs \(Self.alternatives(option.choices)), not \"\(value)\""
          + Self.suggestion(value, option.choices))
    }
    if value.isEmpty, let kind = ["FILE": "a file", "FOLDER": "a folder"][placeholder] {
      throw UsageFailure("\(option.name) needs the name of \(kind)")
    }
    if !option.repeats, values.contains(where: { $0.name == option.name }) {
      throw UsageFailure("\(option.name) may be given only once")
    }
    values.append((option.name, value))
  }

  private static func split(_ word: String) -> (String, String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// `; did you mean --seed?` where a similar word exists, else nothing.
  static func suggestion(_ word: String, _ candidates: [String]) -> String {
    Spelling.nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }

  /// Whether a switch was given.
  func isSet(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The value of an option, where it was given.
  func value(_ name: String) -> String? { values.first { $0.name == name }?.value }

  /// All values of an option that may be repeated.
  func allValues(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// The value of an option as a duration: seconds, or a number with its unit such as `500ms`. Minutes may be `10m`, as other
  /// programs have them; scenarios write `10 min`.
  func duration(_ name: String, in range: ClosedRange<Duration>) throws(UsageFailure) -> Duration? {
    guard let text = value(name) else { return nil }
    let meanings = [text, text + " s", text + "in"]
    guard let nanoseconds = meanings.lazy.compactMap({ try? Dimension.duration.parse($0) }).first,
      range.contains(.nanoseconds(nanoseconds))
    else {
      let (least, most) = (range.lowerBound.baseUnits, range.upperBound.baseUnits)
      throw UsageFailure(
        "\(name) needs a duration from \(Dimension.duration.text(least)) to \(Dimension.duration.text(most)), "
          + "such as 10s, not \"\(text)\"")
    }
    return .nanoseconds(nanoseconds)
  }

  /// The value of an option as a whole number within a range.
  func number<Number: FixedWidthInteger>(_ name: String, in range: ClosedRange<Number>) throws(UsageFailure) -> Number?
  {
    guard let text = value(name) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw UsageFailure(
        "\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }
}
