import YAML

/// The expectations of a step about the outcome of its verb.
public struct Expectation: Hashable, Sendable {
  /// One statement for each field.
  public let matchers: [FieldMatcher]

  /// States nothing.
  public static let none = Expectation(matchers: [])

  /// A statement that did not hold.
  public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
    /// The statement.
    public let matcher: FieldMatcher
    /// What the verb found instead; `nil` when it found nothing for the field.
    public let found: Value?

    /// `downloaded: expected at least 1, found 0`.
    public var description: String {
      "\(matcher.field.name): expected \(matcher.plainSentence), found \(plainFinding)"
    }

    /// What was found, for people.
    package var plainFinding: String { found?.quotedText ?? "nothing" }
  }

  /// What the statements are about, of what a verb found, in braces for people: everything where nothing is stated, `nil`
  /// where nothing was found.
  package func judged(of findings: Findings) -> String? {
    let judged = matchers.isEmpty ? findings : findings.only(matchers.map(\.field.name))
    return judged.isEmpty ? nil : judged.plainText
  }

  /// The statements that do not hold of what a verb found, in the order of the file.
  public func mismatches(in findings: Findings) -> [Mismatch] {
    matchers.compactMap { matcher in
      let found = findings[matcher.field.name]
      return matcher.matches(found) ? nil : Mismatch(matcher: matcher, found: found.first)
    }
  }
}

/// The expectation about one field of an outcome or an event.
public struct FieldMatcher: Hashable, Sendable {
  /// One comparison with a fixed value.
  public struct Comparison: Hashable, Sendable {
    /// How the field is compared.
    public let relation: Relation
    /// What it is compared with.
    public let operand: Value
  }

  /// How a field is compared with a value.
  public enum Relation: String, Hashable, Sendable, CaseIterable {
    /// It is the value; written without a word.
    case equal = "is"
    /// It is there and not the value.
    case not
    /// It is the value or more.
    case atLeast = "at-least"
    /// It is the value or less.
    case atMost = "at-most"
    /// It is more than the value.
    case moreThan = "more-than"
    /// It is less than the value.
    case lessThan = "less-than"
    /// It is one of the values of a list.
    case oneOf = "one-of"
    /// It is text or octets with the value in it, or a list with the value among its items.
    case contains
    /// It is there, and `contains` does not hold.
    case containsNot = "contains-not"

    /// Whether it says what is not so, and must hold of all values that are true of a field.
    var isNegation: Bool { self == .not || self == .containsNot }
  }

  /// The field.
  public let field: FieldDeclaration
  /// Everything that must be true of it.
  public let comparisons: [Comparison]
  /// Where the statement is written.
  public let location: SourceLocation

  /// Whether one of the values that are true of the field meets every comparison; false when there is none.
  /// A negation must be met by all of them.
  public func matches(_ values: [Value]) -> Bool {
    guard !values.isEmpty else { return false }
    return comparisons.allSatisfy { comparison in
      comparison.relation.isNegation
        ? values.allSatisfy { comparison.isMet(by: $0) } : values.contains { comparison.isMet(by: $0) }
    }
  }

  /// The statement for people: `7`, or `at least 3 and at most 5`.
  public var plainSentence: String {
    comparisons.map { comparison in
      let operand = comparison.operand.quotedText
      return comparison.relation == .equal
        ? operand : comparison.relation.rawValue.replacing("-", with: " ") + " " + operand
    }.joined(separator: " and ")
  }
}

extension FieldMatcher.Comparison {
  /// Whether the comparison holds of one value.
  func isMet(by value: Value) -> Bool {
    switch relation {
    case .equal: value == operand
    case .not: value != operand
    case .atLeast: value == operand || operand.isLess(than: value) == true
    case .atMost: value == operand || value.isLess(than: operand) == true
    case .moreThan: operand.isLess(than: value) == true
    case .lessThan: value.isLess(than: operand) == true
    case .oneOf: Self.items(of: operand).contains(value)
    case .contains: Self.isIn(value, operand)
    case .containsNot: !Self.isIn(value, operand)
    }
  }

  private static func items(of value: Value) -> [Value] {
    if case .list(let items) = value { return items }
    return [value]
  }

  private static func isIn(_ whole: Value, _ part: Value) -> Bool {
    switch (whole, part) {
    case (.list(let items), _): items.contains(part)
    case (.text(let text), .text(let word)): word.isEmpty || text.contains(word)
    case (.octets(let whole), .octets(let part)):
      whole.bytes.indices.contains { whole.bytes[$0...].starts(with: part.bytes) } || part.bytes.isEmpty
    default: whole == part
    }
  }
}
