import Text
import YAML

extension ValueDecoder {
  /// What `expect:` or the braces of an event state about fields; `nil` when something was reported.
  mutating func matchers(_ node: Node, _ group: FieldGroup, called name: String) -> [FieldMatcher]? {
    guard let entries = node.entries else {
      guard node.content != .absent else { return [] }
      guard let shorthand = group.shorthand else {
        report(node, "`\(name)` cannot be \(node.kind)", expected: ValueType.group(group).sentence)
        return nil
      }
      return matcher(node, shorthand).map { [$0] }
    }
    if let shorthand = group.shorthand, let first = entries.first, Self.isRelation(first.key) {
      return matcher(node, shorthand).map { [$0] }
    }
    var matchers: [FieldMatcher] = []
    var isComplete = true
    for entry in entries {
      guard let field = group.field(entry.key) else {
        reportUnknownField(entry, of: group, called: name)
        isComplete = false
        continue
      }
      if let matcher = matcher(entry.value.standing(at: entry.keyLocation), field) {
        matchers.append(matcher)
      } else {
        isComplete = false
      }
    }
    return isComplete ? matchers : nil
  }

  /// A value, or comparisons in braces.
  private mutating func matcher(_ node: Node, _ field: FieldDeclaration) -> FieldMatcher? {
    need(field.capability)
    guard let entries = node.entries, !entries.isEmpty else {
      guard let value = value(node, field.type, called: field.name), checkRange(value, of: field, node) else {
        return nil
      }
      return FieldMatcher(
        field: field, comparisons: [.init(relation: .equal, operand: value)], location: node.location)
    }
    let comparisons = entries.map { comparison($0, field) }
    guard !comparisons.contains(nil) else { return nil }
    let matcher = FieldMatcher(field: field, comparisons: comparisons.compactMap { $0 }, location: node.location)
    return dependsOnValue(matcher, node) ? matcher : nil
  }

  /// Reports comparisons that no value of the field meets, and those that every one does; true if there are none. What a
  /// matrix or a fragment states may hold of every value in one of its places only.
  private mutating func dependsOnValue(_ matcher: FieldMatcher, _ node: Node) -> Bool {
    guard let answer = matcher.foregoneAnswer, !(answer && node.hasNames) else { return true }
    report(
      node, "`\(Wording.shortened(matcher.plainSentence))` holds of \(answer ? "every" : "no") `\(matcher.field.name)`",
      expected: answer ? "a comparison that does not hold of every value" : "comparisons that one value can meet")
    return false
  }

  private mutating func comparison(_ entry: Node.Entry, _ field: FieldDeclaration) -> FieldMatcher.Comparison? {
    guard Self.isRelation(entry.key), let relation = FieldMatcher.Relation(rawValue: entry.key) else {
      let names = FieldMatcher.Relation.allCases.map(\.rawValue).filter(Self.isRelation)
      bag.report(
        Diagnostic(
          at: entry.keyLocation, "`\(Wording.shortened(entry.key))` is not a comparison",
          expected: Wording.choices(names), suggestion: Spelling.nearest(to: entry.key, among: names)))
      return nil
    }
    if relation.needsOrder, !field.type.isOrdered {
      bag.report(
        Diagnostic(
          at: entry.keyLocation, "`\(entry.key)` cannot compare `\(field.name)`, whose values have no order",
          expected: "a value, `not`, `one-of`, `contains` or `contains-not`"))
      return nil
    }
    let node = entry.value.standing(at: entry.keyLocation)
    guard relation != .oneOf || node.items?.isEmpty != true else {
      report(node, "`\(entry.key)` for `\(field.name)` has no values", expected: "a list with at least one value")
      return nil
    }
    guard !comparesListWithItem(node, relation, field) else { return nil }
    guard let value = value(node, relation.operandType(for: field.type), called: field.name),
      checkRange(value, of: field, node), !looksForNothing(value, node, relation, field)
    else { return nil }
    return .init(relation: relation, operand: value)
  }

  /// Whether nothing at all is looked for in text or octets, which is in all of them; reported.
  private mutating func looksForNothing(
    _ value: Value, _ node: Node, _ relation: FieldMatcher.Relation, _ field: FieldDeclaration
  ) -> Bool {
    guard relation == .contains || relation == .containsNot, value == .text("") || value == .octets(Octets(bytes: [])),
      field.type == .text || field.type == .octets
    else { return false }
    report(
      node, "`\(relation.rawValue)` for `\(field.name)` has nothing to look for",
      expected: field.type == .text ? "text of at least one character" : "at least one octet")
    return true
  }

  /// Reports fields that cannot come with what is stated about others; true if there are none.
  mutating func areTogether(_ matchers: [FieldMatcher], called name: String) -> Bool {
    let apart = matchers.compactMap { matcher -> (FieldMatcher, FieldDeclaration.Company)? in
      guard let company = matcher.field.company,
        let other = matchers.first(where: { $0.field.name == company.field }), !other.isKept,
        !company.values.contains(where: { other.matches([$0]) })
      else { return nil }
      return (matcher, company)
    }
    for (matcher, company) in apart {
      let values = Wording.choices(company.values.map(\.description))
      bag.report(
        Diagnostic(
          at: matcher.location, "`\(name)` has no `\(matcher.field.name)` with this `\(company.field)`",
          expected: "no `\(matcher.field.name)`, or one of these as `\(company.field)`: \(values)"))
    }
    return apart.isEmpty
  }

  /// Whether a list as a whole is compared with one value, which holds or fails whatever is in the list; reported.
  private mutating func comparesListWithItem(
    _ node: Node, _ relation: FieldMatcher.Relation, _ field: FieldDeclaration
  ) -> Bool {
    guard case .list = field.type, relation == .not || relation == .oneOf else { return false }
    let compared = relation == .oneOf ? node.items ?? [node] : [node]
    guard let single = compared.first(where: { $0.text != nil && !isKeptList($0) }) else { return false }
    let item = Wording.shortened(single.flowText)
    report(
      single, "`\(relation.rawValue)` compares the whole list `\(field.name)`, and \(single.kind) is one value",
      expected: relation == .not
        ? "`contains-not: \(item)`, or `not: [\(item)]` for exactly this list"
        : "`contains: \(item)`, or lists such as `one-of: [[\(item)]]`")
    return true
  }

  private func isKeptList(_ node: Node) -> Bool {
    if case .list? = KeptEntry.meant(by: node, among: kept)?.field.type { true } else { false }
  }

  private static func isRelation(_ key: String) -> Bool {
    FieldMatcher.Relation(rawValue: key).map { $0 != .equal } ?? false
  }
}

extension FieldMatcher.Relation {
  /// Whether it can be asked only of values that have an order.
  var needsOrder: Bool {
    switch self {
    case .equal, .not, .oneOf, .contains, .containsNot: false
    case .atLeast, .atMost, .moreThan, .lessThan: true
    }
  }

  /// What stands beside it when it is asked of a field of `type`.
  func operandType(for type: ValueType) -> ValueType {
    switch (self, type) {
    case (.oneOf, _): .list(type)
    case (.contains, .list(let element)), (.containsNot, .list(let element)): element
    case (_, .either(let types)) where needsOrder: .either(types.filter(\.isOrdered))
    default: type
    }
  }
}

extension ValueType {
  /// Whether values of this type have an order.
  var isOrdered: Bool {
    switch self {
    case .integer, .quantity, .dateTime, .offset, .record: true
    case .either(let types): types.contains(where: \.isOrdered)
    default: false
    }
  }
}
