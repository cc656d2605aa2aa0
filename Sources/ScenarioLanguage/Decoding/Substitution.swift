import Text
import YAML

/// The `$names` that may be used at one place, with the nodes they stand for.
struct Bindings {
  /// One name with its value.
  struct Binding {
    let name: String
    let value: Node
  }

  private(set) var all: [Binding]

  init(_ all: [Binding] = []) { self.all = all }

  subscript(name: some StringProtocol) -> Node? { all.first { $0.name == name }?.value }

  var names: [String] { all.map(\.name) }
}

/// Replaces `$name` by the value of a matrix variable or a fragment's parameter.
///
/// A scalar that is nothing but `$name` becomes the value itself, quotes and all; inside other text the value's
/// text is put in. `$$` is a dollar sign.
///
/// A kept value is known only when the scenario runs: its name stays, marked by the place where it is kept.
struct Substitution {
  let bindings: Bindings
  /// What earlier steps keep.
  let kept: [KeptEntry]
  /// The names that were looked up, whether they exist or not.
  private(set) var used: Set<String> = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ bindings: Bindings, kept: [KeptEntry] = []) {
    self.bindings = bindings
    self.kept = kept
  }

  /// The node with all its names replaced; a scalar with an unknown name is refused.
  mutating func resolve(_ node: Node) -> Node {
    var result = node
    switch node.content {
    case .scalar(let text, let style): if text.utf8.contains(UInt8(ascii: "$")) { result = resolve(node, text, style) }
    case .sequence(let items): result.content = .sequence(items.map { resolve($0) })
    case .mapping(let entries): result.content = .mapping(entries.map { resolve($0) })
    case .absent, .refused: break
    }
    return result
  }

  /// The entry with the names in its value replaced; keys are never replaced.
  mutating func resolve(_ entry: Node.Entry) -> Node.Entry {
    var entry = entry
    entry.value = resolve(entry.value)
    return entry
  }

  private mutating func resolve(_ node: Node, _ text: String, _ style: Node.Style) -> Node {
    var result = node
    let pieces = Self.pieces(of: text)
    if case .name(let name)? = pieces.first, pieces.count == 1 {
      if let entry = kept.last(where: { $0.isVisible && $0.name.name == name }) {
        result.origin = entry.location
        return result
      }
      guard let value = look(up: name, at: node) else { return Node(.refused, at: node.location) }
      result.content = value.content
      result.origin = value.origin ?? value.location
      return result
    }
    var resolved = ""
    for piece in pieces {
      switch piece {
      case .text(let text): resolved += text
      case .name(let name):
        let entry = kept.last { $0.isVisible && $0.name.name == name }
        let value = entry == nil ? look(up: name, at: node) : nil
        guard entry == nil, value.map({ KeptEntry.meant(by: $0, among: kept) }) ?? nil == nil else {
          diagnostics.append(
            Diagnostic(
              at: node.location, "`$\(Wording.shortened(name))` is known only when the scenario runs",
              expected: "the name alone, as a whole value"))
          return Node(.refused, at: node.location)
        }
        guard let text = value?.text else { return Node(.refused, at: node.location) }
        resolved += text
        result.origin = value?.origin ?? value?.location
      }
      guard resolved.utf8.count <= LanguageLimits.textLength else {
        diagnostics.append(
          Diagnostic(
            at: node.location, "the text is too long after substitution",
            expected: "at most \(LanguageLimits.textLength) bytes"))
        return Node(.refused, at: node.location)
      }
    }
    result.content = .scalar(resolved, style)
    return result
  }

  /// The value of a name; reported when there is none.
  mutating func look(up name: String, at node: Node) -> Node? {
    used.insert(name)
    if let value = bindings[name] { return value }
    let known = bindings.names + kept.filter(\.isVisible).map(\.name.name)
    let nearest = Spelling.nearest(to: name, among: known)
    let names = known.map { "$" + $0 }
    diagnostics.append(
      Diagnostic(
        at: node.location, "unknown name `$\(Wording.shortened(name))`",
        expected: names.isEmpty
          ? "a value; neither `matrix`, parameters nor `keep` define names here; write `$$` for a dollar sign"
          : Wording.choices(names),
        suggestion: nearest.map { "$" + $0 }))
    return nil
  }

  /// A part of a text.
  enum Piece: Hashable {
    case text(String)
    case name(String)
  }

  /// A text cut at its `$names`.
  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "$" else {
        literal.append(character)
        continue
      }
      if rest.first == "$" {
        literal.append("$")
        rest = rest.dropFirst()
        continue
      }
      let name = String(rest.prefix(while: isNameCharacter))
      guard let first = name.first, first.isLetter else {
        literal.append("$")
        continue
      }
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
      pieces.append(.name(name))
      rest = rest.dropFirst(name.count)
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    return pieces
  }

  /// Whether a text can be the name of a variable or a parameter.
  static func isName(_ text: String) -> Bool {
    text.first?.isLetter == true && text.utf8.count <= 64 && text.allSatisfy(isNameCharacter)
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }
}
