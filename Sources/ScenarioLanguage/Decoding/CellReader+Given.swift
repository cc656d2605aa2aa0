import Text
import YAML

extension CellReader {
  /// The world before the first step.
  mutating func given(_ node: Node?, _ scope: Scope) -> Given {
    let entries = node.map { givenEntries($0, scope) } ?? []
    var sections: [Given.Section] = []
    var owners: [String: String] = [:]
    for declaration in vocabulary.given {
      let singular = entries.first { $0.key == declaration.name }
      let plural = declaration.plural.flatMap { name in entries.first { $0.key == name } }
      if let singular, let plural {
        decoder.bag.report(
          Diagnostic(
            at: plural.keyLocation, "`given` cannot have both `\(singular.key)` and `\(plural.key)`",
            expected: "only one of them"))
      }
      if let plural {
        sections += several(plural, declaration, &owners)
      } else {
        sections.append(single(singular, declaration))
      }
    }
    people = sections.compactMap { section in
      vocabulary.given.first { $0.name == section.kind }?.actor.map { (section.name, $0) }
    }
    return Given(sections: sections)
  }

  /// The sections by key, those of fragments underneath: a field stated here hides the fragment's.
  private mutating func givenEntries(_ node: Node, _ scope: Scope) -> [Node.Entry] {
    if let items = node.items {
      return items.reduce(into: []) { merged, item in
        merged = Self.merge(merged, givenEntries(item, scope))
      }
    }
    guard let entries = node.entries else {
      decoder.report(node, "`given` cannot be \(node.kind)", expected: Wording.choices(givenKeys))
      return []
    }
    guard spend(at: node) else { return [] }
    decoder.checkKeys(entries, among: givenKeys + ["use", "with"], of: "`given`")
    var own = entries.filter { givenKeys.contains($0.key) }
    own = own.map { entry in
      var entry = entry
      entry.value = resolve(entry.value, scope)
      return entry
    }
    guard let use = node["use"] else {
      if let with = node["with"] {
        decoder.report(with, "`with` without `use`", expected: "`use:` in the same mapping")
      }
      return own
    }
    let name = resolve(use, scope)
    guard let fragment = fragment(name, scope) else { return own }
    let inner = self.scope(of: fragment, with: node["with"], at: use, scope)
    return Self.merge(fragment.given.map { givenEntries($0, inner) } ?? [], own)
  }

  private var givenKeys: [String] { vocabulary.given.flatMap { [$0.name] + ($0.plural.map { [$0] } ?? []) } }

  private static func merge(_ base: [Node.Entry], _ over: [Node.Entry]) -> [Node.Entry] {
    var merged = base
    for entry in over {
      guard let index = merged.firstIndex(where: { $0.key == entry.key }) else {
        merged.append(entry)
        continue
      }
      var value = entry.value
      if let below = merged[index].value.entries, let above = entry.value.entries {
        value.content = .mapping(below.filter { old in !above.contains { $0.key == old.key } } + above)
      }
      merged[index] = Node.Entry(key: entry.key, keyLocation: entry.keyLocation, value: value)
    }
    return merged
  }

  private mutating func single(_ entry: Node.Entry?, _ declaration: GivenDeclaration) -> Given.Section {
    let node = entry?.value.standing(at: entry?.keyLocation ?? entry?.value.location ?? .nowhere)
    let arguments = node.flatMap { decoder.arguments($0, declaration.group, called: declaration.name) }
    return Given.Section(
      kind: declaration.name, name: declaration.name, arguments: arguments ?? Arguments(),
      location: entry?.keyLocation)
  }

  /// The list form: each item may carry a `name` and a `count` beside its fields; a number alone is a list of that many
  /// sections with their defaults. `owners` are the names so far, each with the key under which it stands.
  private mutating func several(
    _ entry: Node.Entry, _ declaration: GivenDeclaration, _ owners: inout [String: String]
  ) -> [Given.Section] {
    let value = entry.value.standing(at: entry.keyLocation)
    guard value.items != nil || value.text != nil else {
      let problem = value.content == .absent ? "has no value" : "cannot be \(value.kind)"
      decoder.report(
        value, "`\(entry.key)` \(problem)",
        expected: "a list, such as `[{name: one}, {name: two}]`, or how many")
      return []
    }
    let items =
      value.items ?? [
        Node(.mapping([.init(key: "count", keyLocation: value.location, value: value)]), at: value.location)
      ]
    var sections: [Given.Section] = []
    for item in items {
      guard let entries = item.entries else {
        decoder.report(
          item, "`\(entry.key)` cannot hold \(item.kind)", expected: "fields in braces, such as `{name: one}`")
        continue
      }
      let count = item["count"].flatMap { integer($0, called: "count", in: 1...LanguageLimits.people) } ?? 1
      let name = item["name"].flatMap { self.name($0) }
      let fields = entries.filter { $0.key != "name" && $0.key != "count" }
      let arguments = decoder.arguments(fields, declaration.group, called: declaration.name, at: item) ?? Arguments()
      guard sections.count + count <= LanguageLimits.people else {
        decoder.report(item, "`\(entry.key)` has too many", expected: "\(LanguageLimits.people) together")
        break
      }
      for index in 0..<count {
        let base = name ?? "\(declaration.name)-\(sections.count + 1)"
        let full = name != nil && count > 1 ? "\(base)-\(index + 1)" : base
        claim(full, for: entry.key, at: item["name"] ?? item, &owners)
        sections.append(.init(kind: declaration.name, name: full, arguments: arguments, location: item.location))
      }
    }
    if sections.isEmpty {
      decoder.report(value, "`\(entry.key)` is empty", expected: "at least one", usefulness: .consequence)
    }
    return sections
  }

  /// Notes a name of somebody; reports one by which `as` could mean somebody else too.
  private mutating func claim(_ name: String, for key: String, at node: Node, _ owners: inout [String: String]) {
    if let owner = owners.updateValue(key, forKey: name) {
      decoder.report(
        node, owner == key ? "duplicate name `\(name)`" : "`\(name)` is a name among `\(owner)` already",
        expected: "a unique name")
    } else if Actor(rawValue: name) != nil {
      decoder.report(node, "`\(name)` is an actor, and cannot be a name", expected: "another name")
    }
  }

  private mutating func name(_ node: Node) -> String? {
    guard let text = node.text, FileHeader.isIdentifier(text) else {
      decoder.report(node, "\(node.kind) cannot be a name", expected: "small letters, digits and hyphens")
      return nil
    }
    return text
  }

  /// A whole number within a range; `nil` when it was reported.
  mutating func integer(_ node: Node, called name: String, in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let value)? = decoder.value(node, .integer, called: name) else { return nil }
    guard range.contains(value) else {
      decoder.report(
        node, "\(node.kind) is out of range for `\(name)`", expected: "\(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }
}

extension SourceLocation {
  /// A place that is never shown.
  static let nowhere = SourceLocation(file: "", line: 1, column: 1)
}
