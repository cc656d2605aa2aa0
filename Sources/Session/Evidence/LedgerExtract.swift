import Foundation
import Ledger
import Text
import Verdicts

/// What a ledger holds of some runs, as a bundle of evidence keeps it: JSON lines, the runs, then their attempts, then
/// their verdicts, each in the order in which they were written.
///
/// It has exactly one spelling. Reading refuses every other one.
package struct LedgerExtract: Hashable, Sendable {
  /// Why there is no extract, in one sentence.
  package struct Failure: Error, CustomStringConvertible {
    /// What is wrong.
    package let description: String
  }

  /// A run, and its last exit status.
  struct Run: Hashable, Codable {
    var run: LedgerRun
    /// `nil` where it has not ended.
    var status: Int64?
  }

  /// An attempt.
  struct Attempt: Hashable, Codable {
    var attempt: LedgerAttempt
  }

  /// A verdict, with what its scenario says about requirements, and what it measured.
  struct Conclusion: Hashable, Codable {
    var verdict: LedgerVerdict
    var statements: [RequirementStatement]
    var figures: [Figure]
  }

  private(set) var runs: [Run] = []
  private(set) var attempts: [Attempt] = []
  private(set) var conclusions: [Conclusion] = []

  /// Takes runs out of a ledger; without names its only run.
  ///
  /// - Throws: ``Failure`` where a run is not there, and where the ledger cannot be read.
  package init(of names: [String], in ledger: RunLedger) throws(Failure) {
    do throws(LedgerFailure) { try take(names, from: ledger) } catch { throw Failure(description: "\(error)") }
    if runs.isEmpty, names.isEmpty {
      throw Failure(description: "the ledger holds no run, or several; name those of the bundle with --run-id")
    }
    if let missing = names.first(where: { name in !runs.contains { $0.run.id == name } }) {
      throw Failure(description: "the ledger holds no run \(missing)")
    }
  }

  private mutating func take(_ names: [String], from ledger: RunLedger) throws(LedgerFailure) {
    let all = try ledger.runs()
    let isOnly = names.isEmpty && all.count == 1
    for (run, status) in all where isOnly || names.contains(run.id) {
      runs.append(Run(run: run, status: status))
      attempts += try ledger.attempts(of: run.id).map(Attempt.init)
      let said = Dictionary(grouping: try ledger.statements(of: run.id), by: \.key)
      let figures = Dictionary(grouping: try ledger.figures(of: run.id), by: \.key)
      conclusions += try ledger.verdicts(of: run.id).map { verdict in
        Conclusion(
          verdict: verdict, statements: (said[verdict.key] ?? []).map(\.statement),
          figures: (figures[verdict.key] ?? []).map(\.figure).sorted { $0.name < $1.name })
      }
    }
  }
}

extension LedgerExtract {
  /// The octets of the file.
  package var document: [UInt8] {
    runs.flatMap(Self.line) + attempts.flatMap(Self.line) + conclusions.flatMap(Self.line)
  }

  /// Reads ``document``. Throws for anything that ``document`` would spell otherwise.
  package init(document octets: [UInt8]) throws(Failure) {
    let decoder = JSONDecoder()
    for line in octets.split(separator: 0x0A) {
      let line = Data(line)
      if let run = try? decoder.decode(Run.self, from: line) {
        runs.append(run)
      } else if let attempt = try? decoder.decode(Attempt.self, from: line) {
        attempts.append(attempt)
      } else if let conclusion = try? decoder.decode(Conclusion.self, from: line) {
        conclusions.append(conclusion)
      }
    }
    guard document == octets else {
      throw Failure(description: "it is not an extract of a ledger as `dictobench bundle` spells it")
    }
  }

  private static func line(_ row: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(row) else { preconditionFailure("rows are texts and whole numbers") }
    return Array(line) + [0x0A]
  }
}

extension LedgerExtract {
  /// What the report of a run says otherwise than the ledger, a sentence each, safe for terminals.
  package func contradictions(to report: RunReport) -> [String] {
    var sentences = runs.compactMap { contradiction($0, to: report) }
    let names = report.scenarios.map(\.name)
    for conclusion in conclusions where !names.contains(conclusion.verdict.key.name) {
      sentences.append("\(conclusion.verdict.key.name): the ledger holds a verdict that the report leaves out")
    }
    sentences += report.scenarios.compactMap { scenario in contradiction(to: scenario).map { "\(scenario.name): \($0)" }
    }
    return sentences.map { PlainText.escaped($0, limit: 400) }
  }

