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

  /// The report as an object, for `--format json`.
  package static func document(_ report: CaptureReport, file: String) -> [UInt8] {
    let adapters = report.adapters.map { adapter in
      JSONValue.object(["index": .integer(Int(adapter.index)), "host": .string("\(adapter.source)")])
    }
    let findings = report.findings.map { finding in
      JSONValue.object([
        "requirement": .string(finding.declaration.requirement), "sentence": .string(finding.declaration.sentence),
        "judges": .string(finding.declaration.judges.rawValue), "outcome": .string(finding.outcome.word),
        "reason": .optional(finding.outcome.reason), "preconditions": .integer(finding.preconditions),
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

  /// The report for people; the answer stands first.
  package static func text(_ report: CaptureReport, file: String, _ style: ConsoleStyle) -> String {
    let shown = report.findings.count { $0.outcome == .shown }
    let word =
      switch Outcome(report) {
      case .violated: style.coloured("VIOLATED", .red)
      case .broken: style.coloured("BROKEN FILE", .yellow)
      case .nothingShown: style.coloured("NOTHING SHOWN", .yellow)
      case .holds: style.coloured("HOLDS", .green)
      }
    let (packets, requirements) = (Wording.count(report.packets, "packet"), Wording.count(shown, "requirement"))
    let span = DurationText.text(report.span)
    var lines = ["\(word)  \(PlainText.escaped(file)): \(packets), \(span), \(requirements) shown"]
    if let broken = report.brokenBy { lines.append("  the file was read only up to a damaged record: \(broken)") }
    lines += report.open.map { "  open: \(PlainText.escaped($0))" }
    lines += report.notJudged.map { "  not judged: \($0)" }
    return (lines + Self.lines(report.findings, style)).joined(separator: "\n")
  }
  /// What monitors found, a line each.
  package static func lines(_ findings: [MonitorFinding], _ style: ConsoleStyle) -> [String] {
    findings.map { finding in
      let colour: ConsoleStyle.Colour? =
        finding.outcome == .shown ? .green : finding.violations.isEmpty ? nil : .red
      let words = words(for: finding.outcome)
      let name = colour.map { style.coloured(words, $0) } ?? words
      let reason = finding.outcome.reason.map { ": " + PlainText.escaped($0) } ?? ""
      let moment = finding.violations.first.map { " at \($0.instant) s" } ?? ""
      return "  \(finding.declaration.requirement)  \(name)\(reason)\(moment)"
    }
  }

  /// The words for people; documents keep those of programs.
  private static func words(for outcome: RequirementOutcome) -> String {
    Qualification.Finding(rawValue: outcome.word)?.words ?? outcome.word
  }
}
