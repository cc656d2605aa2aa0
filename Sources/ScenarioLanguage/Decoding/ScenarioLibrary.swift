import YAML

/// Scenario files that were read with a vocabulary: their scenarios and their problems.
public struct ScenarioLibrary: Sendable {
  /// The cells of every file without errors, in the order of the files and of their matrices.
  public private(set) var scenarios: [Scenario] = []
  /// All problems that are kept, in order of appearance.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The files, for showing their lines.
  public let files: [SourceFile]

  /// Reads files; those that begin with `fragment:` may be used by all others, wherever they stand in the list.
  public init(files: [SourceFile], vocabulary: Vocabulary) {
    self.files = files
    let sources = files.mapSideBySide { ParsedFile($0) }
    let fragments = Fragment.read(sources, &diagnostics)
    var used: Set<String> = []
    let scenarioFiles = sources.filter { !$0.isFragment }
    for read in scenarioFiles.mapSideBySide({ ScenarioFileReader.read($0, vocabulary, fragments) }) {
      diagnostics += read.diagnostics
      scenarios += read.scenarios
      used.formUnion(read.usedFragments)
    }
    diagnostics += CellReader.problems(of: fragments.filter { !used.contains($0.name) }, among: fragments, vocabulary)
    reportDoubledIDs()
  }

  /// The problems in words.
  public var report: DiagnosticReport { DiagnosticReport(diagnostics, files: files) }

  /// Whether anything is an error.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Two files must not share an id, since reports and replays name scenarios by it.
  private mutating func reportDoubledIDs() {
    var first: [String: Scenario] = [:]
    var reported: Set<SourceLocation> = []
    for scenario in scenarios {
      guard let other = first[scenario.id] else {
        first[scenario.id] = scenario
        continue
      }
      guard other.location != scenario.location, reported.insert(scenario.location).inserted else { continue }
      diagnostics.append(
        Diagnostic(
          at: scenario.location, "duplicate id `\(scenario.id)`", expected: "a unique id",
          notes: [.init(location: other.location, message: "first defined here")]))
    }
    scenarios.removeAll { reported.contains($0.location) }
  }
}

/// A file with its tree.
struct ParsedFile {
  let file: SourceFile
  let root: Node?
  let diagnostics: [Diagnostic]

  init(_ file: SourceFile) {
    self.file = file
    (root, diagnostics) = YAMLReader.read(file)
  }

  var isFragment: Bool { root?["fragment"] != nil }
}
