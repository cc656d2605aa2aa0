/// What a run says about one requirement of the catalogue, and by what.
package struct RequirementResult: Hashable, Sendable {
  /// The requirement.
  package var requirement: Requirement
  /// What the run says.
  package var outcome: RequirementOutcome
  /// Names of the scenarios, monitors and checks that say so, in their order; at most ``evidenceLimit``.
  package var evidence: [String]
  /// What shows each clause of the requirement, in the order of the clauses.
  package var shownBy: [ClauseEvidence] = []

  /// What shows one clause of a requirement.
  package struct ClauseEvidence: Hashable, Sendable, Codable {
    /// Reference to the clause, such as `DEV-9/transfer`.
    package var clause: String
    /// Names of the scenarios, monitors and checks that show it; at most ``RequirementResult/evidenceLimit``. Empty where
    /// nothing does.
    package var evidence: [String]
  }

  /// Names kept as evidence.
  package static let evidenceLimit = 8

  /// Whether a run that demands every requirement leaves this one open. What cannot be observed on the target is not
  /// demanded there, except of the harness itself, which has to be attested.
  package func isOutstanding(on target: TargetKind?) -> Bool {
    switch outcome {
    case .shown, .violated: false
    case .partlyShown, .notJudged, .notExercised: true
    case .notObservable:
      requirement.judges == .harness || target.map { requirement.blindness(on: $0) == nil } ?? true
    }
  }

  /// Puts together what scenarios, monitors and attestations say about every requirement of a catalogue.
  ///
  /// A clause is shown by a monitor that was met, by a marked assertion that was evaluated, or by an attestation; passing
  /// alone shows nothing. A scenario that failed violates what its failure names and nothing else. On a target where this
  /// house plays the phone, what judges only the phone is not about the device.
  package static func of(
    _ scenarios: [ScenarioReport], in catalogue: RequirementCatalogue, target: TargetKind,
    attestations: [Attestation] = []
  ) -> [RequirementResult] {
    of(scenarios.flatMap(RequirementStatement.of), in: catalogue, target: target, attestations: attestations)
  }

  /// Puts together what was said about every requirement of a catalogue.
  package static func of(
    _ statements: [RequirementStatement], in catalogue: RequirementCatalogue, target: TargetKind,
    attestations: [Attestation] = []
  ) -> [RequirementResult] {
    var testimonies: [String: Testimony] = [:]
    for statement in statements { testimonies[statement.requirement, default: Testimony()].take(statement) }
    return catalogue.requirements.map { requirement in
      var testimony = testimonies[requirement.id] ?? Testimony()
      for attestation in attestations where attestation.requirement == requirement.id {
        testimony.shows(attestation.clause.map { [$0] } ?? [], attestation.source)
      }
      return result(requirement, testimony, target)
    }
  }

  private static func result(
    _ requirement: Requirement, _ testimony: Testimony, _ target: TargetKind
  ) -> RequirementResult {
    let shownBy = requirement.clauses.map { clause in
      ClauseEvidence(
        clause: requirement.reference(to: clause), evidence: testimony.evidence(for: clause.id))
    }
    let missing = zip(requirement.clauses, shownBy).filter(\.1.evidence.isEmpty).map(\.0.id)
    var result = RequirementResult(
      requirement: requirement, outcome: .notExercised, evidence: [], shownBy: shownBy)
    let blindness = requirement.blindness(on: target)
    // A check attests what no run on the target can show.
    if let blindness, missing.count == shownBy.count || requirement.judges != .harness {
      result.outcome = .notObservable(blindness)
      result.shownBy = []
    } else if let first = testimony.violations.first {
      result.outcome = .violated(first.reason)
      result.evidence = Array(testimony.violations.map(\.source).prefix(evidenceLimit))
    } else if missing.count < shownBy.count {
      result.outcome = missing.isEmpty ? .shown : .partlyShown(missing: missing)
      var sources: [String] = []
      for source in shownBy.flatMap(\.evidence) where !sources.contains(source) { sources.append(source) }
      result.evidence = Array(sources.prefix(evidenceLimit))
    } else {
      result.outcome = testimony.silence ?? .notExercised
    }
    return result
  }
}

/// What scenarios, monitors and checks say about one requirement.
private struct Testimony {
  private(set) var violations: [(reason: String, source: String)] = []
  /// Why nothing was learned, where that is known.
  private(set) var silence: RequirementOutcome?
  private var shown: [(clause: String, source: String)] = []

  /// Who shows a clause, each once.
  func evidence(for clause: String) -> [String] {
    Array(shown.lazy.filter { $0.clause == clause }.map(\.source).prefix(RequirementResult.evidenceLimit))
  }

  /// Takes that somebody shows clauses; none means the only one that there is.
  mutating func shows(_ clauses: [String], _ source: String) {
    for clause in clauses.isEmpty ? [""] : clauses
    where !shown.contains(where: { $0.clause == clause && $0.source == source }) {
      shown.append((clause, source))
    }
  }

  /// Takes that somebody saw it violated.
  mutating func isViolated(_ reason: String, _ source: String) {
    if !violations.contains(where: { $0.source == source }) { violations.append((reason, source)) }
  }

  private mutating func learnsNothing(_ outcome: RequirementOutcome) {
    silence = silence?.merged(with: outcome) ?? outcome
  }

  /// Takes what a scenario says.
  mutating func take(_ statement: RequirementStatement) {
    switch statement.kind {
    case .shown: shows(statement.clauses, statement.source)
    case .violated, .known: isViolated(statement.reason, statement.source)
    case .notObservable: learnsNothing(.notObservable(statement.reason))
    case .notJudged: learnsNothing(.notJudged(statement.reason))
    case .mended: break
    }
  }
}
