/// What a text of a scenario names outside of its file, such as a sound.
public struct NameKind: Hashable, Sendable {
  /// The kind in one or two words, such as `sound`.
  public let word: String
  /// What a message says may stand there: an article, a noun, an example.
  public let sentence: String

  /// A kind of name.
  public init(_ word: String, _ sentence: String) {
    self.word = word
    self.sentence = sentence
  }
}

/// Why a name cannot be used.
public struct NameProblem: Hashable, Sendable {
  /// What is wrong with it, in one clause.
  public let message: String
  /// What may stand there instead; the kind's own sentence where it is `nil`.
  public let expected: String?
  /// The nearest name that can be used.
  public let suggestion: String?

  /// A problem with a name.
  public init(_ message: String, expected: String? = nil, suggestion: String? = nil) {
    self.message = message
    self.expected = expected
    self.suggestion = suggestion
  }
}

/// Knows what scenarios may name outside of their files.
public protocol NameBook: Sendable {
  /// What is wrong with a name of this kind; `nil` for nothing.
  func problem(with name: String, of kind: NameKind) -> NameProblem?
}

/// A name book for readers that have nothing at hand to look a name up in: every name is taken as it is.
public struct OpenNameBook: NameBook {
  /// A book without entries.
  public init() {}

  /// Always `nil`.
  public func problem(with name: String, of kind: NameKind) -> NameProblem? { nil }
}
