import YAML

/// One problem of a file, for people and for editors.
public struct Diagnostic: Hashable, Sendable {
  /// The severity.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The scenario cannot run.
    case error
    /// The scenario runs, but probably not as meant.
    case warning
  }

  /// How much a message helps; the more useful kinds are shown first.
  enum Usefulness: Int, Hashable, Sendable, Comparable {
    /// Nothing after it can be trusted.
    case structure
    /// A word or value is wrong and the right one is known.
    case spelling
    /// A word or value is wrong.
    case content
    /// Something is missing or superfluous, perhaps because of another problem.
    case consequence

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// A related location.
  public typealias Note = YAMLProblem.Note

  /// The severity.
  public let severity: Severity
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
  let usefulness: Usefulness
  /// How many others of its severity were found with it and are not kept, because there are too many.
  fileprivate(set) var others = 0

  init(
    _ severity: Severity = .error, at location: SourceLocation, _ message: String, expected: String? = nil,
    suggestion: String? = nil, notes: [Note] = [], usefulness: Usefulness? = nil
  ) {
    self.severity = severity
    self.location = location
    self.message = message
    self.expected = expected
    self.suggestion = suggestion
    self.notes = notes
    self.usefulness = usefulness ?? (suggestion == nil ? .content : .spelling)
  }

  /// An error that another room found in what was read: what is wrong, what may stand there, and the nearest spelling.
  public init(at location: SourceLocation, _ message: String, expected: String, suggestion: String? = nil) {
    self.init(.error, at: location, message, expected: expected, suggestion: suggestion, usefulness: nil)
  }

  /// Errors first, then by usefulness, then by place.
  static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    if left.severity != right.severity { return left.severity == .error }
    if left.usefulness != right.usefulness { return left.usefulness < right.usefulness }
    return SourceLocation.precedes(left.location, right.location)
  }
}

/// Problems in the making: each is counted once, and of each severity no more are kept than the limit, so that warnings
/// take no error's place.
struct DiagnosticBag {
  private var kept: [Diagnostic] = []
  /// How many there are of each severity, whether they are kept or not.
  private var counts: [Diagnostic.Severity: Int] = [:]
  private var seen: Set<Diagnostic> = []

  /// Whether an error is among them.
  var hasErrors: Bool { counts[.error] != nil }

  /// Those that are kept, in order of appearance; the last of each severity knows how many others there are.
  var diagnostics: [Diagnostic] {
    var diagnostics = kept
    for severity in Diagnostic.Severity.allCases {
      guard let count = counts[severity] else { continue }
      guard let last = kept.lastIndex(where: { $0.severity == severity }) else { continue }
      diagnostics[last].others = count - kept.count { $0.severity == severity }
    }
    return diagnostics
  }

  mutating func report(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.severity] ?? 0
    guard count < LanguageLimits.countedDiagnostics, seen.insert(diagnostic).inserted else { return }
    counts[diagnostic.severity] = count + 1 + diagnostic.others
    guard count < LanguageLimits.diagnostics else { return }
    var alone = diagnostic
    alone.others = 0
    kept.append(alone)
  }

  mutating func report(_ others: [Diagnostic]) {
    for diagnostic in others { report(diagnostic) }
  }
}
