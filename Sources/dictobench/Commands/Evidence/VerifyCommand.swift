import Crypto
import Evidence
import Reports
import Session
import System
import Text
import Verdicts

/// `dictobench verify`
enum VerifyCommand: Command {
  static let declaration = CommandDeclaration(
    "verify",
    "Checks a folder of evidence: signature, digests, scenarios run again, captures judged again. Reads nothing else.",
    operands: "FOLDER", operandLimit: 1,
    options: [
      OptionDeclaration("--key", "Public key of who signed it, as PEM.", value: "FILE"),
      EvidenceOptions.image, ImageFiles.bootloader, EvidenceOptions.board,
    ], example: "dictobench verify evidence --key release-public.pem")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let folder = arguments.operands.first, let file = arguments.value("--key") else {
      throw UsageFailure("verify needs a folder of evidence and --key FILE")
    }
    let key = try KeyFiles.publicKey(file)
    guard FileSystem.may([], folder) else { throw UsageFailure("no such folder: \(folder)") }
    do {
      let bundle = try EvidenceBundle(folder, signedBy: key)
      console.out("\(bundle.statement.files.count) files are as they were signed by \(SignedEnvelope.keyID(of: key))")
      return try verify(bundle, arguments, console)
    } catch let failure as EvidenceFailure {
      console.note("rejected: \(failure)")
      return .deviceFailed
    }
  }

  private static func verify(
    _ bundle: EvidenceBundle, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    let run: RunReport
    do {
      let summary = try bundle.contents(RunReport.evidencePlace)
      run = try RunReport(summary: summary)
      try run.checkTotals(in: summary)
    } catch let failure as SummaryFailure {
      throw EvidenceFailure("\(RunReport.evidencePlace): \(failure)")
    }
    let image = try EvidenceOptions.image(arguments, of: run)
    try check(bundle.statement, run, image)
    guard
      let result = try EvidenceOptions.trial(
        of: run, try EvidenceInputs(from: bundle), image: image, try extract(bundle), console,
        captures: { try bundle.contents("run/" + $0) })
    else { throw EvidenceFailure("its scenarios have errors") }
    EvidenceOptions.tell(result, console)
    guard result.contradictions.isEmpty else {
      if run.tool != Tool.description {
        console.note("the run is of \(PlainText.escaped(run.tool, limit: 60)), this is \(Tool.description)")
      }
      console.note("rejected: \(Wording.count(result.contradictions.count, "statement")) refuted")
      return .deviceFailed
    }
    let isWhole = result.unchecked.isEmpty
    console.out(
      (isWhole ? "accepted: " : "accepted as far as it was checked: ") + verdict(bundle.statement) + ", "
        + PlainText.escaped(run.image ?? run.profile.map { "profile \($0)" } ?? run.target, limit: 200))
    return isWhole ? .passed : .outstanding
  }

  /// What a ledger holds of the run; `nil` where the bundle does not tell.
  private static func extract(_ bundle: EvidenceBundle) throws(EvidenceFailure) -> LedgerExtract? {
    guard bundle.statement.files.contains(where: { $0.name == RunReport.ledgerPlace }) else { return nil }
    let octets = try bundle.contents(RunReport.ledgerPlace)
    do { return try LedgerExtract(document: octets) } catch {
      throw EvidenceFailure("\(RunReport.ledgerPlace): \(error)")
    }
  }

  /// Throws where the statement claims something else than the summary.
  private static func check(
    _ statement: EvidenceStatement, _ run: RunReport, _ image: ExecutableImage?
  ) throws(EvidenceFailure) {
    guard let summary = statement.evidence.first, summary.name == RunReport.evidencePlace else {
      throw EvidenceFailure("the statement does not begin its evidence with \(RunReport.evidencePlace)")
    }
    let captures = run.captures.map { "run/" + $0 }
    let records = statement.evidence.dropFirst().map(\.name)
    guard records == captures || records == captures + [RunReport.ledgerPlace] else {
      throw EvidenceFailure("the statement names other captures than the summary")
    }
    var claimed = EvidenceStatement(
      of: run, image: image, summary: summary, configuration: statement.configuration,
      records: Array(statement.evidence.dropFirst()))
    // Without the image at hand, its digest is what the statement says; the run is then not run again.
    if run.image != nil, image == nil { claimed.subject = statement.subject }
    guard claimed == statement else { throw EvidenceFailure("the statement claims something else than the summary") }
  }

  private static func verdict(_ statement: EvidenceStatement) -> String {
    "\(statement.result.rawValue), \(statement.passedTests.count) passed, \(statement.warnedTests.count) warned, "
      + "\(statement.failedTests.count) failed"
  }
}
