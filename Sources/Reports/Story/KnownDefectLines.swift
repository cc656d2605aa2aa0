import Text
import Verdicts

/// Renders what a run says about the defects that its firmware is declared to have, a line each.
enum KnownDefectLines {
  /// Lines shown of each sort; the summary has all.
  static let limit = 10

  /// The lines: first the defects that showed, then those about which the run says nothing, or that nobody has to show.
  /// A defect that should have shown and did not is a scenario's verdict.
  static func lines(_ tallies: [KnownDefectTally]) -> [String] {
    let shown = tallies.filter { $0.shown > 0 }.map { tally in
      "known: \(tally.defect.requirement) violated in \(Wording.count(tally.shown, "scenario")), as declared at "
        + tally.defect.description
    }
    let silent = tallies.filter { $0.shown + $0.mended == 0 }.map { tally in
      tally.held == 0
        ? "known: \(tally.defect.place) was not used: no scenario of this run exercised \(tally.defect.requirement)"
        : "known: \(tally.defect.place) was not used: \(tally.defect.requirement) held in "
          + "\(Wording.count(tally.held, "scenario")); name the scenarios in which it is violated, or remove the line"
    }
    return cut(shown) + cut(silent)
  }

  private static func cut(_ lines: [String]) -> [String] {
    lines.count > limit ? lines.prefix(limit) + ["  and \(lines.count - limit) more"] : lines
  }
}

extension RunStory {
  /// What the run says about the defects that its firmware is declared to have.
  package var knownDefects: [String] { KnownDefectLines.lines(report.knownDefects) }
}

extension RunReport {
  /// Requirements that are violated only as declared: no scenario failed for them.
  var undisputedDefects: [String] {
    let disputed = scenarios.flatMap { scenario -> [String] in
      guard case .failed(let failure) = scenario.verdict else { return [] }
      let violated = scenario.findings.filter { !$0.violations.isEmpty }.map(\.declaration.requirement)
      return violated + (failure.violated.isEmpty ? scenario.requirements : failure.requirements)
    }
    return knownDefects.filter { $0.shown > 0 }.map(\.defect.requirement).filter { !disputed.contains($0) }
  }
}
