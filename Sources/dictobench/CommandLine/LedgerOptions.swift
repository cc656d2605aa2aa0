import Bytes
import Crypto
import Foundation
import Ledger
import Session
import System
import Timeline
import Verdicts

/// The options of commands that use a ledger.
enum LedgerOptions {
  static let declaration = OptionDeclaration(
    "--ledger",
    "The ledger: a file, or postgresql://HOST/DATABASE where several benches share one (default for reading: "
      + "DICTOBENCH_LEDGER).", value: "URL")

  /// The options of commands that add to a ledger.
  static let writing: [OptionDeclaration] = [
    OptionDeclaration(
      "--ledger",
      "Write every attempt and verdict into this ledger before it is told: a file, or postgresql://HOST/DATABASE where "
        + "several benches share one.", value: "URL"),
    OptionDeclaration(
      "--run-id", "With --ledger: the name of this run. A run that was killed goes on under the same name.",
      value: "NAME"),
    operatorName, session,
  ]

  static let session = OptionDeclaration(
    "--session",
    "With --ledger: the bench session that the run counts for (default: the open one of the bench, if any).",
    value: "NAME")

  static let operatorName = OptionDeclaration(
    "--operator", "With --ledger: who is responsible for the run (default: the user's name).", value: "NAME")

  /// Opens the ledger that `--ledger` names; `nil` without the option.
  ///
  /// - Throws: ``UsageFailure`` in one sentence where that is impossible.
  static func ledger(_ text: String?, for purpose: RunLedger.Purpose) throws(UsageFailure) -> RunLedger? {
    guard let text else { return nil }
    do throws(LedgerFailure) {
      return try RunLedger(try LedgerURL(text), for: purpose, program: Tool.description) {
        MachineClock.nanosecondsSince1970() / 1_000
      }
    } catch {
      throw UsageFailure("\(error)")
    }
  }

  /// The ledger of `--ledger`, else that of the environment.
  static func required(
    _ arguments: ParsedArguments, for purpose: RunLedger.Purpose = .reading
  ) throws(UsageFailure) -> RunLedger {
    let text = arguments.value("--ledger") ?? Environment.value("DICTOBENCH_LEDGER")
    guard let ledger = try ledger(text, for: purpose) else {
      throw UsageFailure("a ledger is needed: --ledger URL, or the variable DICTOBENCH_LEDGER")
    }
    return ledger
  }

  /// What writes a run into the ledger of `--ledger`; `nil` without the option.
  static func writer(
    _ arguments: ParsedArguments, _ fingerprints: ScenarioFingerprints
  ) throws(UsageFailure) -> LedgerWriter? {
    for option in ["--run-id", "--operator", "--session"] where arguments.value(option) == "" {
      throw UsageFailure("\(option) needs a name")
    }
    guard let ledger = try ledger(arguments.value("--ledger"), for: .writing) else {
      for option in ["--run-id", "--operator", "--session"] where arguments.value(option) != nil {
        throw UsageFailure("\(option) needs --ledger")
      }
      return nil
    }
    var subject = LedgerWriter.Subject(
      run: arguments.value("--run-id") ?? newRunName, operatorName: operatorName(arguments), program: program,
      rules: rules(known: arguments.value(KnownDefectFiles.declaration.name)))
    subject.session = arguments.value(session.name)
    return LedgerWriter(ledger, subject, fingerprints)
  }

  /// A name that no other run has: the machine, the time and the process.
  static var newRunName: String {
    let process = ProcessInfo.processInfo
    return "\(process.hostName)-\(MachineClock.nanosecondsSince1970() / 1_000)-\(process.processIdentifier)"
  }

  /// Name, version and origin of this program. One whose commit is unknown is told apart by its file.
  static var program: String {
    guard Tool.commit == nil else { return Tool.description }
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(Tool.description) (build \(Int(changed))-\(size))"
  }

  /// A digest of what judges a run: the catalogue of requirements, and the file of known defects.
  static func rules(known: String?) -> String {
    let catalogue = FileManager.default.contents(atPath: ProgramData.place(Vocabularies.cataloguePath)) ?? Data()
    let defects = known.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    let digest = SHA256.digest(SHA256.digest(Array(catalogue)) + SHA256.digest(Array(defects)))
    return Hexadecimal.string(Array(digest.prefix(16)))
  }

  /// Who is responsible for a run.
  static func operatorName(_ arguments: ParsedArguments) -> String {
    arguments.value("--operator") ?? Environment.value("USER") ?? Environment.value("LOGNAME") ?? "unknown"
  }

  /// The exit code of a run, after saying why its ledger is not complete.
  static func status(of report: RunReport, _ writer: LedgerWriter?, _ console: Console) -> ExitCode {
    guard let trouble = writer?.trouble else { return report.exitCode }
    console.complain("\(trouble)")
    return report.exitCode.withResultsLost
  }
}

extension ExitCode {
  /// The code of a run that ended with this one and could not keep all of its results: never that of a good run, nor of
  /// one that had none.
  var withResultsLost: ExitCode { [.passed, .outstanding, .nothingRan].contains(self) ? .benchFailed : self }
}
