/// Puts together what scenarios said on each target to what a qualification says.
package struct QualificationJudge: Sendable {
  /// What was learned on one target.
  package struct Column: Sendable {
    /// The target's name and counts.
    package var target: Qualification.Target
    /// What it is.
    package var kind: TargetKind
    /// What its scenarios say about requirements, in the order of the scenarios.
    package var statements: [RequirementStatement]

    package init(_ target: Qualification.Target, _ kind: TargetKind, _ statements: [RequirementStatement]) {
      self.target = target
      self.kind = kind
      self.statements = statements
    }
  }

  private let catalogue: RequirementCatalogue
  private let waivers: [Waiver]
  private let today: String

  /// A judge for a day, written as `2026-12-31`.
  package init(_ catalogue: RequirementCatalogue, waivers: [Waiver], today: String) {
    self.catalogue = catalogue
    self.waivers = waivers
    self.today = today
  }

  /// The rows of the requirements with these ids; of every requirement where there are none.
  package func rows(_ columns: [Column], of ids: [String]) -> [Qualification.Row] {
    let results = columns.map { RequirementResult.of($0.statements, in: catalogue, target: $0.kind) }
    return catalogue.requirements.indices.compactMap { index in
      let requirement = catalogue.requirements[index]
      guard ids.isEmpty || ids.contains(requirement.id) else { return nil }
      return Qualification.Row(
        requirement: requirement,
        cells: columns.indices.map { cell(results[$0][index], columns[$0]) })
    }
  }

  private func cell(_ result: RequirementResult, _ column: Column) -> Qualification.Cell {
    let id = result.requirement.id
    var cell = Qualification.Cell(
      target: column.target.name, finding: .notExercised, reason: result.outcome.reason, evidence: result.evidence,
      shownBy: result.shownBy)
    if let reason = result.requirement.judges.silenceAboutFirmware {
      (cell.finding, cell.reason, cell.evidence, cell.shownBy) = (.notObservable, reason, [], [])
      return cell
    }
    if let waiting = column.target.waiting {
      cell.reason = waiting
      return cell
    }
    let said = column.statements.filter { $0.requirement == id }
    switch result.outcome {
    case .violated: judgeViolation(said, &cell, id)
    case .shown: cell.finding = .shown
    case .partlyShown: cell.finding = .partlyShown
    case .notJudged: cell.finding = .notJudged
    case .notExercised: cell.finding = .notExercised
    case .notObservable: cell.finding = .notObservable
    }
    let blocked = column.target.blocked(about: id)
    if let first = blocked.first, cell.finding.isSilent, result.requirement.blindness(on: column.kind) == nil {
      (cell.finding, cell.reason) = (.notJudged, "\(first.scenario) is blocked: \(first.reason)")
      cell.evidence = blocked.prefix(RequirementResult.evidenceLimit).map(\.scenario)
    }
    // What one scenario shows as declared, or a waiver lets pass, hides no wrong declaration about another scenario.
    let mended = said.filter { $0.kind == .mended }
    if cell.finding != .violated, let first = mended.first {
      (cell.finding, cell.reason, cell.evidence) = (.mended, first.reason, sources(mended))
    }
    return cell
  }

  /// A violation that is not declared counts, unless a waiver holds today.
  private func judgeViolation(
    _ said: [RequirementStatement], _ cell: inout Qualification.Cell, _ id: String
  ) {
    let undeclared = said.filter { $0.kind == .violated }
    guard let first = undeclared.first else {
      cell.finding = .known
      return
    }
    (cell.finding, cell.reason, cell.evidence) = (.violated, first.reason, sources(undeclared))
    let candidates = waivers.filter { $0.requirement == id }
    guard let waiver = candidates.first(where: { !$0.isExpired(on: today) }) ?? candidates.last else { return }
    cell.waiver = waiver
    if waiver.isExpired(on: today) {
      cell.reason = "\(first.reason); the waiver of \(waiver.grantedBy) expired on \(waiver.until) (\(waiver.place))"
    } else {
      cell.finding = .waived
      cell.reason = "\(first.reason); \(waiver.sentence)"
    }
  }

  /// Who says so, each once.
  private func sources(_ said: [RequirementStatement]) -> [String] {
    var sources: [String] = []
    for source in said.map(\.source) where !sources.contains(source) { sources.append(source) }
    return sources
  }
}

extension Qualification.Finding {
  /// Whether nothing was found out.
  fileprivate var isSilent: Bool { [.notExercised, .notJudged, .notObservable].contains(self) }
}

extension JudgedParty {
  /// Whether what judges it is evidence about the firmware.
  var isTheFirmware: Bool { silenceAboutFirmware == nil }

  /// Why a requirement that judges this party is not evidence about the firmware; `nil` where it is.
  fileprivate var silenceAboutFirmware: String? {
    switch self {
    case .recorder, .pair: nil
    case .phone: "judges only the phone, and says nothing about the firmware"
    case .harness: "judges this harness, and says nothing about the firmware"
    }
  }
}
