/// What a run says about one requirement of the catalogue, and by what.
package struct RequirementResult: Hashable, Sendable {
  /// The requirement.
  package var requirement: Requirement
  /// What the run says.
  package var outcome: RequirementOutcome
  /// Names of the scenarios and monitors that say so, in their order; at most ``evidenceLimit``.
  package var evidence: [String]

  /// Names kept as evidence.
  package static let evidenceLimit = 8

  private struct Statement {
    var outcome: RequirementOutcome
    var source: String
  }

  /// Puts together what scenarios and monitors say about every requirement of a catalogue.
  ///
  /// A scenario that passed shows what it verifies; one that failed violates what its failure names, or else all that
  /// it verifies. Scenarios that broke down, were blocked or are flaky say nothing. On a target where this house plays
  /// the phone, what judges only the phone is not about the device.
  package static func of(
    _ scenarios: [ScenarioReport], in catalogue: RequirementCatalogue, target: TargetKind
  ) -> [RequirementResult] {
    catalogue.requirements.map { requirement in
      if let reason = requirement.blindness(on: target) {
        return RequirementResult(requirement: requirement, outcome: .notObservable(reason), evidence: [])
      }
      let said = scenarios.flatMap { says($0, about: requirement.id) }
      guard let first = said.first?.outcome else {
        return RequirementResult(requirement: requirement, outcome: .notExercised, evidence: [])
      }
      let outcome = said.reduce(first) { $0.merged(with: $1.outcome) }
      let evidence = said.filter { $0.outcome.word == outcome.word }.map(\.source)
      return RequirementResult(
        requirement: requirement, outcome: outcome, evidence: Array(evidence.prefix(evidenceLimit)))
    }
  }

  private static func says(_ scenario: ScenarioReport, about id: String) -> [Statement] {
    var result: [Statement] = []
    if scenario.requirements.contains(id) {
      switch scenario.verdict {
      case .passed: result.append(Statement(outcome: .shown, source: scenario.name))
      case .failed(let failure), .known(_, let failure):
        if failure.requirement == nil || failure.requirement == id {
          result.append(Statement(outcome: .violated(failure.reason), source: scenario.name))
        }
      case .benchError, .harnessError, .blocked, .flaky, .mended: break
      }
    }
    for finding in scenario.findings where finding.declaration.requirement == id {
      result.append(Statement(outcome: finding.outcome, source: "monitor in \(scenario.name)"))
    }
    return result
  }
}