  /// The number of verdicts.
  package var verdictCount: Int { conclusions.count }

  private func contradiction(_ run: Run, to report: RunReport) -> String? {
    let kept = run.run
    let facts = [
      ("program", kept.program, report.tool, kept.program.hasPrefix(report.tool)),
      ("target", kept.target, report.target, kept.target == report.target),
      ("seed", "\(kept.seed)", "\(report.seed)", kept.seed == report.seed),
      ("firmware", kept.firmware, report.firmware, report.isAbout(firmware: kept.firmware)),
    ]
    if let (name, kept, said, _) = facts.first(where: { !$0.3 }) {
      return "the ledger's run \(run.run.id) has the \(name) \(kept), the report \(said)"
    }
    // The parts of a merged run end each with a status of its own.
    guard runs.count == 1, let status = run.status, status != Int64(report.exitCode.rawValue) else { return nil }
    return "the ledger's run \(kept.id) ended with exit code \(status), the report says \(report.exitCode.rawValue)"
  }

  private func contradiction(to scenario: ScenarioReport) -> String? {
    let kept = conclusions.filter { $0.verdict.key.name == scenario.name }
    guard let conclusion = kept.first, kept.count == 1 else {
      return "the ledger holds \(Wording.count(kept.count, "verdict")), expected one"
    }
    let verdict = conclusion.verdict
    guard verdict.verdict == scenario.verdict.kind.rawValue, verdict.attempts == scenario.attempts.map(\.kind.rawValue)
    else {
      return "the ledger says \(verdict.verdict) (\(verdict.attempts.joined(separator: ", "))), the report "
        + "\(scenario.verdict.kind.rawValue) (\(scenario.attempts.map(\.kind.rawValue).joined(separator: ", ")))"
    }
    guard verdict.traceHash == scenario.traceHash?.description else {
      return "the ledger and the report have traces of different hashes"
    }
    let tried = attempts.filter { $0.attempt.key == verdict.key }.map(\.attempt.verdict)
    guard tried == verdict.attempts else {
      return "the ledger holds the attempts \(tried.joined(separator: ", ")), its verdict names "
        + verdict.attempts.joined(separator: ", ")
    }
    return conclusion.statements == RequirementStatement.of(scenario)
      ? nil : "the ledger says something else about requirements than the report"
  }
}

extension RunReport {
  /// The firmware as a ledger names it. An image has its whole digest there.
  fileprivate var firmware: String {
    if let image { return image }
    guard target == TargetKind.simulated.rawValue else { return "\(target):\(bench?.place ?? "without a name")" }
    return "profile:\(profile ?? "")\(fault.map { "+\($0)" } ?? "")"
  }

  /// Whether a ledger means the firmware of this report, under conditions that the report states as well.
  fileprivate func isAbout(firmware kept: String) -> Bool {
    var length = firmware.count
    if let image {
      let digest = kept.dropFirst("image:".count).prefix(64)
      guard kept.hasPrefix("image:"), digest.count == 64, image.contains(digest.prefix(16)) else { return false }
      length = "image:".count + digest.count
    } else if !kept.hasPrefix(firmware) {
      return false
    }
    let parts = kept.dropFirst(length).components(separatedBy: RunPlan.conditionMark)
    return parts.first == "" && parts.dropFirst().allSatisfy(states)
  }

  /// Whether the report states a condition of ``RunPlan/firmware``; of the processor's time no report tells.
  private func states(_ condition: String) -> Bool {
    if condition == RunPlan.uncovered { return isUncovered }
    let words = condition.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return false }
    return switch words[0] {
    case "profile": profile == words[1]
    case "faults": fault == words[1]
    case "phone": phone == words[1]
    case "bootloader": image?.contains(words[1]) == true
    case "board": image?.contains("board \(words[1].prefix { $0 != " " })") == true
    case "packages": image?.contains("packages of ") == true
    default: condition.hasPrefix("processor time ")
    }
  }
}
