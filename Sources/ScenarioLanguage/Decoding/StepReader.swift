import YAML

/// Reads a scenario that is written while it runs, one line after the other.
///
/// A line is the inside of one step's braces, as ``Step/sentence`` shows a step: `phone: sync, expect: {downloaded: 2}`.
/// It may use what the lines before it kept. The world is stated by a line `given: {…}` before the first step. A line
/// that is refused leaves nothing behind.
package struct StepReader {
  /// What a line came to.
  package enum Reading {
    /// It states the world before the first step; what is stated, as a scenario file writes it after `given:`.
    case given(written: String)
    /// It is a step, or several that came by `repeat` or `use`; none where its `when` does not hold. `written` are the
    /// lines of the step in a scenario file.
    case steps([Step], written: [String])
    /// It cannot be understood, for these reasons.
    case refused(DiagnosticReport)
  }

  private var reader: CellReader
  private let vocabulary: Vocabulary
  private var hasSteps = false
  /// What a target needs for the world before the first step.
  private var givenNeeds: [Capability] = []
  /// The world before the first step.
  package private(set) var given: Given

  /// A reader of lines that may use the fragments among `files`.
  package init(_ vocabulary: Vocabulary, fragments files: [SourceFile] = []) {
    self.vocabulary = vocabulary
    var problems: [Diagnostic] = []
    let fragments = Fragment.read(files.map { ParsedFile($0) }, &problems)
    reader = CellReader(vocabulary, fragments, ValueDecoder())
    given = reader.given(nil, Self.scope)
  }

  /// What is known where a line stands: no name of a matrix.
  private static let scope = CellReader.Scope(bindings: Bindings([]))

  /// Reads a line; `path` and `number` are its place in messages.
  package mutating func read(_ line: String, in path: String, at number: Int) -> Reading {
    // The braces stand on lines of their own, so that columns are those of the line as it was typed.
    let file = SourceFile(path: path, text: "{\n\(line)\n}", firstLine: number - 1)
    let end = SourceLocation(file: path, line: number, column: line.unicodeScalars.count + 1)
    var attempt = self
    attempt.reader.decoder.bag = DiagnosticBag()
    attempt.reader.decoder.forgetCapabilities()
    let (root, problems) = YAMLReader.read(file)
    attempt.reader.decoder.bag.report(problems.map { $0.on(line: number, else: end) })
    let reading = root.map { attempt.reading($0) }
    guard let reading, !attempt.reader.decoder.bag.hasErrors else {
      return .refused(DiagnosticReport(attempt.reader.decoder.bag.diagnostics, files: [file]))
    }
    self = attempt
    return reading
  }

  private mutating func reading(_ root: Node) -> Reading {
    if let entry = root.entries?.first(where: { $0.key == "given" }) {
      readGiven(entry, root)
      return .given(written: entry.value.flowText)
    }
    let steps = reader.steps(Node(.sequence([root]), at: root.location), called: "steps", Self.scope)
    report(vocabulary.check(scenario(titled: "a line", id: "line", steps: steps)))
    hasSteps = true
    return .steps(steps, written: (root.entries ?? []).map(\.flowText))
  }

  private mutating func readGiven(_ entry: Node.Entry, _ root: Node) {
    guard !hasSteps else {
      return report([
        Diagnostic(at: entry.keyLocation, "`given` after a step", expected: "`given` before the first step")
      ])
    }
    reader.decoder.checkKeys(root.entries ?? [], among: ["given"], of: "a line with `given`")
    given = reader.given(entry.value.standing(at: entry.keyLocation), Self.scope)
    givenNeeds = reader.decoder.capabilities
    report(vocabulary.check(scenario(titled: "a line", id: "line", steps: [])))
  }

  private mutating func report(_ problems: [Diagnostic]) { reader.decoder.bag.report(problems) }

  /// A scenario in the world that was stated, with the steps of the last line and what a target needs for both.
  package func scenario(titled title: String, id: String, steps: [Step]) -> Scenario {
    let needs = givenNeeds + reader.decoder.capabilities.filter { !givenNeeds.contains($0) }
    return Scenario(
      title: title, id: id, cell: .single, requirements: [], tags: [], needs: needs, given: given,
      steps: steps, always: [], timeout: nil, location: steps.first?.location ?? .nowhere)
  }
}

extension Diagnostic {
  /// The same problem, where nothing points to braces that nobody wrote: a place on another line becomes `end`.
  fileprivate func on(line: Int, else end: SourceLocation) -> Diagnostic {
    Diagnostic(
      severity, at: location.line == line ? location : end, message, expected: expected, suggestion: suggestion,
      notes: notes.filter { $0.location.line == line }, usefulness: usefulness)
  }
}
