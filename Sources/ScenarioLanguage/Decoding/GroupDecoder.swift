import Text
import YAML

extension ValueDecoder {
  /// The fields of a group, or its shorthand; `nil` when something was reported.
  mutating func arguments(_ node: Node, _ group: FieldGroup, called name: String) -> Arguments? {
    if let entries = node.entries { return arguments(entries, group, called: name, at: node) }
    if node.content == .absent { return arguments([], group, called: name, at: node) }
    guard let shorthand = group.shorthand else {
      report(node, "`\(name)` cannot be \(node.kind)", expected: ValueType.group(group).sentence)
      return nil
    }
    let entry = Node.Entry(key: shorthand.name, keyLocation: node.location, value: node)
    return arguments([entry], group, called: name, at: node)
  }

  /// The fields of a group from entries that are all meant for it; `whole` is where a missing field is reported.
  mutating func arguments(
    _ entries: [Node.Entry], _ group: FieldGroup, called name: String, at whole: Node
  ) -> Arguments? {
    var decoded: [Arguments.Entry] = []
    var isComplete = true
    for entry in entries {
      guard let field = group.field(entry.key) else {
        reportUnknownField(entry, of: group, called: name)
        isComplete = false
        continue
      }
      guard let value = value(entry.value.standing(at: entry.keyLocation), of: field) else {
        isComplete = false
        continue
      }
      decoded.append(.init(name: field.name, value: value, location: entry.value.location))
    }
    for field in group.fields
    where field.isRequired && !entries.contains(where: { Self.isMeant($0.key, field, of: group) }) {
      report(
        whole, "`\(name)` needs `\(field.name)`", expected: "`\(field.name):` and \(field.type.sentence)",
        usefulness: .consequence)
      isComplete = false
    }
    guard isComplete else { return nil }
    let arguments = Arguments(decoded)
    return checkRules(of: group, entries, arguments, called: name, at: whole) ? arguments : nil
  }

  /// Whether a key is this field, or probably meant as it, so that the field is not missing as well.
  private static func isMeant(_ key: String, _ field: FieldDeclaration, of group: FieldGroup) -> Bool {
    if group.field(key) != nil { return key == field.name }
    return Spelling.nearest(to: key, among: group.fields.map(\.name)) == field.name
  }

  mutating func reportUnknownField(_ entry: Node.Entry, of group: FieldGroup, called name: String) {
    let names = group.fields.map(\.name)
    bag.report(
      Diagnostic(
        at: entry.keyLocation, "`\(name)` has no field `\(Wording.shortened(entry.key))`",
        expected: names.isEmpty ? "no fields" : Wording.choices(names),
        suggestion: Spelling.nearest(to: entry.key, among: names)))
  }
}

extension Node {
  /// The same node; one that is not written takes the place of its key, so that a message can point somewhere.
  func standing(at key: SourceLocation) -> Node {
    guard content == .absent else { return self }
    var node = self
    node.location = key
    return node
  }
}
