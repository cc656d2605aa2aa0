import Text
import YAML

/// Reads one scenario file into its cells.
enum ScenarioFileReader {
  /// The cells, empty when the file has errors, the names of the fragments that it uses, and everything that is wrong.
  static func read(
    _ source: ParsedFile, _ vocabulary: Vocabulary, _ fragments: [Fragment]
  ) -> (scenarios: [Scenario], usedFragments: Set<String>, diagnostics: [Diagnostic]) {
    var decoder = ValueDecoder()
    decoder.bag.report(source.diagnostics)
    guard let root = scenarioRoot(of: source, &decoder) else { return ([], [], decoder.bag.diagnostics) }
    let header = FileHeader(root, vocabulary, &decoder)
    let matrix = root["matrix"].map { Matrix($0, &decoder) } ?? Matrix()
    let local = inlineFragments(root, &decoder)
    if let steps = root["steps"], steps.items?.isEmpty ?? false {
      decoder.report(steps, "the scenario has no steps", expected: "at least one step")
    }
    var reader = CellReader(vocabulary, local + fragments, decoder)
    let cells = matrix.cells.map { cell($0, root, header, vocabulary, &reader) }
    reportUnused(matrix, in: root, &reader)
    checkTimeout(cells.compactMap { $0 }, root["timeout"], &reader)
    checkEvidence(cells.compactMap { $0 }, header, vocabulary, &reader)
    for fragment in local where !reader.usedFragments.contains(fragment.name) { reader.tryOut(fragment) }
    let isUsable = !reader.decoder.bag.hasErrors
    return (isUsable ? cells.compactMap { $0 } : [], reader.usedFragments, reader.decoder.bag.diagnostics)
  }

  /// The mapping of a file that is meant as a scenario; `nil` when it was reported.
  private static func scenarioRoot(of source: ParsedFile, _ decoder: inout ValueDecoder) -> Node? {
    let start = SourceLocation(file: source.file.path, line: 1, column: 1)
    guard let root = source.root, root.content != .absent else {
      if source.diagnostics.isEmpty {
        decoder.bag.report(
          Diagnostic(at: start, "the file is empty", expected: "a scenario", usefulness: .structure))
      }
      return nil
    }
    guard let entries = root.entries else {
      decoder.report(
        root, "a scenario cannot be \(root.kind)", expected: "`scenario:`, `id:`, `steps:`", usefulness: .structure)
      return nil
    }
    for required in ["scenario", "steps"] where root[required] == nil {
      guard !FileHeader.isMisspelt(required, in: root) else { continue }
      decoder.report(
        Node(.absent, at: entries.first?.keyLocation ?? start), "the file has no `\(required)`",
        expected: required == "scenario"
          ? "`scenario:` and what is true when it passes" : "`steps:` and a list of steps",
        usefulness: .consequence)
    }
    return root
  }

  private static func inlineFragments(_ root: Node, _ decoder: inout ValueDecoder) -> [Fragment] {
    guard let node = root["fragments"] else { return [] }
    guard let entries = node.entries else {
      decoder.report(node, "`fragments` cannot be \(node.kind)", expected: "names with `steps:` under them")
      return []
    }
    return entries.compactMap { Fragment($0.value.standing(at: $0.keyLocation), named: $0.key, &decoder) }
  }

  private static func cell(
    _ cell: Matrix.Cell, _ root: Node, _ header: FileHeader, _ vocabulary: Vocabulary,
    _ reader: inout CellReader
  ) -> Scenario? {
    let scope = CellReader.Scope(bindings: cell.bindings)
    reader.decoder.forgetCapabilities()
    header.needs.forEach { reader.decoder.need($0) }
    reader.cellBudget = LanguageLimits.steps
    let title = root["scenario"].map { reader.resolve($0, scope) }?.text
    reader.decoder.kept = []
    let given = reader.given(root["given"], scope)
    let steps = root["steps"].map { reader.steps($0, called: "steps", scope) } ?? []
    // The steps before may not have got as far as to keep anything.
    reader.decoder.kept = []
    let always = root["always"].map { reader.steps($0, called: "always", scope) } ?? []
    let location = root.entries?.first { $0.key == "scenario" }?.keyLocation ?? root.location
    guard let title, let id = header.id else { return nil }
    let scenario = Scenario(
      title: title, id: id, cell: cell.identity, requirements: header.requirements, tags: header.tags,
      needs: reader.decoder.capabilities, given: given, steps: steps, always: always, timeout: header.timeout,
      location: location)
    // What a check looks up may not be there when something else is wrong already.
    if !reader.decoder.bag.hasErrors { reader.decoder.bag.report(vocabulary.check(scenario)) }
    return scenario
  }

  /// Reports a limit below the time that the steps wait in any case, for which the products would be blamed.
  private static func checkTimeout(_ scenarios: [Scenario], _ node: Node?, _ reader: inout CellReader) {
    guard let node, let limit = scenarios.first?.timeout, let least = scenarios.map(\.waiting).max(), limit < least
    else { return }
    let text = Dimension.duration.text(least.baseUnits)
    reader.decoder.report(
      node, "`timeout` is shorter than the waits of the scenario, \(text) together", expected: "more than \(text)")
  }

  private static func reportUnused(_ matrix: Matrix, in root: Node, _ reader: inout CellReader) {
    for variable in matrix.variables where !reader.used.contains(variable.name) {
      reader.decoder.bag.report(
        Diagnostic(
          .warning, at: variable.location, "nothing uses `$\(variable.name)`",
          expected: "`$\(variable.name)` somewhere in the scenario", usefulness: .consequence))
    }
    for entry in root["fragments"]?.entries ?? [] where !reader.usedFragments.contains(entry.key) {
      reader.decoder.bag.report(
        Diagnostic(
          .warning, at: entry.keyLocation, "nothing uses the fragment `\(Wording.shortened(entry.key))`",
          expected: "`use: \(Wording.shortened(entry.key))` somewhere in the scenario", usefulness: .consequence))
    }
    for kept in reader.keptPlaces where !reader.decoder.usedKept.contains(kept.location) {
      reader.decoder.bag.report(
        Diagnostic(
          .warning, at: kept.location, "nothing uses `$\(kept.name)`",
          expected: "`$\(kept.name)` in a later step", usefulness: .consequence))
    }
    for condition in reader.conditions where !condition.everHeld {
      reader.decoder.bag.report(
        Diagnostic(
          .warning, at: condition.location, "this comparison is never true, so the step never runs",
          expected: "a comparison that is true in at least one cell of the matrix"))
    }
  }
}

extension Scenario {
  /// The time of its waits together: it lasts at least as long when it passes.
  fileprivate var waiting: Duration {
    steps.reduce(.zero) { sum, step in
      if case .wait(let span) = step.action { sum + span } else { sum }
    }
  }
}
