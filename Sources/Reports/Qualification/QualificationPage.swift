import Bytes
import Text
import Verdicts

/// A qualification as one HTML file that needs neither server nor network: the answer first, then what changed, then every
/// requirement with what shows it.
struct QualificationPage {
  /// The qualification.
  private let qualification: Qualification
  /// What earlier qualifications in the ledger came to, oldest first.
  private let history: [Qualification]

  init(_ qualification: Qualification, history: [Qualification] = []) {
    self.qualification = qualification
    self.history = history
  }

  /// The octets of the file.
  var octets: [UInt8] {
    let title = "\(qualification.answer.words): \(qualification.firmware)"
    return TracePage.page(
      title: title, script: QualificationPageScript.text, data: document.escaped,
      style: TracePageStyle.text + QualificationPageStyle.text,
      drawn: "<div id=\"drawn\">\(QualificationPlots(history + [qualification]).section)</div>")
  }

  private var document: JSONValue {
    let counts = Qualification.Finding.allCases.filter { qualification.count($0) > 0 }.map { finding in
      JSONValue.object([
        "finding": .string(finding.rawValue), "words": .string(finding.words),
        "count": .integer(qualification.count(finding)),
      ])
    }
    return .object([
      "answer": .string(qualification.answer.rawValue), "words": .string(qualification.answer.words),
      "firmware": .string(qualification.firmware), "meaning": .string(qualification.answer.meaning),
      "counts": .array(counts), "targets": .array(qualification.targets.map(Self.value)),
      "changes": qualification.changes.map(Self.value) ?? .null, "rows": .array(rows),
      "failures": .array(failures), "repeats": .array(repeats), "trend": .array(trend),
      "facts": .array(
        [
          .strings(["program", qualification.tool]), .strings(["plan", qualification.plan]),
          .strings(["seed", String(qualification.seed)]), .strings(["waivers as of", qualification.day]),
        ] + (qualification.environment ?? []).map { .strings([$0.name, $0.value]) }),
      "caveats": .strings(qualification.notModelled ?? []),
    ])
  }

  private static func value(_ target: Qualification.Target) -> JSONValue {
    .object([
      "name": .string(target.name),
      "state": .string(target.state), "blocked": .strings(QualificationMarkdown.blocked(target)),
      "isWaiting": .boolean(target.waiting != nil),
    ])
  }

  private static func value(_ changes: QualificationChanges) -> JSONValue {
    func list(_ entries: [QualificationChanges.Change]) -> JSONValue {
      .array(
        entries.map { change in
          .object([
            "requirement": .string(change.requirement), "target": .string(change.target),
            "before": .string(change.before.rawValue), "beforeWords": .string(change.before.words),
            "now": .string(change.now.rawValue), "nowWords": .string(change.now.words),
            "reason": .optional(change.reason),
          ])
        })
    }
    return .object([
      "against": .string(changes.against), "newlyBroken": list(changes.newlyBroken),
      "newlyMended": list(changes.newlyMended), "unchanged": list(changes.unchanged),
      "evidenceLost": list(changes.evidenceLost),
      "incomparable": .optional(QualificationMarkdown.incomparable(changes)),
      "newlyFailing": .strings(changes.newlyFailing),
      "noLongerFailing": .strings(changes.noLongerFailing),
    ])
  }

  private var rows: [JSONValue] {
    qualification.rows.map { row in
      .object([
        "id": .string(row.requirement.id), "sentence": .string(row.requirement.sentence),
        "judges": .string(row.requirement.judges.rawValue),
        "clauses": .array(
          row.requirement.clauses.map { clause in
            .object([
              "reference": .string(row.requirement.reference(to: clause)), "sentence": .string(clause.sentence),
            ])
          }),
        "cells": .array(row.cells.map(Self.value)),
      ])
    }
  }

  private static func value(_ cell: Qualification.Cell) -> JSONValue {
    .object([
      "target": .string(cell.target), "finding": .string(cell.finding.rawValue), "words": .string(cell.finding.words),
      "reason": .optional(cell.reason), "waiver": .optional(cell.waiver?.sentence),
      "evidence": .strings(cell.evidence),
      "shownBy": .array(
        cell.shownBy.map { shown in
          .object(["clause": .string(shown.clause), "evidence": .strings(shown.evidence)])
        }),
    ])
  }

  private var failures: [JSONValue] {
    qualification.failures.map { failure in
      .object([
        "scenario": .string(failure.scenario), "target": .string(failure.target), "verdict": .string(failure.verdict),
        "reason": .string(failure.sentence),
        "story": .array((failure.record?.story ?? []).map { .strings([$0.label, $0.text]) }),
        "page": .optional(failure.record?.page), "capture": .optional(failure.record?.capture),
        "missing": .optional(failure.record?.missing),
      ])
    }
  }

  private var repeats: [JSONValue] {
    qualification.repeats.map { result in
      .object([
        "scenario": .string(result.scenario), "target": .string(result.target),
        "ending": .string(result.ending.rawValue),
        "sentence": .string(result.sentence), "isBad": .boolean(result.isBad),
      ])
    }
  }

  /// What was found of each firmware, oldest first, this one last.
  private var trend: [JSONValue] {
    (history + [qualification]).map { qualification in
      .object([
        "firmware": .string(qualification.firmware), "words": .string(qualification.answer.words),
        "counts": .array(Qualification.Finding.allCases.map { .integer(qualification.count($0)) }),
      ])
    }
  }
}

extension Qualification.Answer {
  /// The answer as a heading.
  var words: String {
    switch self {
    case .qualified: "QUALIFIED"
    case .provisional: "PROVISIONAL"
    case .notQualified: "NOT QUALIFIED"
    }
  }

  /// What the answer means, in one sentence.
  fileprivate var meaning: String {
    switch self {
    case .qualified:
      "Nothing is violated that is not waived or known, and everything that the plan asks for was judged."
    case .provisional: "Nothing is violated so far, but not everything that the plan asks for could be judged."
    case .notQualified: "Something is violated or flaky, or a declared defect does not show any more."
    }
  }
}

extension JSONValue {
  /// The same document without characters that could turn the direction of a line or hide.
  fileprivate var escaped: JSONValue {
    switch self {
    case .string(let text): .string(PlainText.escaped(text))
    case .array(let values): .array(values.map(\.escaped))
    case .object(let members): .object(members.map { ($0.0, $0.1.escaped) })
    case .null, .boolean, .integer, .unsigned, .seconds, .millionths: self
    }
  }
}
