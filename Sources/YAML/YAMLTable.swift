/// A list of mappings from words to text, as the catalogue of requirements and the fault table are.
///
/// ```yaml
/// - {fault: "air:clean", scenario: sync-basic, requirement: APP-1.1}
/// ```
package struct YAMLTable: Sendable {
  /// One cell of a row.
  package struct Field: Hashable, Sendable {
    /// The key's text.
    package let key: String
    /// The value's text.
    package let value: String
    /// Where the key is written.
    package let keyLocation: SourceLocation
    /// Where the value is written.
    package let location: SourceLocation
    /// The fields inside, where the value is a mapping; empty for text.
    package let fields: [Field]
  }

  /// One mapping of the list.
  package struct Row: Hashable, Sendable {
    /// Where it begins.
    package let location: SourceLocation
    /// Its fields in the order in which they are written; no key occurs twice.
    package let fields: [Field]

    /// The field of a key; `nil` where it is not written.
    package subscript(key: String) -> Field? { fields.first { $0.key == key } }
  }

  /// The mappings in order; empty for an empty file.
  package let rows: [Row]

  /// Reads a table. Throws the first problem of the file, or the place of whatever has another shape.
  ///
  /// The values of fields named in `mappings` are mappings from words to text; all others are text.
  package init(
    _ file: SourceFile, rules: YAMLRules = YAMLRules(), mappings: [String] = []
  ) throws(YAMLProblem) {
    let (root, problems) = YAMLReader.read(file, rules: rules)
    if let problem = problems.first { throw problem }
    guard let root else {
      rows = []
      return
    }
    guard let items = root.items else {
      throw YAMLProblem(at: root.location, "the file is not a list", expected: "a list of rows, `- key: value`")
    }
    rows = try items.map { item throws(YAMLProblem) in try Self.row(item, mappings) }
  }

  private static func row(_ item: Node, _ mappings: [String]) throws(YAMLProblem) -> Row {
    guard let entries = item.entries else {
      throw YAMLProblem(at: item.location, "\(item.kind) is not a row", expected: "`key: value`")
    }
    return Row(location: item.location, fields: try fields(entries, mappings))
  }

  private static func fields(_ entries: [Node.Entry], _ mappings: [String]) throws(YAMLProblem) -> [Field] {
    try entries.map { entry throws(YAMLProblem) in
      if mappings.contains(entry.key) {
        guard let inner = entry.value.entries, !inner.isEmpty else {
          throw YAMLProblem(
            at: entry.value.location, "`\(entry.key)` cannot be \(entry.value.kind)",
            expected: "words and text, `{a: …, b: …}`")
        }
        return Field(
          key: entry.key, value: "", keyLocation: entry.keyLocation, location: entry.value.location,
          fields: try fields(inner, []))
      }
      guard let text = entry.value.content == .absent ? "" : entry.value.text else {
        throw YAMLProblem(at: entry.value.location, "`\(entry.key)` cannot be \(entry.value.kind)", expected: "text")
      }
      return Field(
        key: entry.key, value: text, keyLocation: entry.keyLocation, location: entry.value.location, fields: [])
    }
  }
}
