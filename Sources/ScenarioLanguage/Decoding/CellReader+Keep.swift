import Text
import YAML

/// A value that an earlier step of the cell keeps.
struct KeptEntry {
  let name: KeptName
  /// The field whose value it is.
  let field: FieldDeclaration
  /// Where the name is written.
  let location: SourceLocation
  /// Whether a step may use it by its name here. A fragment sees only what is passed to it by `with:`.
  var isVisible = true

  /// The entry that a node stands for; `nil` for any other node.
  static func meant(by node: Node, among entries: [KeptEntry]) -> KeptEntry? {
    guard let origin = node.origin, let text = node.text, text.hasPrefix("$") else { return nil }
    return entries.last { $0.location == origin && !$0.name.name.isEmpty }
  }
}

extension CellReader {
  /// What a step keeps of its outcome.
  mutating func keepings(_ node: Node, of verb: VerbDeclaration, _ scope: Scope) -> [Keeping] {
    guard !verb.results.fields.isEmpty else {
      decoder.report(node, "`\(verb.name)` has no outcome to keep", expected: "no `keep`")
      return []
    }
    guard let entries = node.entries, !entries.isEmpty else {
      decoder.report(
        node, "`keep` cannot be \(node.kind)",
        expected: "names for fields, such as `{before: \(verb.results.fields[0].name)}`")
      return []
    }
    return entries.compactMap { keeping($0, verb, scope) }
  }

  private mutating func keeping(_ entry: Node.Entry, _ verb: VerbDeclaration, _ scope: Scope) -> Keeping? {
    guard isFree(entry, scope) else { return nil }
    let names = verb.results.fields.map(\.name)
    guard let text = entry.value.text, let field = verb.results.field(text) else {
      let node = entry.value.standing(at: entry.keyLocation)
      decoder.report(
        node, "the outcome of \(verb.name) has no field \(node.kind)", expected: Wording.choices(names),
        suggestion: node.text.flatMap { Spelling.nearest(to: $0, among: names) })
      return nil
    }
    decoder.need(field.capability)
    return Keeping(name: KeptName(name: entry.key, scope: scope.usedFrom), field: field)
  }

  /// Whether a name may be given to a kept value.
  private mutating func isFree(_ entry: Node.Entry, _ scope: Scope) -> Bool {
    let node = Node(.absent, at: entry.keyLocation)
    guard Substitution.isName(entry.key) else {
      decoder.report(
        node, "`\(Wording.shortened(entry.key))` cannot name a kept value",
        expected: "letters, digits and `_`, beginning with a letter")
      return false
    }
    guard scope.bindings[entry.key] == nil else {
      decoder.report(
        node, "`\(entry.key)` is a variable of the matrix or a parameter already", expected: "another name")
      return false
    }
    let other = decoder.kept.last { $0.isVisible && $0.name.name == entry.key && $0.location != entry.keyLocation }
    // Where a fragment is only tried, the steps of all conditions are read.
    if let other, !decoder.isTrying {
      decoder.bag.report(
        Diagnostic(
          at: entry.keyLocation, "`\(entry.key)` is kept twice", expected: "another name",
          notes: [.init(location: other.location, message: "first kept here")]))
      return false
    }
    return true
  }

  /// Makes what a step keeps known to the steps after it.
  mutating func introduce(_ keepings: [Keeping], at node: Node) {
    for keeping in keepings {
      guard let entry = node.entries?.first(where: { $0.key == keeping.name.name }) else { continue }
      decoder.kept.removeAll { $0.name == keeping.name }
      decoder.kept.append(KeptEntry(name: keeping.name, field: keeping.field, location: entry.keyLocation))
      if !keptPlaces.contains(where: { $0.location == entry.keyLocation }) {
        keptPlaces.append((entry.key, entry.keyLocation))
      }
    }
  }

  /// Reads the steps of a fragment, which neither sees what others keep nor tells what it keeps.
  mutating func hidingKept<Value>(_ body: (inout CellReader) -> Value) -> Value {
    let outer = decoder.kept
    for index in decoder.kept.indices { decoder.kept[index].isVisible = false }
    let value = body(&self)
    decoder.kept = outer
    return value
  }

  /// Reads values that may be kept ones.
  mutating func takingKept<Value>(_ body: (inout CellReader) -> Value) -> Value {
    decoder.takesKept = true
    defer { decoder.takesKept = false }
    return body(&self)
  }

  /// The events of `either:`; empty when something was reported.
  mutating func patterns(_ node: Node, subject: Node?) -> [EventPattern] {
    guard let items = node.items, items.count > 1 else {
      decoder.report(
        node, node.items == nil ? "`either` cannot be \(node.kind)" : "`either` has only one event",
        expected: node.items == nil
          ? "a list of events, such as `[{link: down}, paired]`" : "`eventually`, or another event")
      return []
    }
    let patterns = items.map { pattern($0, called: "either", subject: subject) }
    return patterns.contains(nil) ? [] : patterns.compactMap { $0 }
  }
}

extension ValueDecoder {
  /// A kept value in the place of a written one; `nil` when it was reported.
  mutating func value(_ entry: KeptEntry, _ node: Node, _ type: ValueType, called name: String) -> Value? {
    usedKept.insert(entry.location)
    guard takesKept else {
      report(
        node, "`$\(entry.name.name)` is known only when the scenario runs",
        expected: "\(type.sentence); a kept value can stand in `expect`, in an event, and as a verb's field")
      return nil
    }
    guard type.takes(entry.field.type), !(type == .octets && field != nil) else {
      report(
        node, "`\(name)` cannot be `$\(entry.name.name)`, which keeps `\(entry.field.name)`", expected: type.sentence)
      return nil
    }
    if case .list = type, type != entry.field.type { return .list([.kept(entry.name)]) }
    return .kept(entry.name)
  }
}

extension ValueType {
  /// Whether a kept value of another type can stand where a value of this one is written.
  fileprivate func takes(_ other: ValueType) -> Bool {
    switch self {
    case .name, .participant, .group: false
    case .list(let element): self == other || element.takes(other)
    case .either(let types): self == other || types.contains { $0.takes(other) }
    default: self == other
    }
  }
}
