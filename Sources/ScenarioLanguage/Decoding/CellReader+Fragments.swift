import YAML

extension CellReader {
  /// What is wrong with fragments that no scenario uses, apart from what depends on their use.
  static func problems(
    of unused: [Fragment], among fragments: [Fragment], _ vocabulary: Vocabulary
  ) -> [Diagnostic] {
    var reader = CellReader(vocabulary, fragments, ValueDecoder())
    for fragment in unused { reader.tryOut(fragment) }
    return reader.decoder.bag.diagnostics
  }

  /// Reads a fragment that nothing uses, for its problems only. What its parameters stand for, and who takes part, is
  /// unknown, so the steps of all conditions are read, and what depends on a parameter or a name is not judged.
  mutating func tryOut(_ fragment: Fragment) {
    var attempt = self
    attempt.decoder.isTrying = true
    attempt.decoder.kept = []
    attempt.fileBudget = LanguageLimits.stepsOfFile
    attempt.cellBudget = LanguageLimits.steps
    let unknown = fragment.parameters.map {
      Bindings.Binding(name: $0.name, value: Node(.refused, at: $0.location))
    }
    let scope = Scope(bindings: Bindings(unknown), usedFrom: [fragment.location], chain: [fragment.name])
    if let given = fragment.given { _ = attempt.given(given, scope) }
    if let steps = fragment.steps { _ = attempt.steps(steps, called: "steps", scope) }
    decoder.bag = attempt.decoder.bag
  }
}
