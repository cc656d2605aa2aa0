import Text
import Verdicts

/// A qualification as Markdown, for the summary of a CI: the answer first, then what changed, then every requirement.
package enum QualificationMarkdown {
  /// GitHub refuses a step's summary of more than 1 MiB.
  static let limit = 1 << 20
  /// Scenarios or requirements that are named in one line of changes; the document has all.
  private static let listedNames = 5
  /// Octets that are kept for what is said at the end.
  private static let reserve = 4_096

  /// The text. Where it would be too long, its end is left out, and it says so.
  package static func text(_ qualification: Qualification) -> String {
    var text = heading(qualification)
    var isCut = false
    for line in lines(qualification) where !isCut {
      if text.utf8.count + line.utf8.count + reserve > limit {
        text += "\nThe rest is in `qualification.json`.\n"
        isCut = true
      } else {
        text += line + "\n"
      }
    }
    return text
  }

  /// The answer in one line, as the console says it too.
  package static func answer(_ qualification: Qualification) -> String {
    let counts = Qualification.Finding.allCases.compactMap { finding in
      let count = qualification.count(finding)
      return count > 0 ? "\(count) \(finding.words)" : nil
    }
    return "\(qualification.answer.words)  \(qualification.firmware): \(counts.joined(separator: ", "))"
  }

  /// What changed, a line each, for the console too.
  package static func changes(_ changes: QualificationChanges) -> [String] {
    func list(_ title: String, _ entries: [QualificationChanges.Change]) -> [String] {
      entries.map { change in
        let reason = change.reason.map { change.now.isBroken ? ": \($0)" : "; before: \($0)" } ?? ""
        return
          "\(title) \(change.requirement) on \(change.target) (\(change.before.words) → \(change.now.words))\(reason)"
      }
    }
    let rest = [
      incomparable(changes), names("fail now", changes.newlyFailing),
      names("fail no longer", changes.noLongerFailing),
    ]
    return list("newly broken", changes.newlyBroken) + list("newly mended", changes.newlyMended)
      + list("unchanged", changes.unchanged) + list("evidence lost", changes.evidenceLost)
      + rest.compactMap { $0 }
  }

  /// What the earlier qualification has no result of, in one line; `nil` where everything has something to compare with.
  static func incomparable(_ changes: QualificationChanges) -> String? {
    let gaps = (changes.incomparable ?? []).map { "\($0.requirement) on \($0.target)" }
    let count = gaps.count == 1 ? "1 requirement has" : "\(gaps.count) requirements have"
    return names("\(count) nothing to compare with", gaps)
  }

  /// What could not be tried on a target, a line for each reason, for the console too.
  package static func blocked(_ target: Qualification.Target) -> [String] {
    var reasons: [String] = []
    for blocked in target.blocked ?? [] where !reasons.contains(blocked.reason) { reasons.append(blocked.reason) }
    return reasons.compactMap { reason in
      let scenarios = (target.blocked ?? []).filter { $0.reason == reason }.map(\.scenario)
      return names("blocked on \(target.name), \(reason)", scenarios)
    }
  }

  /// A line with the first names, and how many more there are; `nil` without names.
  private static func names(_ title: String, _ names: [String]) -> String? {
    let rest = names.count > listedNames ? " and \(names.count - listedNames) more" : ""
    return names.isEmpty ? nil : "\(title): \(names.prefix(listedNames).joined(separator: ", "))\(rest)"
  }

  private static func heading(_ qualification: Qualification) -> String {
    """
    # \(cell(answer(qualification)))

    Plan \(cell(qualification.plan)), seed \(qualification.seed), \(cell(qualification.tool)), read on \
    \(cell(qualification.day)).


    """
  }

  private static func lines(_ qualification: Qualification) -> [String] {
    var lines = qualification.targets.map { "- \(cell($0.name)): \(cell($0.state))" }
    let blocked = qualification.targets.flatMap(Self.blocked)
    if !blocked.isEmpty { lines += ["", "## Blocked", ""] + blocked.map { "- \(cell($0))" } }
    if let changes = qualification.changes {
      lines += ["", "## Against \(cell(changes.against))", ""]
      let said = self.changes(changes)
      lines += said.isEmpty ? ["Nothing changed."] : said.map { "- \(cell($0))" }
    }
    lines += section("Violated or wrongly declared", qualification, [.violated, .mended])
    lines += section("Waived", qualification, [.waived])
    lines += section("Known", qualification, [.known])
    if !qualification.repeats.isEmpty {
      lines += ["", "## Repeated", ""]
      lines += qualification.repeats.map { "- \(cell("\($0.scenario) on \($0.target): \($0.sentence)"))" }
    }
    let targets = qualification.targets.map { cell($0.name) }
    lines += ["", "## Requirements", "", "| requirement | \(targets.joined(separator: " | ")) |"]
    lines.append("|---|" + targets.map { _ in "---|" }.joined())
    lines += qualification.rows.map { row in
      let findings = row.cells.map { cell($0.finding.words) }.joined(separator: " | ")
      return "| \(cell("\(row.requirement.id): \(row.requirement.sentence)")) | \(findings) |"
    }
    lines += measured(qualification)
    if !qualification.failures.isEmpty {
      lines += ["", "## Scenarios that did not pass", ""]
      lines += qualification.failures.flatMap(Self.failure)
    }
    return lines
  }

  /// A failure with the links to what explains it. A declared one needs no story.
  private static func failure(_ failure: Qualification.Failure) -> [String] {
    let links = [("trace page", failure.record?.page), ("capture", failure.record?.capture)]
      .compactMap { name, file in file.map { "[\(name)](\($0))" } }
    let tail = links.isEmpty ? "" : " (\(links.joined(separator: ", ")))"
    let line = "- \(cell("\(failure.verdict) \(failure.scenario) on \(failure.target): \(failure.sentence)"))\(tail)"
    guard failure.verdict != Verdict.Kind.known.rawValue else { return [line] }
    return [line] + (failure.record?.story ?? []).map { "  - \(cell("\($0.label): \($0.text)"))" }
  }

  /// What was measured, the suite's own score and what was not modelled.
  private static func measured(_ qualification: Qualification) -> [String] {
    var lines: [String] = []
    let figures = (qualification.figures ?? []).compactMap { figure in figure.spread.map { (figure, $0) } }
    if !figures.isEmpty {
      lines += ["", "## Measured", "", "| figure | target | smallest | middle | greatest |", "|---|---|---|---|---|"]
      lines += figures.map { figure, spread in
        "| \(cell("\(figure.name), \(figure.unit)")) | \(cell(figure.target)) | \(spread.smallest) | \(spread.middle) "
          + "| \(spread.greatest) |"
      }
    }
    if let score = qualification.killScore { lines += ["", score.sentence] }
    let notModelled = qualification.notModelled ?? []
    if !notModelled.isEmpty { lines += ["", "## Not modelled", ""] + notModelled.map { "- \(cell($0))" } }
    return lines
  }

  private static func section(
    _ title: String, _ qualification: Qualification, _ findings: [Qualification.Finding]
  ) -> [String] {
    let entries = qualification.rows.flatMap { row in
      row.cells.filter { findings.contains($0.finding) }.map { found in
        let evidence = found.evidence.isEmpty ? "" : " [\(found.evidence.joined(separator: ", "))]"
        return "\(row.requirement.id) on \(found.target) \(found.finding.words): \(found.reason ?? "")\(evidence)"
      }
    }
    return entries.isEmpty ? [] : ["", "## \(title)", ""] + entries.map { "- \(cell($0))" }
  }

  private static func cell(_ text: String) -> String { MarkdownText.escaped(text) }
}
