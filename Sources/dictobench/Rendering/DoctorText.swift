import Text
import Bench
import Bytes
import Session
import Timeline
import Transports
import World

/// The check of a bench in words.
struct DoctorText {
  private let result: DoctorResult
  private let checkup: Checkup

  init(_ result: DoctorResult) {
    self.result = result
    checkup = result.checkup
  }

  /// The answer first, then everything that was found.
  var lines: [String] {
    var lines = ["\(checkup.outcome.rawValue): \(summary)", "", "controllers of this machine"]
    lines += sights.isEmpty ? ["  none"] : sights.map { "  \($0)" + ($0.trouble.map { ": \($0)" } ?? "") }
    lines += limits.map { "  \($0)" }
    lines += ["", "checks"]
    for (name, finding) in checkup.findings {
      lines.append("  \(Self.padded(finding.outcome.rawValue))\(name): \(finding.found)")
      if let advice = finding.advice { lines.append("  \(Self.padded(""))  do: \(advice)") }
    }
    if let last = result.last {
      let changes = result.changes
      lines += ["", "changed since the last good run, \(age(of: last)) ago"]
      lines += changes.isEmpty ? ["  nothing"] : changes.map { "  \($0.name): \($0.before) → \($0.now)" }
    }
    for (controller, findings) in result.adapters { lines += Self.lines(controller, findings) }
    return lines.map { PlainText.escaped($0) }
  }

  private static func lines(
    _ controller: TransportSpecification, _ findings: Result<AdapterFindings, ControlFailure>
  ) -> [String] {
    let heading = ["", "measured at \(controller)"]
    switch findings {
    case .failure(let failure): return heading + ["  \(failure)"]
    case .success(let findings):
      let deviations = findings.deviations.map { "  \($0.quirk.rawValue): \($0.seen)" }
      return heading + (deviations.isEmpty ? ["  nothing deviates"] : deviations)
        + ["  not measured: \(findings.notMeasured.map(\.rawValue).joined(separator: ", "))"]
        + (findings.entry.map { ["  entry for --quirks: - \($0.yaml)"] } ?? [])
    }
  }

  var document: JSONValue {
    .object([
      ("outcome", .string(checkup.outcome.rawValue)), ("bench", .optional(result.place)),
      ("controller", .optional(checkup.examination.chosen.map { "\($0)" })),
      ("adapters", .array(sights.map(Self.document))), ("limits", .strings(limits)),
      ("checks", .array(checkup.findings.map(Self.document))),
      ("lastGoodRun", result.last.map { .integer(Int($0.ended)) } ?? .null),
      ("changes", .array(result.changes.map(Self.document))),
      (
        "quirks",
        .array(
          checkup.examination.quirks.map { controller, entry in
            .object([("controller", .string("\(controller)")), ("entry", AdapterReport.document(entry))])
          })
      ),
    ])
  }

  private var sights: [AdapterSight] { checkup.examination.machine.survey.sights }

  private var limits: [String] { checkup.examination.machine.survey.limits.map(\.description) }

  private var summary: String {
    if let trouble = checkup.trouble { return trouble }
    let open = checkup.findings.filter { $0.finding.outcome == .checking }
    guard open.isEmpty else { return "\(open.count) of \(checkup.findings.count) checks were not made" }
    let count = checkup.findings.count { $0.finding.advice != nil }
    return "all \(checkup.findings.count) checks passed" + (count > 0 ? ", \(count) with advice" : "")
  }

  private static func document(_ sight: AdapterSight) -> JSONValue {
    .object([
      ("specification", .string(PlainText.escaped(sight.specification.description))),
      ("way", .string(sight.way.rawValue)), ("title", .string(sight.title)),
      ("state", .optional(sight.state.map { "\($0)" })), ("driver", .optional(sight.driver)),
      ("isPermitted", .boolean(sight.isPermitted)), ("isRadioOff", .boolean(sight.isRadioOff)),
      ("isHeld", .boolean(sight.isHeld)), ("links", .strings(sight.peers.map(\.description))),
      ("trouble", .optional(sight.trouble.map { "\($0)" })), ("notes", .strings(sight.notes)),
    ])
  }

  private static func document(_ name: String, _ finding: Finding) -> JSONValue {
    .object([
      ("name", .string(name)), ("outcome", .string(finding.outcome.rawValue)),
      ("found", .string(finding.found)), ("advice", .optional(finding.advice)),
    ])
  }

  private static func document(_ change: BenchChange) -> JSONValue {
    .object([("name", .string(change.name)), ("before", .string(change.before)), ("now", .string(change.now))])
  }

  private static func padded(_ word: String) -> String { word + String(repeating: " ", count: max(1, 10 - word.count)) }

  private func age(of run: GoodRun) -> String {
    let seconds = max(0, MachineClock.secondsSince1970() - run.ended)
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}
