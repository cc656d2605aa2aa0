import Bytes
import Ledger
import Reports
import Text
import Verdicts

/// `dictobench history`
enum HistoryCommand: Command {
  static let declaration = CommandDeclaration(
    "history", "Shows how a requirement, a scenario or a figure went over the runs of a ledger.",
    options: [
      OptionDeclaration("--requirement", "Follow this requirement.", value: "ID"),
      OptionDeclaration("--scenario", "Follow this scenario, with or without its matrix cell.", value: "ID"),
      OptionDeclaration("--figure", "Follow this figure, such as virtual-time.", value: "NAME"),
      LedgerOptions.declaration,
      FormatOption.declaration,
    ], example: "dictobench history --requirement DEV-5 --ledger lab.sqlite")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let subject = try subject(arguments)
    let ledger = try LedgerOptions.required(arguments)
    let history: LedgerHistory
    do throws(LedgerFailure) {
      history = try LedgerHistory(subject, in: ledger)
      if history.points.isEmpty {
        console.complain(try nothing(of: subject, in: ledger))
        return .nothingRan
      }
    } catch {
      throw UsageFailure("\(error)")
    }
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("history").stamped(history.document).text)
    } else {
      for line in history.lines { console.out(PlainText.escaped(line, limit: 400)) }
    }
    return .passed
  }

  private static func subject(_ arguments: ParsedArguments) throws(UsageFailure) -> LedgerHistory.Subject {
    let subjects = [
      arguments.value("--requirement").map(LedgerHistory.Subject.requirement),
      arguments.value("--scenario").map(LedgerHistory.Subject.scenario),
      arguments.value("--figure").map(LedgerHistory.Subject.figure),
    ].compactMap { $0 }
    guard subjects.count < 2 else {
      throw UsageFailure("--requirement, --scenario and --figure exclude each other; ask for one at a time")
    }
    return subjects.first ?? .runs
  }

  /// Why there is nothing to show, with what may have been meant.
  private static func nothing(
    of subject: LedgerHistory.Subject, in ledger: RunLedger
  ) throws(LedgerFailure) -> String {
    switch subject {
    case .runs: return "the ledger holds no runs yet"
    case .requirement(let id): return "no run of the ledger says anything about requirement \(id)"
    case .scenario(let id): return "no run of the ledger has a scenario \(id)"
    case .figure(let name):
      let names = try ledger.figureNames()
      return "no run of the ledger has a figure \(name)\(ParsedArguments.suggestion(name, names))"
    }
  }
}

extension LedgerHistory {
  /// What is followed, as a heading.
  private var heading: String {
    let runs = Wording.count(points.count, "run")
    switch subject {
    case .runs: return runs
    case .requirement(let id): return "requirement \(id) in \(runs)"
    case .scenario(let id): return "scenario \(id) in \(runs)"
    case .figure(let name): return "figure \(name) in \(runs)"
    }
  }

  /// The history for people, a line a run.
  fileprivate var lines: [String] {
    var lines = ["\(heading), in the order in which they were written:"]
    lines += points.map { point in
      "  \(UTCTime.text(point.run.started / 1_000_000))Z  \(point.run.id)  \(point.run.firmware)  \(point.words)"
    }
    if !shares.isEmpty { lines.append("share of failures (\(WilsonInterval.name) interval):") }
    lines += shares.map { share in
      "  \(share.bad) of \(share.total), \(share.interval.text)  \(share.name)\(share.isFlaky ? ": flaky" : "")"
    }
    if subject == .runs {
      lines.append("totals of each operator:")
      lines += operators.map { total in
        "  \(total.name)  \(Wording.count(total.runs, "run")), \(total.bad) of \(total.total) failed"
      }
    }
    return lines + notes.map { "note: \($0)" }
  }

  /// What each operator's runs come to, in order of the names.
  private var operators: [(name: String, runs: Int, total: Int, bad: Int)] {
    Dictionary(grouping: points, by: \.run.operatorName).sorted { $0.key < $1.key }.map { name, points in
      (name, points.count, points.reduce(0) { $0 + $1.total }, points.reduce(0) { $0 + $1.bad })
    }
  }

  /// The history for scripts.
  fileprivate var document: JSONValue {
    .object([
      "points": .array(
        points.map { point in
          .object([
            "sequence": .integer(Int(point.run.sequence)), "run": .string(point.run.id),
            "started": .integer(Int(point.run.started)), "program": .string(point.run.program),
            "target": .string(point.run.target), "firmware": .string(point.run.firmware),
            "operator": .string(point.run.operatorName), "bench": .optional(point.run.bench),
            "instruments": .string(point.run.instruments), "host": .string(point.run.host),
            "words": .string(point.words), "total": .integer(point.total), "bad": .integer(point.bad),
            "values": .array(point.values.map { .integer(Int($0)) }),
          ])
        }),
      "shares": .array(
        shares.map { share in
          .object([
            "name": .string(share.name), "bad": .integer(share.bad), "total": .integer(share.total),
            "low": .millionths(share.interval.low), "high": .millionths(share.interval.high),
            "flaky": .boolean(share.isFlaky),
          ])
        }),
      "operators": .array(
        operators.map { total in
          .object([
            "operator": .string(total.name), "runs": .integer(total.runs), "bad": .integer(total.bad),
            "total": .integer(total.total),
          ])
        }),
      "notes": .strings(notes),
    ])
  }
}
