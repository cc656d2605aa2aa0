import Text
import YAML

/// Steps under a name, with parameters, for use in several places.
struct Fragment {
  /// One parameter.
  struct Parameter {
    let name: String
    /// The value unless `with:` sets it; `nil` when `with:` must.
    let fallback: Node?
    let location: SourceLocation
  }

  let name: String
  let location: SourceLocation
  let parameters: [Parameter]
  let given: Node?
  let steps: Node?

  /// Reads a fragment's keys. `name` is given when the fragment stands under its name in a scenario.
  init?(_ root: Node, named name: String?, _ decoder: inout ValueDecoder) {
    guard let entries = root.entries else {
      decoder.report(root, "a fragment cannot be \(root.kind)", expected: "`parameters:`, `given:` and `steps:`")
      return nil
    }
    let keywords = Keyword.fragment.map(\.name).filter { name == nil || $0 != "fragment" }
    decoder.checkKeys(entries, among: keywords, of: "a fragment")
    guard let name = name ?? root["fragment"]?.text, FileHeader.isIdentifier(name) else {
      let node = root["fragment"] ?? root
      decoder.report(node, "\(node.kind) cannot name a fragment", expected: "small letters, digits and hyphens")
      return nil
    }
    self.name = name
    location = root["fragment"]?.location ?? root.location
    parameters = root["parameters"].map { Self.parameters($0, &decoder) } ?? []
    given = root["given"]
    steps = root["steps"]
    if given == nil, steps == nil || steps?.items?.isEmpty == true {
      decoder.report(
        root, "the fragment `\(name)` is empty", expected: "`steps:` or `given:`", usefulness: .consequence)
    }
  }

  private static func parameters(_ node: Node, _ decoder: inout ValueDecoder) -> [Parameter] {
    var candidates: [(name: String?, fallback: Node?, node: Node)] = []
    if let entries = node.entries {
      for entry in entries {
        let fallback = entry.value.content == .absent ? nil : entry.value
        candidates.append((entry.key, fallback, Node(.absent, at: entry.keyLocation)))
        if let fallback, fallback.text == nil {
          decoder.report(fallback, "the default of `\(entry.key)` cannot be \(fallback.kind)", expected: "one value")
        }
      }
    } else if let items = node.items {
      candidates = items.map { ($0.text, nil, $0) }
    } else {
      decoder.report(node, "`parameters` cannot be \(node.kind)", expected: "names, or names with their defaults")
    }
    return candidates.compactMap { candidate in
      guard let name = candidate.name, Substitution.isName(name) else {
        decoder.report(candidate.node, "this cannot name a parameter", expected: "letters, digits and `_`")
        return nil
      }
      return Parameter(name: name, fallback: candidate.fallback, location: candidate.node.location)
    }
  }

  /// The fragments among files, each name once; problems are appended.
  static func read(_ sources: [ParsedFile], _ diagnostics: inout [Diagnostic]) -> [Fragment] {
    var fragments: [Fragment] = []
    for source in sources where source.isFragment {
      var decoder = ValueDecoder()
      decoder.bag.report(source.diagnostics)
      if let root = source.root, let fragment = Fragment(root, named: nil, &decoder) {
        if let first = fragments.first(where: { $0.name == fragment.name }) {
          decoder.bag.report(
            Diagnostic(
              at: fragment.location, "duplicate fragment `\(fragment.name)`", expected: "a unique name",
              notes: [.init(location: first.location, message: "first defined here")]))
        }
        fragments.append(fragment)
      }
      diagnostics += decoder.bag.diagnostics
    }
    return fragments
  }

  /// What the parameters stand for in one use; problems are reported.
  func bindings(
    with arguments: Node?, at use: Node, _ decoder: inout ValueDecoder
  ) -> Bindings {
    let entries = arguments?.entries ?? []
    if let arguments, arguments.entries == nil {
      decoder.report(arguments, "`with` cannot be \(arguments.kind)", expected: "parameters and their values in braces")
    }
    decoder.checkKeys(entries, among: parameters.map(\.name), of: "the fragment `\(name)`", word: "parameter")
    for entry in entries where entry.value.text == nil {
      decoder.report(
        entry.value.standing(at: entry.keyLocation), "`\(entry.key)` cannot be \(entry.value.kind)",
        expected: "one value")
    }
    return Bindings(
      parameters.map { parameter in
        let stated = entries.first { $0.key == parameter.name }?.value
        if stated == nil, parameter.fallback == nil {
          decoder.report(
            use, "the fragment `\(name)` needs `\(parameter.name)`", expected: "`with: {\(parameter.name): …}`",
            usefulness: .consequence)
        }
        // A missing one has been reported; its places in the steps are not to be reported again.
        let value = stated ?? parameter.fallback ?? Node(.refused, at: use.location)
        return .init(name: parameter.name, value: value)
      })
  }
}

extension ValueDecoder {
  /// Reports every key that is none of those known.
  mutating func checkKeys(
    _ entries: [Node.Entry], among known: [String], of owner: String, word: String = "key"
  ) {
    for entry in entries where !known.contains(entry.key) {
      bag.report(
        Diagnostic(
          at: entry.keyLocation, "\(owner) has no \(word) `\(Wording.shortened(entry.key))`",
          expected: known.isEmpty ? "no \(word)s" : Wording.choices(known),
          suggestion: Spelling.nearest(to: entry.key, among: known)))
    }
  }
}
