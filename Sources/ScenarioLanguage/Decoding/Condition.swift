import Bytes
import Text
import YAML

/// What `when:` says: a comparison of two values, or a truth value alone.
struct Condition {
  private enum Relation: String, CaseIterable {
    // Longer ones first, since they are tried in this order.
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case not = "!="
    case moreThan = ">"
    case lessThan = "<"
  }

  /// Whether the condition of a node holds under bindings; `nil` when it was reported.
  static func evaluate(_ node: Node, _ substitution: inout Substitution, _ decoder: inout ValueDecoder) -> Bool? {
    guard let text = node.text else {
      decoder.report(node, "`when` cannot be \(node.kind)", expected: "a comparison such as `$records > 7`")
      return nil
    }
    guard let (relation, left, right) = split(text) else {
      return truth(of: text, node, &substitution, &decoder)
    }
    guard let left = operand(left, node, &substitution), let right = operand(right, node, &substitution) else {
      return nil
    }
    let (isLess, isGreater) = (left.isLess(than: right), right.isLess(than: left))
    switch (relation, isLess, isGreater) {
    case (.equal, _, _) where left.kindName == right.kindName: return left == right
    case (.not, _, _) where left.kindName == right.kindName: return left != right
    case (.atLeast, let isLess?, _): return !isLess
    case (.atMost, _, let isGreater?): return !isGreater
    case (.moreThan, _, let isGreater?): return isGreater
    case (.lessThan, let isLess?, _): return isLess
    default:
      let alike = relation == .equal || relation == .not ? "two values of the same kind" : "two numbers"
      decoder.report(
        node, "`when` cannot compare \(left.kindName) with \(right.kindName)",
        expected: "\(alike), or two values of the same unit")
      return nil
    }
  }

  private static func truth(
    of text: String, _ node: Node, _ substitution: inout Substitution, _ decoder: inout ValueDecoder
  ) -> Bool? {
    guard let value = operand(text, node, &substitution) else { return nil }
    if case .boolean(let truth) = value { return truth }
    decoder.report(node, "`\(value)` is not a truth value", expected: "a comparison such as `$records > 7`")
    return nil
  }

  /// The first relation that is not in quotes, and what stands on both sides of it.
  private static func split(_ text: String) -> (Relation, String, String)? {
    var rest = text.drop(while: \.isWhitespace)
    if let mark = rest.first, isQuote(mark), let end = rest.dropFirst().firstIndex(of: mark) {
      rest = rest[end...].dropFirst()
    }
    while !rest.isEmpty {
      if let relation = Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
        let after = rest.dropFirst(relation.rawValue.count)
        return (relation, text[..<rest.startIndex].trimmingBlanks, after.trimmingBlanks)
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func operand(_ text: String, _ node: Node, _ substitution: inout Substitution) -> Value? {
    var scalar = node
    scalar.content = .scalar(unquoted(text), .plain)
    return substitution.resolve(scalar).text.map(natural)
  }

  /// A word without the quotes around it, which are there for YAML's sake, as in `$power == "off"`.
  private static func unquoted(_ text: String) -> String {
    guard text.count > 1, let mark = text.first, isQuote(mark), text.last == mark else { return text }
    return String(text.dropFirst().dropLast())
  }

  private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

  /// What a text means when no field says what it should mean.
  static func natural(_ text: String) -> Value {
    if text == "true" || text == "false" { return .boolean(text == "true") }
    if let number = DecimalNumber(prefixOf: text) {
      if number.rest.isEmpty, let integer = try? number.scaled(by: 1), let value = Int(exactly: integer) {
        return .integer(value)
      }
      let symbol = number.rest.trimmingBlanks
      if let dimension = Dimension.of(symbol: symbol), let amount = try? dimension.parse(text) {
        return .quantity(dimension, amount)
      }
    }
    if let dateTime = CivilDateTime(text) { return .dateTime(dateTime) }
    if let offset = UTCOffset(text) { return .offset(offset) }
    if let address = BluetoothAddress(text) { return .address(address) }
    return .text(text)
  }
}
