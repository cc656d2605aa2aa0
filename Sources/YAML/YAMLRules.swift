/// How much of a file is read, and which plain scalars its language gives a meaning of its own.
public struct YAMLRules: Sendable {
  /// Bytes of one file. What is longer is refused before any of it is looked at.
  public let bytes: Int
  /// How deep lists and mappings may nest.
  public let depth: Int
  /// Problems that are collected; reading goes on without noting more.
  public let problems: Int
  /// Whether a plain scalar that YAML 1.1 takes for a number to base sixty is a notation of the language, such as an
  /// address or a UTC offset.
  public let isNotation: @Sendable (String) -> Bool
  /// What to write instead of digits with leading zeros where they are an identifier of the language; `nil` for a number.
  public let identifier: @Sendable (String) -> String?
  /// What to write instead of anchors, aliases and merge keys.
  public let sharing: String

  /// Limits, and the notations of a language; none unless stated.
  public init(
    bytes: Int = 1 << 20, depth: Int = 32, problems: Int = 100,
    isNotation: @escaping @Sendable (String) -> Bool = { _ in false },
    identifier: @escaping @Sendable (String) -> String? = { _ in nil }, sharing: String = "the value itself"
  ) {
    self.bytes = bytes
    self.depth = depth
    self.problems = problems
    self.isNotation = isNotation
    self.identifier = identifier
    self.sharing = sharing
  }
}
