import Bench
import Bytes
import Foundation
import Text
import Timeline
import Transports
import Verdicts

/// `dictobench doctor`
enum DoctorCommand: Command {
  static let declaration = CommandDeclaration(
    "doctor", "Says whether a bench is ready, what is wrong and what to do, and what changed since the last good run.",
    options: [
      BenchFiles.declaration,
      OptionDeclaration("--controller", "The controller that is meant, in place of the bench's.", value: "SPEC"),
      OptionDeclaration("--out", "Folder that a run would write to; here unless stated.", value: "FOLDER"),
      OptionDeclaration(
        "--state", "Folder of the phone's library and bonds; in the user's state folder unless stated.", value: "FOLDER"
      ),
      OptionDeclaration("--format", "How to print; human unless stated.", choices: ["human", "json"]),
    ],
    example: "dictobench doctor --bench bench/simulated.yaml")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let bench = try BenchFiles.meant(arguments)
    let controller = try arguments.value("--controller").map { text throws(UsageFailure) in
      do { return try TransportSpecification(parsing: text) } catch { throw UsageFailure("\(error)") }
    }
    let subject = BenchSubject(
      bench, controller: controller,
      folders: [arguments.value("--state") ?? UserFolders.state, arguments.value("--out") ?? "."],
      isAttended: BenchFiles.operatorPlace != nil)
    Interruption.listen()
    let isJSON = arguments.value("--format") == "json"
    var checkup = Checkup(Checkup.doctor(of: subject), of: subject, on: .this(program: Tool.description))
    checkup.perform(until: { Interruption.isRequested }, progress: { if !isJSON { console.note("checking \($0)") } })
    let place = bench?.place ?? checkup.examination.chosen.map { "\($0)" }
    let report = DoctorReport(checkup, place: place, last: place.flatMap { GoodRuns.last(on: $0) })
    console.out(isJSON ? report.json.text : report.text)
    if Interruption.isRequested { return .interrupted }
    return report.checkup.outcome == .ready ? .passed : .benchFailed
  }
}

/// What a look at a bench came to, as it is printed.
private struct DoctorReport {
  let checkup: Checkup
  /// What the bench is called; `nil` where none is meant.
  let place: String?
  let last: GoodRun?

  init(_ checkup: Checkup, place: String?, last: GoodRun?) {
    self.checkup = checkup
    self.place = place
    self.last = last
  }

  private var changes: [BenchChange] { last?.changes(to: checkup.traits) ?? [] }

  /// The answer first, then everything that was found.
  var text: String {
    var lines = ["\(checkup.outcome.rawValue): \(summary)", "", "controllers of this machine"]
    lines += sights.isEmpty ? ["  none"] : sights.map { "  \($0)" + ($0.trouble.map { ": \($0)" } ?? "") }
    lines += limits.map { "  \($0)" }
    lines += ["", "checks"]
    for (name, finding) in checkup.findings {
      lines.append("  \(Self.padded(finding.outcome.rawValue))\(name): \(finding.found)")
      if let advice = finding.advice { lines.append("  \(Self.padded(""))  do: \(advice)") }
    }
    if let last {
      lines += ["", "changed since the last good run, \(age(of: last)) ago"]
      lines += changes.isEmpty ? ["  nothing"] : changes.map { "  \($0.name): \($0.before) → \($0.now)" }
    }
    return lines.joined(separator: "\n")
  }

  var json: JSONValue {
    .object([
      ("outcome", .string(checkup.outcome.rawValue)), ("bench", .optional(place)),
      ("controller", .optional(checkup.examination.chosen.map { "\($0)" })),
      ("adapters", .array(sights.map(Self.document))), ("limits", .strings(limits)),
      (
        "checks",
        .array(
          checkup.findings.map { name, finding in
            .object([
              ("name", .string(name)), ("outcome", .string(finding.outcome.rawValue)),
              ("found", .string(finding.found)), ("advice", .optional(finding.advice)),
            ])
          })
      ),
      ("lastGoodRun", last.map { .integer(Int($0.ended)) } ?? .null),
      (
        "changes",
        .array(
          changes.map {
            .object([("name", .string($0.name)), ("before", .string($0.before)), ("now", .string($0.now))])
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
    let count = checkup.findings.filter { $0.finding.advice != nil }.count
    return "all \(checkup.findings.count) checks" + (count > 0 ? ", with advice for \(count)" : "")
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
