import Text
import YAML

extension CellReader {
  /// The references after `shows:` of a step to which `uses` led; those that are wrong are reported.
  mutating func shows(_ node: Node, _ action: Step.Action, usedFrom uses: [SourceLocation]) -> [String] {
    guard decoder.value(node, .list(.text), called: "shows") != nil else { return [] }
    if case .perform(let call) = action, !call.isAssertion, !decoder.isTrying {
      decoder.report(
        node, "`\(call.declaration.name)` asserts nothing, so it cannot show a requirement",
        expected: "`shows` on a step that can fail: with `expect`, `fails`, `eventually` or `never`")
      return []
    }
    return (node.items ?? [node]).compactMap { item in
      guard let text = item.text else { return nil }
      claims.append(Claim(reference: text, location: item.location, use: uses.first))
      // A fragment may be lent to scenarios that have other requirements.
      if !decoder.isTrying { check(text, item) }
      return text
    }
  }

  private mutating func check(_ reference: String, _ node: Node) {
    let known = vocabulary.showable.flatMap(\.references)
    guard !known.isEmpty, !known.contains(reference) else { return }
    let id = Claim.requirement(of: reference)
    let own = vocabulary.showable.first { $0.id == id }?.references
    decoder.report(
      node,
      own == nil
        ? "unknown requirement `\(Wording.shortened(reference))`"
        : "`\(Wording.shortened(reference))` is not a clause of \(id)",
      expected: own.map { Wording.choices($0) } ?? "a requirement or clause of the requirements file",
      suggestion: Spelling.nearest(to: reference, among: own ?? known))
  }
}

/// A reference after `shows:`, and where it is written.
struct Claim: Hashable {
  let reference: String
  let location: SourceLocation
  /// Where the scenario uses the fragment in which it is written; `nil` for the scenario's own steps.
  let use: SourceLocation?

  /// The id of the requirement.
  var requirement: String { Self.requirement(of: reference) }

  /// The id of the requirement in a reference.
  static func requirement(of reference: String) -> String {
    reference.firstIndex(of: "/").map { String(reference[..<$0]) } ?? reference
  }
}

extension ScenarioFileReader {
  /// Reports requirements that nothing in any cell can show, and claims of what the scenario does not verify.
  static func checkEvidence(
    _ scenarios: [Scenario], _ header: FileHeader, _ vocabulary: Vocabulary, _ reader: inout CellReader
  ) {
    guard !vocabulary.showable.isEmpty, !reader.decoder.bag.hasErrors else { return }
    let claimed = Set(reader.claims.map(\.requirement))
    let isIdle = scenarios.allSatisfy { ($0.steps + $0.always).allSatisfy(\.isWait) }
    for (requirement, location) in header.verified where !claimed.contains(requirement) {
      let declaration = vocabulary.showable.first { $0.id == requirement }
      guard isIdle || declaration?.isMonitored != true else { continue }
      let references = declaration?.references ?? [requirement]
      reader.decoder.bag.report(
        Diagnostic(
          at: location, "nothing in this scenario can show `\(Wording.shortened(requirement))`",
          expected: "`shows: \(references[0])` on the step that asserts it"
            + (references.count > 1 ? " (or \(Wording.choices(Array(references.dropFirst()))))" : "")))
    }
    var reported: Set<SourceLocation> = []
    for claim in reader.claims where !header.requirements.contains(claim.requirement) {
      // A fragment that is used more than once, or in several cells, is told of once.
      guard reported.insert(claim.location).inserted else { continue }
      reader.decoder.bag.report(
        Diagnostic(
          at: claim.location, "the scenario does not verify `\(Wording.shortened(claim.requirement))`",
          expected: "`\(Wording.shortened(claim.requirement))` in `verifies`",
          notes: claim.use.map { [.init(location: $0, message: "the scenario uses the fragment here")] } ?? []))
    }
  }
}

extension Step {
  /// Whether it only lets time pass.
  fileprivate var isWait: Bool { if case .wait = action { true } else { false } }
}
