import Bytes
import Foundation
import Reports
import Requirements
import Text
import Verdicts

/// `dictobench compare`
enum CompareCommand: Command {
  static let declaration = CommandDeclaration(
    "compare", "Compares two runs, or two captures, event by decoded event, and tells where they first differ.",
    operands: "FOLDER FOLDER | CAPTURE.btsnoop CAPTURE.btsnoop", operandLimit: 2,
    options: [
      OptionDeclaration("--name", "Compare only the scenario with this name.", value: "NAME"),
      FormatOption.declaration,
    ], example: "dictobench compare out-of-1.4 out-of-1.5")

  /// Scenarios whose differences are told in words; JSON has all.
  private static let toldDifferences = 10

  /// A scenario that differs.
  private struct Difference {
    var name: String
    /// Both verdicts where they are of different kinds.
    var verdicts: String?
    var first: FirstDifference?
  }

  /// What two runs have in common.
  private struct Outcome {
    var same = 0
    var differences: [Difference] = []
    /// Names that only one of them has.
    var lone: [String] = []
  }

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 2 else {
      throw UsageFailure("compare needs two folders of reports, or two captures")
    }
    let paths = (arguments.operands[0], arguments.operands[1])
    let areFolders = [paths.0, paths.1].map(isFolder)
    guard areFolders[0] == areFolders[1] else {
      throw UsageFailure("compare needs two of a kind: \(paths.0) and \(paths.1) are a folder and a file")
    }
    let outcome =
      areFolders[0]
      ? try runs(paths.0, paths.1, named: arguments.value("--name")) : try captures(paths.0, paths.1)
    guard outcome.same + outcome.differences.count + outcome.lone.count > 0 else {
      throw UsageFailure("there is nothing to compare in \(paths.0) and \(paths.1)")
    }
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("compare").stamped(document(outcome, paths)).indentedText)
    } else {
      for line in lines(outcome, paths) { console.out(line) }
    }
    return outcome.differences.isEmpty && outcome.lone.isEmpty ? .passed : .deviceFailed
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  // MARK: Comparing

  private static func runs(_ left: String, _ right: String, named name: String?) throws(UsageFailure) -> Outcome {
    let (here, there) = (try RecordedRunFiles.read(left), try RecordedRunFiles.read(right))
    let isAlike =
      (here.report.target, here.report.seed, here.report.profile)
      == (there.report.target, there.report.seed, there.report.profile) && here.report.isSimulated
    let comparison = RunComparison(isAlike ? .exact : .cause)
    func wanted(_ report: RunReport) -> [ScenarioReport] {
      report.scenarios.filter { $0.repetition == 0 && (name == nil || $0.name == name || $0.id == name) }
    }
    let others = wanted(there.report)
    var outcome = Outcome()
    for scenario in wanted(here.report) {
      guard let other = others.first(where: { $0.name == scenario.name }) else {
        outcome.lone.append("\(scenario.name): only in \(left)")
        continue
      }
      let first = comparison.firstDifference(
        here.events[scenario.name] ?? [], there.events[scenario.name] ?? [], other: right)
      let kinds = (scenario.verdict.kind, other.verdict.kind)
      if first == nil, kinds.0 == kinds.1 {
        outcome.same += 1
      } else {
        let verdicts = kinds.0 == kinds.1 ? nil : "\(kinds.0.rawValue) here, \(kinds.1.rawValue) there"
        outcome.differences.append(Difference(name: scenario.name, verdicts: verdicts, first: first))
      }
    }
    let names = Set(wanted(here.report).map(\.name))
    outcome.lone += others.filter { !names.contains($0.name) }.map { "\($0.name): only in \(right)" }
    return outcome
  }

  private static func captures(_ left: String, _ right: String) throws(UsageFailure) -> Outcome {
    let (here, there) = (try events(left), try events(right))
    var outcome = Outcome()
    if let first = RunComparison(.cause).firstDifference(here, there, other: right) {
      outcome.differences.append(Difference(name: left, first: first))
    } else {
      outcome.same = 1
    }
    return outcome
  }

  private static func events(_ path: String) throws(UsageFailure) -> [RunComparison.Entry] {
    var entries: [RunComparison.Entry] = []
    do {
      let octets = try LimitedFile.octets(path)
      _ = try CaptureJudge.judge(octets) { entries.append(RunComparison.Entry($0.told)) }
    } catch let failure as UsageFailure { throw failure } catch { throw UsageFailure("\(path): \(error)") }
    return entries
  }

  // MARK: Telling

  private static func lines(_ outcome: Outcome, _ paths: (String, String)) -> [String] {
    var lines: [String] = []
    let (left, right) = (PlainText.escaped(paths.0), PlainText.escaped(paths.1))
    let isSame = outcome.differences.isEmpty && outcome.lone.isEmpty
    lines.append(
      isSame
        ? "SAME  \(left) and \(right): \(Wording.count(outcome.same, "conversation"))"
        : "DIFFERENT  here \(left), there \(right): \(outcome.differences.count) of "
          + "\(outcome.differences.count + outcome.same) differ")
    for difference in outcome.differences.prefix(toldDifferences) {
      lines.append("  " + PlainText.escaped(difference.name))
      if let verdicts = difference.verdicts { lines.append("    verdict: \(verdicts)") }
      if let first = difference.first {
        lines.append("    until \(first.until) s the same; then")
        lines.append("    here: " + PlainText.escaped(first.here))
        lines.append("    there: " + PlainText.escaped(first.there))
      }
    }
    let more = outcome.differences.count - toldDifferences
    if more > 0 { lines.append("  and \(more) more; --format json shows all") }
    return lines + outcome.lone.prefix(toldDifferences).map { "  " + PlainText.escaped($0) }
      + (outcome.lone.count > toldDifferences ? ["  and \(outcome.lone.count - toldDifferences) more"] : [])
  }

  private static func document(_ outcome: Outcome, _ paths: (String, String)) -> JSONValue {
    let differences = outcome.differences.map { difference in
      JSONValue.object([
        "name": .string(difference.name), "verdicts": .optional(difference.verdicts),
        "until": .optional(difference.first?.until), "here": .optional(difference.first?.here),
        "there": .optional(difference.first?.there),
      ])
    }
    return JSONValue.object([
      "here": .string(paths.0), "there": .string(paths.1),
      "same": .integer(outcome.same), "different": .array(differences), "lone": .strings(outcome.lone),
    ])
  }
}
