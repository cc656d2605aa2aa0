import ScenarioLanguage
import Verdicts

/// The defects that a firmware is declared to have, and what they make of a scenario's verdict.
///
/// A verdict depends on its scenario alone, never on what else was selected: shards, single scenarios and replays judge as
/// the whole run does.
package struct KnownDefects: Hashable, Sendable {
  /// A defect with its patterns.
  private struct Entry: Hashable, Sendable {
    let defect: KnownDefect
    let patterns: [NamePattern]

    init(_ defect: KnownDefect) {
      self.defect = defect
      patterns = defect.scenarios.map(NamePattern.init)
    }

    /// Whether it is declared for a scenario.
    func selects(_ report: ScenarioReport) -> Bool {
      patterns.isEmpty || patterns.contains { $0.matches(report.name) || $0.matches(report.id) }
    }

    /// Whether it explains a failure. A failure that names no requirement is one of what the scenario verifies.
    func covers(_ failure: DeviceFailure, in report: ScenarioReport) -> Bool {
      guard !failure.violated.isEmpty else { return report.requirements.contains(defect.requirement) }
      return failure.requirements.contains(defect.requirement)
    }

    /// Whether a scenario must show it: one that the entry names, or, where it names none, one that verifies the
    /// requirement.
    func isExpected(in report: ScenarioReport) -> Bool {
      !patterns.isEmpty || report.requirements.contains(defect.requirement)
    }
  }

  /// What a scenario says about a defect.
  private enum Word { case shown, held, nothing }

  private let entries: [Entry]

  /// The defects in the order of their file.
  package init(_ defects: [KnownDefect] = []) { entries = defects.map(Entry.init) }

  /// The same defects, each declared for every scenario: what a search makes up has no name that somebody could declare.
  package var everywhere: KnownDefects {
    KnownDefects(
      entries.map { entry in
        var defect = entry.defect
        defect.scenarios = []
        return defect
      })
  }

  /// The file that declares them, as the command line names it; `nil` without a defect.
  package var file: String? { entries.first?.defect.file }

  /// The verdict of a scenario that has ended, given its report without them.
  ///
  /// A failure is known only if every violation is declared: one that is not is never hidden. A declared defect that had
  /// to show and did not makes a verdict that would otherwise be good `mended`.
  package func verdict(of report: ScenarioReport) -> Verdict {
    let declared = entries.filter { $0.selects(report) }
    guard !declared.isEmpty, [.passed, .failed].contains(report.verdict.kind) else { return report.verdict }
    var first: Verdict?
    for failure in Self.failures(of: report) {
      guard let entry = declared.first(where: { $0.covers(failure, in: report) }) else { return .failed(failure) }
      first = first ?? .known(entry.defect, failure)
    }
    let mended = declared.first { $0.isExpected(in: report) && Self.word(about: $0, in: report) == .held }
    return mended.map { .mended($0.defect) } ?? first ?? report.verdict
  }

  /// Whether a defect of this requirement is declared for a scenario.
  package func declares(_ requirement: String, in report: ScenarioReport) -> Bool {
    entries.contains { $0.defect.requirement == requirement && $0.selects(report) }
  }

  /// What the scenarios of a run say about each of them.
  package func tallies(over reports: [ScenarioReport]) -> [KnownDefectTally] {
    entries.map { entry in
      var tally = KnownDefectTally(entry.defect)
      for report in reports where entry.selects(report) {
        switch Self.word(about: entry, in: report) {
        case .shown: tally.shown += 1
        case .held where entry.isExpected(in: report): tally.mended += 1
        case .held: tally.held += 1
        case .nothing: break
        }
      }
      return tally
    }
  }

  /// What decided the verdict, and the first violation of each further requirement.
  private static func failures(of report: ScenarioReport) -> [DeviceFailure] {
    guard let decisive = report.verdict.failure else { return [] }
    let further = report.findings.compactMap(\.violations.first).filter {
      !decisive.requirements.contains($0.requirement)
    }
    // Each requirement has to be declared for itself.
    let parts = decisive.requirements.map { id in
      var part = decisive
      part.violated = decisive.violated.filter { RequirementReference.id(of: $0) == id }
      return part
    }
    return (parts.isEmpty ? [decisive] : parts) + further.map(DeviceFailure.init)
  }

  private static func word(about entry: Entry, in report: ScenarioReport) -> Word {
    if failures(of: report).contains(where: { entry.covers($0, in: report) }) { return .shown }
    let requirement = entry.defect.requirement
    switch report.verdict {
    case .passed, .mended: break
    case .failed, .known:
      // After a step that failed, the rest of the scenario might still have shown the defect.
      guard report.steps.allSatisfy({ $0.outcome.isPassed }) else { return .nothing }
    case .benchError, .harnessError, .blocked, .flaky: return .nothing
    }
    // A scenario that shows nothing of the requirement says nothing of the defect either.
    let isAsserted = report.steps.contains { step in
      step.isDecided && step.outcome.isPassed && step.shows.contains { RequirementReference.id(of: $0) == requirement }
    }
    let finding = report.findings.first { $0.declaration.requirement == requirement }
    return isAsserted || finding?.outcome == .shown ? .held : .nothing
  }
}
