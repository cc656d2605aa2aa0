import Bytes
import Text

/// A value of a YAML file with its location.
package struct Node: Hashable, Sendable {
  /// What a node is.
  package enum Content: Hashable, Sendable {
    /// Text.
    case scalar(String, Style)
    /// Items in their order.
    case sequence([Node])
    /// Keys and values in their order; no key occurs twice.
    case mapping([Entry])
    /// A key without a value.
    case absent
    /// A value with a problem that is already reported.
    case refused
  }

  /// How a scalar is written.
  package enum Style: Hashable, Sendable {
    /// Without quotes.
    case plain
    /// In quotes of either kind, or as a block.
    case quoted
  }

  /// A key with its value.
  package struct Entry: Hashable, Sendable {
    /// The key's text.
    package let key: String
    /// Where the key is written.
    package let keyLocation: SourceLocation
    /// The value.
    package var value: Node

    /// A key with its value.
    package init(key: String, keyLocation: SourceLocation, value: Node) {
      self.key = key
      self.keyLocation = keyLocation
      self.value = value
    }
  }

  /// What it is.
  package var content: Content
  /// Where it is written.
  package var location: SourceLocation
  /// The location of the text that replaced a `$name`; `nil` without a replacement.
  package var origin: SourceLocation?

  /// A node at its place.
  package init(_ content: Content, at location: SourceLocation, origin: SourceLocation? = nil) {
    self.content = content
    self.location = location
    self.origin = origin
  }

  /// The text of a scalar, or `nil`.
  package var text: String? {
    if case .scalar(let text, _) = content { return text }
    return nil
  }

  /// The entries of a mapping, or `nil`.
  package var entries: [Entry]? {
    if case .mapping(let entries) = content { return entries }
    return nil
  }

  /// The items of a sequence, or `nil`.
  package var items: [Node]? {
    if case .sequence(let items) = content { return items }
    return nil
  }

  /// The value of a key, or `nil`.
  package subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }

  /// The node in a message: a short quotation or a kind.
  package var kind: String {
    switch content {
    case .scalar(let text, _): "`\(Wording.shortened(text))`"
    case .sequence: "a list"
    case .mapping: "fields in braces"
    case .absent, .refused: "nothing"
    }
  }

  /// The node on one line, as YAML.
  package var flowText: String {
    switch content {
    case .scalar(let text, .plain): text
    case .scalar(let text, .quoted): JSONValue.string(text).text
    case .sequence(let items): "[" + items.map(\.flowText).joined(separator: ", ") + "]"
    case .mapping(let entries): "{" + entries.map(\.flowText).joined(separator: ", ") + "}"
    case .absent, .refused: ""
    }
  }
}

extension Node.Entry {
  /// The entry on one line, as YAML.
  package var flowText: String { value.content == .absent ? key : "\(key): \(value.flowText)" }
}
