import YAML

/// The stated fields of one verb, section or group, checked and decoded.
///
/// Values are read by the field that declared them: `arguments[Self.hold]`.
public struct Arguments: Hashable, Sendable, CustomStringConvertible {
  /// One stated field.
  public struct Entry: Hashable, Sendable {
    /// The field's name.
    public let name: String
    /// Its value.
    public let value: Value
    /// Where the value is written.
    public let location: SourceLocation
  }

  /// The stated fields in the order of the file.
  public private(set) var entries: [Entry]

  /// Nothing stated: every field has its default.
  public init() { entries = [] }

  init(_ entries: [Entry]) { self.entries = entries }

  /// The value of a field: what the file states, else the field's default. Traps when a required field is read
  /// that was not part of the declaration, a bug of the verb.
  public subscript<Content>(field: Field<Content>) -> Content {
    let name = field.declaration.name
    if let entry = entry(name) {
      guard let content = Content(entry.value) else { preconditionFailure("field \(name) was declared otherwise") }
      return content
    }
    guard let content = field.whenAbsent else { preconditionFailure("field \(name) is not part of the declaration") }
    return content
  }

  /// Whether the file states this field.
  public func states(_ field: some FieldKey) -> Bool { entry(field.declaration.name) != nil }

  /// Where the file states this field; `nil` when it does not.
  public func location(of field: some FieldKey) -> SourceLocation? { entry(field.declaration.name)?.location }

  func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

  /// The fields as they would be written in braces.
  public var description: String {
    "{" + entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
  }
}

/// The outcome of a verb or the contents of an event: values of declared fields.
public struct Findings: Hashable, Sendable, CustomStringConvertible {
  private var entries: [(name: String, values: [Value])] = []

  /// Nothing found yet.
  public init() {}

  /// States a value; stating a field again replaces it.
  public mutating func set<Content: FieldValue>(_ field: Field<Content>, _ content: Content) {
    set(field.declaration.name, content.encoded.map { [$0] } ?? [])
  }

  /// States several values that are all true of one field, such as a record's digits and the word `newest`.
  /// A matcher is met when one of them meets it.
  public mutating func set(_ field: some FieldKey, anyOf values: [Value]) {
    set(field.declaration.name, values)
  }

  private mutating func set(_ name: String, _ values: [Value]) {
    entries.removeAll { $0.name == name }
    entries.append((name, values))
  }

  /// The values stated for a field; empty when it is absent.
  public subscript(name: String) -> [Value] { entries.first { $0.name == name }?.values ?? [] }

  /// The fields of these names.
  func only(_ names: [String]) -> Findings {
    var kept = self
    kept.entries.removeAll { !names.contains($0.name) }
    return kept
  }

  /// Whether no field has a value.
  var isEmpty: Bool { entries.allSatisfy(\.values.isEmpty) }

  /// The findings as they would be written in braces.
  public var description: String { inBraces(\.description) }

  /// The findings in braces for people: durations in the units in which one thinks.
  package var plainText: String { inBraces(\.plainText) }

  private func inBraces(_ words: (Value) -> String) -> String {
    let fields = entries.compactMap { entry in entry.values.first.map { "\(entry.name): \(words($0))" } }
    return "{" + fields.joined(separator: ", ") + "}"
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.entries.count == right.entries.count
      && zip(left.entries, right.entries).allSatisfy { $0.name == $1.name && $0.values == $1.values }
  }

  public func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry.name)
      hasher.combine(entry.values)
    }
  }
}
