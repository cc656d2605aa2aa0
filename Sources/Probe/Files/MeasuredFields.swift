import Text
import YAML

/// Reads the fields of a measured profile: every one is known, and every problem has its place.
struct MeasuredFields {
  /// What is read.
  let node: Node
  /// What messages call it.
  let name: String

  /// The fields of a mapping, all of them among `keys`.
  init(_ node: Node, called name: String, _ keys: [String]) throws(YAMLProblem) {
    guard let entries = node.entries else {
      throw YAMLProblem(at: node.location, "\(name) cannot be \(node.kind)", expected: "`\(keys[0]): …`")
    }
    for entry in entries where !keys.contains(entry.key) {
      throw YAMLProblem(
        at: entry.keyLocation, "\(name) has no field `\(entry.key)`", expected: Wording.choices(keys),
        suggestion: Spelling.nearest(to: entry.key, among: keys).map { "`\($0)`" })
    }
    self.node = node
    self.name = name
  }

  /// The text of a field.
  func text(_ key: String) throws(YAMLProblem) -> String {
    if let text = try text(optional: key) { return text }
    throw missing(key)
  }

  /// The text of a field; `nil` where it is not stated.
  func text(optional key: String) throws(YAMLProblem) -> String? {
    guard let value = node[key] else { return nil }
    guard let text = value.text else {
      throw YAMLProblem(at: value.location, "`\(key)` cannot be \(value.kind)", expected: "text")
    }
    return text
  }

  /// What `read` makes of the text of a field; `expected` says what it takes.
  func value<Value>(_ key: String, expected: String, _ read: (String) -> Value?) throws(YAMLProblem) -> Value {
    if let value = try value(optional: key, expected: expected, read) { return value }
    throw missing(key)
  }

  /// The same; `nil` where the field is not stated.
  func value<Value>(
    optional key: String, expected: String, _ read: (String) -> Value?
  ) throws(YAMLProblem) -> Value? {
    guard let text = try text(optional: key), let node = node[key] else { return nil }
    guard let value = read(text) else {
      throw YAMLProblem(at: node.location, "`\(key)` cannot be \(node.kind)", expected: expected)
    }
    return value
  }

  private func missing(_ key: String) -> YAMLProblem {
    YAMLProblem(at: node.location, "\(name) lacks `\(key)`", expected: "`\(key): …`")
  }
}
