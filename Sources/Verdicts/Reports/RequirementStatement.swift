/// One thing that one scenario says about one requirement. What a run, a ledger or a qualification says is put together
/// from these.
package struct RequirementStatement: Hashable, Sendable, Codable {
  /// What is said.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// Clauses were seen to hold.
    case shown
    /// It did not hold.
    case violated
    /// It did not hold, as it is declared for this scenario.
    case known
    /// It is declared not to hold for this scenario, but it held.
    case mended
    /// It cannot be seen here.
    case notObservable
    /// The scenario ended before anything could show it.
    case notJudged
  }

  /// Id of the requirement.
  package var requirement: String
  /// What is said.
  package var kind: Kind
  /// The clauses that were shown; empty for the only one, and for any other kind.
  package var clauses: [String]
  /// Who says it: the scenario, or a monitor in it.
  package var source: String
  /// Why, in one sentence; empty for what was shown.
  package var reason: String

  package init(_ requirement: String, _ kind: Kind, clauses: [String] = [], source: String, reason: String = "") {
    self.requirement = requirement
    self.kind = kind
    self.clauses = clauses
    self.source = source
    self.reason = reason
  }

  /// All that one scenario says.
  ///
  /// A clause is shown by a monitor that was met, or by a marked assertion that was evaluated. A scenario that failed
  /// violates what its failure names and nothing else.
  package static func of(_ scenario: ScenarioReport) -> [RequirementStatement] {
    var statements: [RequirementStatement] = []
    let violation: Kind = scenario.verdict.kind == .known ? .known : .violated
    if let failure = scenario.verdict.failure {
      statements += failure.requirements.map {
        RequirementStatement($0, violation, source: scenario.name, reason: failure.reason)
      }
    }
    for finding in scenario.findings {
      let (id, source) = (finding.declaration.requirement, "monitor in \(scenario.name)")
      switch finding.outcome {
      case .violated(let reason):
        statements.append(RequirementStatement(id, violation, source: source, reason: reason))
      case .shown:
        statements.append(
          RequirementStatement(id, .shown, clauses: finding.declaration.clauses, source: source))
      case .notObservable(let reason):
        statements.append(RequirementStatement(id, .notObservable, source: source, reason: reason))
      case .partlyShown, .notJudged, .notExercised: break
      }
    }
    if scenario.verdict.kind.judgesSteps {
      statements += marked(scenario.steps, scenario.name, violation)
    }
    if case .mended(let defect) = scenario.verdict {
      statements.append(
        RequirementStatement(
          defect.requirement, .mended, source: scenario.name, reason: scenario.verdict.reason ?? ""))
    }
    return statements + silences(of: scenario, spokenOf: statements)
  }

  /// What marked assertions say. A scenario shows a clause if all of its assertions about it held.
  private static func marked(_ steps: [StepReport], _ source: String, _ violation: Kind) -> [RequirementStatement] {
    var references: [String] = []
    for reference in steps.flatMap(\.shows) where !references.contains(reference) { references.append(reference) }
    var statements: [RequirementStatement] = []
    for reference in references {
      let id = RequirementReference.id(of: reference)
      let marked = steps.filter { $0.shows.contains(reference) }
      for step in marked where step.isDecided {
        guard case .failed(let reason, _) = step.outcome else { continue }
        statements.append(RequirementStatement(id, violation, source: source, reason: reason))
      }
      guard marked.allSatisfy({ $0.isDecided && $0.outcome.isPassed }) else { continue }
      let clauses = reference == id ? [] : [String(reference.dropFirst(id.count + 1))]
      statements.append(RequirementStatement(id, .shown, clauses: clauses, source: source))
    }
    return statements
  }

  /// The requirements that a scenario verifies and could not speak of.
  private static func silences(
    of scenario: ScenarioReport, spokenOf statements: [RequirementStatement]
  ) -> [RequirementStatement] {
    guard ![.passed, .known, .blocked].contains(scenario.verdict.kind) else { return [] }
    let spokenOf = statements.filter { [.shown, .violated, .known].contains($0.kind) }.map(\.requirement)
    let reason = "\(scenario.name) ended \(scenario.verdict.kind.rawValue) before anything could show it"
    return scenario.requirements.filter { !spokenOf.contains($0) }.map {
      RequirementStatement($0, .notJudged, source: scenario.name, reason: reason)
    }
  }
}

extension Verdict.Kind {
  /// Whether what single steps of such a scenario showed counts.
  fileprivate var judgesSteps: Bool {
    switch self {
    case .passed, .failed, .known, .mended: true
    case .benchError, .harnessError, .blocked, .flaky: false
    }
  }
}
