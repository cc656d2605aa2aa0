/// What is wrong with a file as YAML, at its place.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// How far the rest of the file can be trusted.
  public enum Kind: Hashable, Sendable {
    /// The file's structure is broken, or uses a part of YAML that is refused.
    case structure
    /// A word is ambiguous; another way of writing it is known.
    case spelling
    /// A key or a text is refused.
    case content
  }

  /// Another place that has to do with the problem.
  public struct Note: Hashable, Sendable {
    /// Where.
    public let location: SourceLocation
    /// What is there.
    public let message: String

    /// A remark about a place.
    public init(location: SourceLocation, message: String) {
      self.location = location
      self.message = message
    }
  }

  /// Where it is.
  public let location: SourceLocation
  /// What is wrong, in one clause; text from files in it is not escaped yet.
  public let message: String
  /// What may stand there instead.
  public let expected: String?
  /// The nearest valid spelling, as it would be written.
  public let suggestion: String?
  /// Other places that have to do with it.
  public let notes: [Note]
  /// How far the rest of the file can be trusted.
  public let kind: Kind

  /// A problem at a place.
  public init(
    at location: SourceLocation, _ message: String, expected: String? = nil, suggestion: String? = nil,
    notes: [Note] = [], kind: Kind = .content
  ) {
    self.location = location
    self.message = message
    self.expected = expected
    self.suggestion = suggestion
    self.notes = notes
    self.kind = kind
  }

  /// `file:line:column: message; expected …`, on one line and without the file's name where it has none.
  public var description: String {
    "\(location): \(message)" + (expected.map { "; expected \($0)" } ?? "")
      + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }
}
