import Bytes
import Text

/// A value of a YAML file with its location.
public struct Node: Hashable, Sendable {
  /// What a node is.
  public enum Content: Hashable, Sendable {
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
  public enum Style: Hashable, Sendable {
    /// Without quotes.
    case plain
    /// In quotes of either kind, or as a block.
    case quoted
  }

  /// A key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key's text.
    public let key: String
    /// Where the key is written.
    public let keyLocation: SourceLocation
    /// The value.
    public var value: Node

    /// A key with its value.
    public init(key: String, keyLocation: SourceLocation, value: Node) {
      self.key = key
      self.keyLocation = keyLocation
      self.value = value
    }
  }

  /// What it is.
  public var content: Content
  /// Where it is written.
  public var location: SourceLocation
  /// The location of the text that replaced a `$name`; `nil` without a replacement.
  public var origin: SourceLocation?

  /// A node at its place.
  public init(_ content: Content, at location: SourceLocation, origin: SourceLocation? = nil) {
    self.content = content
    self.location = location
    self.origin = origin
  }

  /// The text of a scalar, or `nil`.
  public var text: String? {
    if case .scalar(let text, _) = content { return text }
    return nil
  }

  /// The entries of a mapping, or `nil`.
  public var entries: [Entry]? {
    if case .mapping(let entries) = content { return entries }
    return nil
  }

  /// The items of a sequence, or `nil`.
  public var items: [Node]? {
    if case .sequence(let items) = content { return items }
    return nil
  }

  /// The value of a key, or `nil`.
  public subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }

  /// The node in a message: a short quotation or a kind.
  public var kind: String {
    switch content {
    case .scalar(let text, _): "`\(Wording.shortened(text))`"
    case .sequence: "a list"
    case .mapping: "fields in braces"
    case .absent, .refused: "nothing"
    }
  }

  /// The node on one line, as YAML.
  public var flowText: String {
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
  public var flowText: String { value.content == .absent ? key : "\(key): \(value.flowText)" }
}
