import Bytes
import YAML

extension YAMLRules {
  /// What the scenario language accepts of YAML: its limits and its own notations.
  static let scenario = YAMLRules(
    bytes: LanguageLimits.fileBytes, depth: LanguageLimits.depth, problems: LanguageLimits.countedDiagnostics,
    // UTC offsets and addresses look like numbers to base sixty.
    isNotation: { UTCOffset($0) != nil || $0.split(separator: ":").map(\.utf8.count) == [2, 2, 2, 2, 2, 2] },
    identifier: { RecordName($0) == nil ? nil : "a record's sixteen digits in quotes" },
    sharing: "`use:` for what is shared")
}

extension YAMLReader {
  /// Reads a file of the language.
  static func read(_ file: SourceFile) -> (root: Node?, diagnostics: [Diagnostic]) {
    let (root, problems) = read(file, rules: .scenario)
    return (root, problems.map { Diagnostic($0) })
  }
}

extension Diagnostic {
  /// What is wrong with a file as YAML.
  public init(_ problem: YAMLProblem) {
    let usefulness: Usefulness =
      switch problem.kind {
      case .structure: .structure
      case .spelling: .spelling
      case .content: .content
      }
    self.init(
      .error, at: problem.location, problem.message, expected: problem.expected, suggestion: problem.suggestion,
      notes: problem.notes, usefulness: usefulness)
  }
}
