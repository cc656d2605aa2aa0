import Text
import YAML

/// The keys of a scenario that are the same in every cell.
struct FileHeader {
  let id: String?
  /// The requirements after `verifies:`, and where each is written.
  let verified: [(id: String, location: SourceLocation)]
  let tags: [String]
  let needs: [Capability]
  let timeout: Duration?

  /// Reads and checks them; problems are reported.
  init(_ root: Node, _ vocabulary: Vocabulary, _ decoder: inout ValueDecoder) {
    decoder.checkKeys(root.entries ?? [], among: Keyword.scenario.map(\.name), of: "a scenario")
    id = Self.identifier(root, &decoder)
    verified = Self.requirements(root, vocabulary, &decoder)
    tags = Self.words(root["tags"], called: "tags", &decoder)
    needs = root["needs"].map { Self.needs($0, vocabulary, &decoder) } ?? []
    timeout = root["timeout"].flatMap { decoder.duration($0, called: "timeout") }
    if let node = root["scenario"], !Self.isLine(node.text ?? "", limit: LanguageLimits.titleLength) {
      decoder.report(
        node, "the scenario's title is empty or too long",
        expected: "one line that says what is true when it passes, of at most \(LanguageLimits.titleLength) bytes")
    }
  }

  /// The ids after `verifies:`.
  var requirements: [String] { verified.map(\.id) }

  /// Whether another key of the file is probably meant as this one, so that it is not missing as well.
  static func isMisspelt(_ key: String, in root: Node) -> Bool {
    let keys = Keyword.scenario.map(\.name)
    return (root.entries ?? []).contains {
      !keys.contains($0.key) && Spelling.nearest(to: $0.key, among: keys) == key
    }
  }

  /// Whether a text is one line, not empty and not too long.
  static func isLine(_ text: String, limit: Int) -> Bool {
    !text.isEmpty && text.utf8.count <= limit && !text.utf8.contains(UInt8(ascii: "\n"))
  }

  /// Whether a text is made of small letters, digits and single hyphens, and begins with a letter or digit.
  static func isIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return text.utf8.count <= 100
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      }
  }

  private static func identifier(_ root: Node, _ decoder: inout ValueDecoder) -> String? {
    guard let node = root["id"] else {
      guard !isMisspelt("id", in: root) else { return nil }
      let title = root.entries?.first { $0.key == "scenario" }
      decoder.report(
        Node(.absent, at: title?.keyLocation ?? root.location), "the scenario has no `id`",
        expected: "`id:` and a unique, stable name", suggestion: title?.value.text.map { "id: \(suggestedID($0))" },
        usefulness: .consequence)
      return nil
    }
    guard let text = node.text, isIdentifier(text) else {
      decoder.report(
        node, "\(node.kind) cannot be an id", expected: "small letters, digits and hyphens, such as `sync-twice`",
        suggestion: node.text.map(suggestedID))
      return nil
    }
    return text
  }

  /// The words of a text as an id.
  static func suggestedID(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "name-of-the-scenario" : words.prefix(8).joined(separator: "-")
  }

  private static func requirements(
    _ root: Node, _ vocabulary: Vocabulary, _ decoder: inout ValueDecoder
  ) -> [(id: String, location: SourceLocation)] {
    guard let node = root["verifies"], node.items?.isEmpty != true else {
      let title = root.entries?.first { $0.key == "verifies" || $0.key == "scenario" }
      guard !isMisspelt("verifies", in: root) else { return [] }
      decoder.bag.report(
        Diagnostic(
          .warning, at: title?.keyLocation ?? root.location, "the scenario names no requirement",
          expected: "`verifies:` and requirement ids"))
      return []
    }
    let names = texts(node, called: "verifies", &decoder)
    for name in names where !vocabulary.requirements.isEmpty && !vocabulary.requirements.contains(name.text) {
      decoder.report(
        name.node, "unknown requirement `\(Wording.shortened(name.text))`",
        expected: "an id of the requirements file",
        suggestion: Spelling.nearest(to: name.text, among: vocabulary.requirements))
    }
    return names.map { ($0.text, $0.node.location) }
  }

  /// Words without blanks, each once.
  private static func words(_ node: Node?, called name: String, _ decoder: inout ValueDecoder) -> [String] {
    guard let node else { return [] }
    let words = texts(node, called: name, &decoder)
    for word in words where !TagExpression.isTag(word.text) {
      decoder.report(
        word.node, "`\(Wording.shortened(word.text))` cannot be a tag",
        expected: "letters, digits, `-`, `_` and `.`, but not `and`, `or`, `not`")
    }
    return words.map(\.text)
  }

  private static func texts(
    _ node: Node, called name: String, _ decoder: inout ValueDecoder
  ) -> [(text: String, node: Node)] {
    guard decoder.value(node, .list(.text), called: name) != nil else { return [] }
    var seen: Set<String> = []
    return (node.items ?? [node]).compactMap { item in
      guard let text = item.text else { return nil }
      if !seen.insert(text).inserted {
        decoder.bag.report(
          Diagnostic(
            .warning, at: item.location, "duplicate `\(Wording.shortened(text))`", expected: "each entry once"))
        return nil
      }
      return (text, item)
    }
  }

  private static func needs(_ node: Node, _ vocabulary: Vocabulary, _ decoder: inout ValueDecoder) -> [Capability] {
    guard let entries = node.entries else {
      decoder.report(
        node, "`needs` cannot be \(node.kind)",
        expected: "categories with names in braces, such as `{actuators: [button]}`")
      return []
    }
    var categories: [String] = []
    for capability in vocabulary.capabilities where !categories.contains(capability.category.rawValue) {
      categories.append(capability.category.rawValue)
    }
    decoder.checkKeys(entries, among: categories, of: "`needs`", word: "category")
    var found: [Capability] = []
    for entry in entries where categories.contains(entry.key) {
      let known = vocabulary.capabilities.filter { $0.category.rawValue == entry.key }
      for item in texts(entry.value.standing(at: entry.keyLocation), called: entry.key, &decoder) {
        if let capability = known.first(where: { $0.name == item.text }) {
          found.append(capability)
        } else {
          decoder.report(
            item.node, "unknown capability `\(Wording.shortened(item.text))` in `\(entry.key)`",
            expected: Wording.choices(known.map(\.name)),
            suggestion: Spelling.nearest(to: item.text, among: known.map(\.name)))
        }
      }
    }
    return found
  }
}
