import Text
import YAML

/// Resolves one cell of a scenario: its world and its steps.
struct CellReader {
  /// What is known where a step stands.
  struct Scope {
    /// The names that may be used.
    var bindings: Bindings
    /// The `use:` steps that led here.
    var usedFrom: [SourceLocation] = []
    /// The fragments that led here, by name.
    var chain: [String] = []
    /// The turns of the repetitions around.
    var turns: [Int] = []
  }

  /// A `when:` of the scenario's own file.
  struct ObservedCondition {
    let location: SourceLocation
    var everHeld: Bool
  }

  let vocabulary: Vocabulary
  let fragments: [Fragment]
  var decoder: ValueDecoder
  /// How many steps all cells of the file may still have.
  var fileBudget = LanguageLimits.stepsOfFile
  /// How many steps this cell may still have.
  var cellBudget = LanguageLimits.steps
  /// Names of the matrix that were used anywhere.
  var used: Set<String> = []
  /// Names of the fragments that were used anywhere.
  var usedFragments: Set<String> = []
  /// What steps claim to show, in order of appearance in all cells.
  var claims: [Claim] = []
  /// Where values are kept in any cell, each place once, with the names.
  var keptPlaces: [(name: String, location: SourceLocation)] = []
  /// The conditions met so far, in order of appearance.
  var conditions: [ObservedCondition] = []
  /// What `as:` may name, with the kind of section.
  var people: [(name: String, actor: Actor)] {
    get { decoder.people }
    set { decoder.people = newValue }
  }

  init(_ vocabulary: Vocabulary, _ fragments: [Fragment], _ decoder: ValueDecoder) {
    self.vocabulary = vocabulary
    self.fragments = fragments
    self.decoder = decoder
    self.decoder.names = vocabulary.names
  }

  /// Replaces names and reports unknown ones.
  mutating func resolve(_ node: Node, _ scope: Scope) -> Node {
    var substitution = Substitution(scope.bindings, kept: decoder.kept)
    let resolved = substitution.resolve(node)
    take(substitution, scope)
    return resolved
  }

  /// Keeps what a substitution found. A fragment's own parameters are not names of the matrix.
  mutating func take(_ substitution: Substitution, _ scope: Scope) {
    if scope.chain.isEmpty { used.formUnion(substitution.used) }
    decoder.bag.report(substitution.diagnostics)
  }

  /// The fragment that a `use` names, or `nil` when it was reported.
  mutating func fragment(_ node: Node, _ scope: Scope) -> Fragment? {
    guard let name = node.text else {
      decoder.report(node, "`use` cannot be \(node.kind)", expected: "the name of a fragment")
      return nil
    }
    guard let fragment = fragments.first(where: { $0.name == name }) else {
      let names = fragments.map(\.name)
      decoder.report(
        node, "unknown fragment `\(Wording.shortened(name))`",
        expected: names.isEmpty ? "a fragment; none is defined" : Wording.choices(names),
        suggestion: Spelling.nearest(to: name, among: names))
      return nil
    }
    guard !scope.chain.contains(name) else {
      let chain = (scope.chain + [name]).joined(separator: " → ")
      decoder.report(node, "the fragment `\(name)` uses itself: \(chain)", expected: "no recursion")
      return nil
    }
    guard scope.chain.count < LanguageLimits.fragmentDepth else {
      decoder.report(
        node, "fragments are nested too deeply", expected: "at most \(LanguageLimits.fragmentDepth) levels")
      return nil
    }
    usedFragments.insert(name)
    return fragment
  }

  /// What is known inside a fragment.
  mutating func scope(of fragment: Fragment, with arguments: Node?, at use: Node, _ scope: Scope) -> Scope {
    let resolved = arguments.map { resolve($0, scope) }
    var inner = scope
    inner.bindings = fragment.bindings(with: resolved, at: use, &decoder)
    inner.usedFrom.append(use.location)
    inner.chain.append(fragment.name)
    return inner
  }
}
