/// A problem of a file as YAML, with its location.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which kind of problem it is.
  public enum Kind: Hashable, Sendable {
    /// The file's structure is broken, or uses a part of YAML that is refused.
    case structure
    /// A word is ambiguous; another way of writing it is known.
    case spelling
    /// A key or a text is refused.
    case content
  }

  /// A related location.
  public struct Note: Hashable, Sendable {
    /// Where.
    public let location: SourceLocation
    /// A remark about the location.
    public let message: String

    /// A remark about a place.
    public init(location: SourceLocation, message: String) {
      self.location = location
      self.message = message
    }
  }

  /// The location of the problem.
  public let location: SourceLocation
  /// The problem in one clause. Text from files in it is not escaped.
  public let message: String
  /// What is allowed there.
  public let expected: String?
  /// The nearest valid spelling, as it would be written.
  public let suggestion: String?
  /// Related locations.
  public let notes: [Note]
  /// Which kind of problem it is.
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
