/// Plain scalars that YAML 1.1, YAML 1.2 and people read differently; all of them are refused.
package enum PlainScalar {
  /// Why a plain scalar is refused and what to write instead.
  package struct Ambiguity: Hashable, Sendable {
    /// What is wrong with it.
    package let message: String
    /// What may be written.
    package let expected: String
    /// The most likely meaning.
    package let suggestion: String?
  }

  /// What makes a plain scalar ambiguous; `nil` when everybody reads it alike.
  package static func ambiguity(of text: String, rules: YAMLRules) -> Ambiguity? {
    if let found = words[text] { return ambiguityOfWord(text, meaning: found, rules) }
    guard let first = text.utf8.first, text.utf8.count <= 64, numberStarts.contains(first) else { return nil }
    return ambiguityOfNumber(text, rules)
  }

  private enum Meaning { case yes, no, nothing, merge }

  private static let words: [String: Meaning] = {
    var words: [String: Meaning] = ["~": .nothing, "<<": .merge, "=": .merge]
    for word in ["null", "Null", "NULL"] { words[word] = .nothing }
    for word in ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE"] { words[word] = .yes }
    for word in ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE"] { words[word] = .no }
    return words
  }()

  private static let numberStarts = Set("+-.0123456789".utf8)

  private static func ambiguityOfWord(_ text: String, meaning: Meaning, _ rules: YAMLRules) -> Ambiguity {
    switch meaning {
    case .nothing:
      Ambiguity(
        message: "`\(text)` is null in YAML",
        expected: "the key left out, or a value; or `\"\(text)\"` for text",
        suggestion: nil)
    case .merge:
      Ambiguity(
        message: "`\(text)` has a special meaning in YAML 1.1",
        expected: "\(rules.sharing); or `\"\(text)\"` for text",
        suggestion: nil)
    case .yes, .no:
      Ambiguity(
        message: "`\(text)` is a truth value in YAML 1.1 and text in YAML 1.2",
        expected: "`\(meaning == .yes)` for a truth value; or `\"\(text)\"` for text",
        suggestion: ["True", "TRUE", "False", "FALSE"].contains(text) ? text.lowercased() : nil)
    }
  }

  private static func ambiguityOfNumber(_ text: String, _ rules: YAMLRules) -> Ambiguity? {
    let unsigned = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    let lower = unsigned.lowercased()
    if [".inf", ".nan"].contains(lower) { return number(text, "is not a finite number", "a decimal number") }
    if isAll(lower, "0123456789_"), lower.first != "_" {
      if lower.contains("_") {
        return number(text, "is a number only in YAML 1.1", "digits only", lower.filter { $0 != "_" })
      }
      return lower.count > 1 && lower.first == "0" ? leadingZero(text, rules) : nil
    }
    for (prefix, digits) in [("0x", "0123456789abcdef_"), ("0o", "01234567_"), ("0b", "01_")]
    where lower.hasPrefix(prefix) && lower.count > 2 && isAll(lower.dropFirst(2), digits) {
      return number(text, "is a number in some versions of YAML and text in others", "a decimal number")
    }
    if isSexagesimal(lower), !rules.isNotation(text) {
      return number(
        text, "is a base-60 number in YAML 1.1", "a duration such as `80 s`, or text in quotes", "\"\(text)\"")
    }
    if isFloat(lower), Array(lower.utf8).first == UInt8(ascii: ".") || lower.last == "." || lower.contains("e") {
      return number(text, "is a floating-point number", "a decimal number such as `0.5` with its unit")
    }
    return nil
  }

  private static func number(
    _ text: String, _ message: String, _ expected: String, _ suggestion: String? = nil
  ) -> Ambiguity {
    Ambiguity(message: "`\(text)` \(message)", expected: expected, suggestion: suggestion)
  }

  private static func leadingZero(_ text: String, _ rules: YAMLRules) -> Ambiguity {
    let identifier = rules.identifier(text)
    let plain = String(text.drop { $0 == "0" })
    return number(
      text, "is octal in YAML 1.1 and decimal in YAML 1.2",
      identifier ?? "a number without leading zeros, or text in quotes",
      identifier != nil || plain.isEmpty || !isAll(plain, "0123456789") ? "\"\(text)\"" : plain)
  }

  /// Digits, then groups of at most two digits up to 59, parted by colons: `1:20`, `190:20:30.15`.
  private static func isSexagesimal(_ text: String) -> Bool {
    let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let groups = whole.split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count > 1, groups.allSatisfy({ !$0.isEmpty && isAll($0, "0123456789_") }) else { return false }
    return groups.dropFirst().allSatisfy { Int($0).map { $0 < 60 } ?? false }
  }

  /// `1.5`, `.5`, `5.`, `1e3`, `1.5e-3`.
  private static func isFloat(_ text: String) -> Bool {
    let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let mantissa = parts[0].filter { $0 != "." }
    guard !mantissa.isEmpty, isAll(mantissa, "0123456789"), parts[0].filter({ $0 == "." }).count <= 1 else {
      return false
    }
    guard parts.count == 2 else { return parts[0].contains(".") }
    let exponent = parts[1].first == "+" || parts[1].first == "-" ? parts[1].dropFirst() : parts[1]
    return !exponent.isEmpty && isAll(exponent, "0123456789")
  }

  private static func isAll(_ text: some StringProtocol, _ allowed: String) -> Bool {
    let allowed = allowed.utf8
    return text.utf8.allSatisfy { allowed.contains($0) }
  }
}
