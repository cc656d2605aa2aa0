import Text
import YAML

extension ValueDecoder {
  /// Reports which rules of a group its stated fields break. Returns whether they break none.
  mutating func checkRules(
    of group: FieldGroup, _ entries: [Node.Entry], _ arguments: Arguments, called name: String, at whole: Node
  ) -> Bool {
    let counted = entries.filter { arguments.entry($0.key)?.value != .boolean(false) }
    var isKept = true
    for rule in group.rules {
      let stated = counted.filter { rule.names.contains($0.key) }
      let problems: [Diagnostic]
      switch rule.kind {
      case .some: problems = stated.isEmpty ? [Self.nothing(rule.names, called: name, at: whole)] : []
      case .single: problems = stated.dropFirst().map { Self.excluded($0, by: stated[0], in: name) }
      case .owned(by: let owner):
        problems = entries.contains { $0.key == owner } ? [] : stated.map { Self.alone($0, owner) }
      case .bounded(by: let limit, let field): problems = Self.excess(arguments, field, limit).map { [$0] } ?? []
      case .offsets(in: let octets): problems = stated.compactMap { Self.beyond($0, arguments, octets) }
      }
      bag.report(problems)
      isKept = isKept && problems.isEmpty
    }
    return isKept
  }

  private static func nothing(_ names: [String], called name: String, at whole: Node) -> Diagnostic {
    Diagnostic(at: whole.location, "`\(name)` has nothing to do", expected: "at least one of " + Wording.choices(names))
  }

  private static func excluded(_ entry: Node.Entry, by first: Node.Entry, in name: String) -> Diagnostic {
    Diagnostic(
      at: entry.keyLocation, "`\(name)` cannot have both `\(first.key)` and `\(entry.key)`",
      expected: "only one of them")
  }

  private static func alone(_ entry: Node.Entry, _ owner: String) -> Diagnostic {
    Diagnostic(
      at: entry.keyLocation, "`\(entry.key)` has no effect without `\(owner)`", expected: "`\(owner):` beside it")
  }

  /// What is wrong with a field that is more than `limit`; `nil` where it is not, or one of them is known only in a run.
  private static func excess(
    _ arguments: Arguments, _ field: FieldDeclaration, _ limit: FieldDeclaration
  ) -> Diagnostic? {
    let (own, other) = (arguments.entry(field.name), arguments.entry(limit.name))
    guard let place = (own ?? other)?.location, let value = own?.value ?? field.defaultValue,
      let most = other?.value ?? limit.defaultValue, most.isLess(than: value) == true
    else { return nil }
    return Diagnostic(
      at: place, "`\(field.name)` is \(value), more than the \(most) of `\(limit.name)`",
      expected: "at most as much as `\(limit.name)`")
  }

  /// What is wrong with an offset in octets that stand in the file; `nil` where they have it.
  private static func beyond(_ entry: Node.Entry, _ arguments: Arguments, _ octets: String) -> Diagnostic? {
    guard case .octets(let stated)? = arguments.entry(octets)?.value, case let count = stated.bytes.count,
      case .quantity(.bytes, let offset)? = arguments.entry(entry.key)?.value, offset >= Int64(count)
    else { return nil }
    return Diagnostic(
      at: entry.value.location, "\(entry.value.kind) lies beyond the end of `\(octets)`",
      expected: "less than \(Dimension.bytes.text(Int64(count)))")
  }
}
