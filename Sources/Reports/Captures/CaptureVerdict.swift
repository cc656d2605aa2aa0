import Bytes
import Text
import Timeline
import Verdicts

/// Renders what `check` found in a capture.
package enum CaptureVerdict {
  /// Version of the members; it changes when one is taken away or changes its meaning.
  package static let schemaVersion = 1

  /// What a capture came to, in the order in which one hides the next.
  package enum Outcome: String, Sendable {
    /// A requirement was violated.
    case violated
    /// The file is broken, so that its end could not be judged; nothing was violated before.
    case broken
    /// Nothing was violated, because nothing that was seen shows any requirement.
    case nothingShown
    /// Nothing was violated, and something was shown.
    case holds

    /// The outcome of a report.
    package init(_ report: CaptureReport) {
      if report.isViolated {
        self = .violated
      } else if report.brokenBy != nil {
        self = .broken
      } else {
        self = report.findings.contains { $0.outcome == .shown } ? .holds : .nothingShown
      }
    }
  }

  /// What a finding says of its requirement, in the words of a run: a monitor that was met shows the clauses that it
  /// names, which are seldom all. Without a catalogue, those that are missing are not known.
  private static func outcome(_ finding: MonitorFinding, _ catalogue: RequirementCatalogue?) -> RequirementOutcome {
    let shown = finding.declaration.clauses
    guard finding.outcome == .shown else { return finding.outcome }
    guard let requirement = catalogue?[finding.declaration.requirement] else {
      return shown.isEmpty ? .shown : .partlyShown(missing: [])
    }
    let missing = requirement.clauses.map(\.id).filter { !$0.isEmpty && !shown.contains($0) }
    if missing.isEmpty { return .shown }
    return shown.isEmpty ? .notExercised : .partlyShown(missing: missing)
  }

  /// How many requirements are shown whole, and how many in part, by all monitors together.
  private static func counts(
    _ findings: [MonitorFinding], _ catalogue: RequirementCatalogue?
  ) -> (shown: Int, partly: Int) {
    var clauses: [String: Set<String>] = [:]
    var (shown, partly) = (0, 0)
    for finding in findings where finding.outcome == .shown {
      let id = finding.declaration.requirement
      clauses[id, default: []].formUnion(finding.declaration.clauses)
    }
    for id in clauses.keys.sorted() {
      let seen = clauses[id] ?? []
      let all = catalogue?[id]?.clauses.map(\.id).filter { !$0.isEmpty }
      if all.map(seen.isSuperset) ?? seen.isEmpty { shown += 1 } else if !seen.isEmpty { partly += 1 }
    }
    return (shown, partly)
  }

  /// The report as an object, for `--format json`. The catalogue says which clauses a requirement has.
  package static func document(
    _ report: CaptureReport, file: String, _ catalogue: RequirementCatalogue? = nil
  ) -> [UInt8] {
    let adapters = report.adapters.map { adapter in
      JSONValue.object(["index": .integer(Int(adapter.index)), "host": .string("\(adapter.source)")])
    }
    let findings = report.findings.map { finding in
      let outcome = outcome(finding, catalogue)
      return JSONValue.object([
        "requirement": .string(finding.declaration.requirement), "sentence": .string(finding.declaration.sentence),
        "clauses": .strings(finding.declaration.clauses),
        "judges": .string(finding.declaration.judges.rawValue), "outcome": .string(outcome.word),
        "reason": .optional(outcome.reason), "preconditions": .integer(finding.preconditions),
        "met": .integer(finding.met),
        "violations": .array(
          finding.violations.map { violation in
            .object([
              "virtualSeconds": .seconds(Instant.zero.duration(to: violation.instant)),
              "reason": .string(violation.reason),
            ])
          }),
      ])
    }
    return JSONValue.object([
      "schemaVersion": .integer(schemaVersion), "file": .string(file),
      "violated": .boolean(report.isViolated), "verdict": .string(Outcome(report).rawValue),
      "packets": .integer(report.packets),
      "events": .integer(report.events), "seconds": .seconds(report.span),
      "broken": .optional(report.brokenBy), "adapters": .array(adapters),
      "requirements": .array(findings), "open": .strings(report.open), "notJudged": .strings(report.notJudged),
    ]).document
  }

  /// The report for people; the answer stands first. The catalogue says which clauses a requirement has.
  package static func text(
    _ report: CaptureReport, file: String, _ style: ConsoleStyle, _ catalogue: RequirementCatalogue? = nil
  ) -> String {
    let (shown, partly) = counts(report.findings, catalogue)
    let word =
      switch Outcome(report) {
      case .violated: style.coloured("VIOLATED", .red)
      case .broken: style.coloured("BROKEN FILE", .yellow)
      case .nothingShown: style.coloured("NOTHING SHOWN", .yellow)
      case .holds: style.coloured("HOLDS", .green)
      }
    let (packets, requirements) = (Wording.count(report.packets, "packet"), Wording.count(shown, "requirement"))
    let span = DurationText.text(report.span)
    let parts = partly == 0 ? "" : ", \(partly) partly shown"
    var lines = ["\(word)  \(PlainText.escaped(file)): \(packets), \(span), \(requirements) shown\(parts)"]
    if let broken = report.brokenBy { lines.append("  the file was read only up to a damaged record: \(broken)") }
    lines += report.open.map { "  open: \(PlainText.escaped($0))" }
    lines += report.notJudged.map { "  not judged: \($0)" }
    return (lines + Self.lines(report.findings, style, catalogue)).joined(separator: "\n")
  }

  /// What monitors found, a line each.
  package static func lines(
    _ findings: [MonitorFinding], _ style: ConsoleStyle, _ catalogue: RequirementCatalogue? = nil
  ) -> [String] {
    findings.map { finding in
      let outcome = outcome(finding, catalogue)
      let colour: ConsoleStyle.Colour? =
        finding.outcome == .shown ? .green : finding.violations.isEmpty ? nil : .red
      let words = words(for: outcome)
      let name = colour.map { style.coloured(words, $0) } ?? words
      let reason = (told(outcome, of: finding) ?? outcome.reason).map { ": " + PlainText.escaped($0) } ?? ""
      let moment = finding.violations.first.map { " at \($0.instant) s" } ?? ""
      return "  \(finding.declaration.requirement)  \(name)\(reason)\(moment)"
    }
  }

  /// Which clauses are shown, and which are not; `nil` for what is not shown in part.
  private static func told(_ outcome: RequirementOutcome, of finding: MonitorFinding) -> String? {
    guard case .partlyShown(let missing) = outcome else { return nil }
    let rest = missing.isEmpty ? "" : " (not \(missing.joined(separator: ", ")))"
    return finding.declaration.clauses.joined(separator: ", ") + rest
  }

  /// The words for people; documents keep those of programs.
  private static func words(for outcome: RequirementOutcome) -> String {
    Qualification.Finding(rawValue: outcome.word)?.words ?? outcome.word
  }
}
