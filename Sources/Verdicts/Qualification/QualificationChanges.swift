/// What differs between two qualifications.
package struct QualificationChanges: Hashable, Sendable, Codable {
  /// A requirement on a target of which both say something.
  package struct Change: Hashable, Sendable, Codable {
    /// Id of the requirement.
    package var requirement: String
    /// The target.
    package var target: String
    /// What was said before.
    package var before: Qualification.Finding
    /// What is said now.
    package var now: Qualification.Finding
    /// Why it is broken now, or was before; `nil` where neither says.
    package var reason: String?
  }

  /// A requirement on a target of which only the later one says something.
  package struct Gap: Hashable, Sendable, Codable {
    /// Id of the requirement.
    package var requirement: String
    /// The target.
    package var target: String
  }

  /// The firmware of the earlier qualification.
  package var against: String
  /// What held before, or was not tried, and is broken now.
  package var newlyBroken: [Change] = []
  /// What was broken before and holds now.
  package var newlyMended: [Change] = []
  /// What was broken before and still is.
  package var unchanged: [Change] = []
  /// Requirements that held before and are unknown now.
  package var evidenceLost: [Change] = []
  /// What is shown or broken now, and of which the earlier one has no result; `nil` in documents from before it was kept.
  package var incomparable: [Gap]?
  /// Scenarios that fail now and did not, as `SCENARIO on TARGET`.
  package var newlyFailing: [String] = []
  /// Scenarios that failed and do not any more.
  package var noLongerFailing: [String] = []

  /// Compares a qualification with an earlier one.
  package init(_ now: Qualification, since before: Qualification) {
    against = before.firmware
    var gaps: [Gap] = []
    for row in now.rows {
      let old = before.rows.first { $0.requirement.id == row.requirement.id }
      for cell in row.cells {
        let earlier = old?.cells.first { $0.target == cell.target }
        if cell.finding.isResult, earlier?.finding.isResult != true {
          gaps.append(Gap(requirement: row.requirement.id, target: cell.target))
        }
        guard let earlier else { continue }
        let change = Change(
          requirement: row.requirement.id, target: cell.target, before: earlier.finding, now: cell.finding,
          reason: cell.finding.isBroken ? cell.reason : earlier.reason)
        switch (earlier.finding.isBroken, cell.finding.isBroken) {
        case (false, true): newlyBroken.append(change)
        case (true, true): unchanged.append(change)
        case (true, false): if cell.finding.isGood { newlyMended.append(change) } else { evidenceLost.append(change) }
        case (false, false): if earlier.finding.isGood, !cell.finding.isGood { evidenceLost.append(change) }
        }
      }
    }
    incomparable = gaps
    let (old, new) = (before.failures.map(\.name), now.failures.map(\.name))
    newlyFailing = new.filter { !old.contains($0) }
    noLongerFailing = old.filter { !new.contains($0) }
  }
}

extension Qualification.Finding {
  /// Whether something was found out.
  fileprivate var isResult: Bool { isGood || isBroken }
}

extension Qualification.Failure {
  /// The scenario and its target.
  fileprivate var name: String { "\(scenario) on \(target)" }
}
