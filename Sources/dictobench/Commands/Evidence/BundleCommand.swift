import Crypto
import Evidence
import Foundation
import Reports
import ScenarioLanguage
import Session
import System
import Verdicts
import YAML

/// `dictobench bundle`
enum BundleCommand: Command {
  static let declaration = CommandDeclaration(
    "bundle", "Puts a run into a folder of evidence: reports, captures and all that it read, under a signed statement.",
    operands: "FOLDER", operandLimit: 1,
    options: [
      OptionDeclaration("--key", "Private key on P-256 with which the statement is signed, as PEM.", value: "FILE"),
      OptionDeclaration("--out", "The folder of evidence, which must not exist yet.", value: "FOLDER"),
      EvidenceOptions.image, ImageFiles.bootloader, EvidenceOptions.board,
      OptionDeclaration(
        "--ledger", "Add what this ledger holds of the run, a file or postgresql://HOST/DATABASE.", value: "URL"),
      OptionDeclaration(
        "--run-id",
        "With --ledger: the name of the run there (default: its only run); several for a run that was merged.",
        value: "NAME", repeats: true),
    ], example: "dictobench bundle out --key release.pem --out evidence")

  /// Octets of a capture that are taken at most.
  private static let captureLimit = 1 << 30

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let folder = arguments.operands.first, let key = arguments.value("--key"),
      let out = arguments.value("--out").map(withoutSlashes), !out.isEmpty
    else { throw UsageFailure("bundle needs the folder of a run's reports, --key FILE and --out FOLDER") }
    guard !FileSystem.may([], out) else { throw UsageFailure("\(out) exists; name a new folder") }
    try OutputFile.checkFutureFolder(out)
    let partial = out + ReportFile.partialSuffix
    if let kind = try? FileSystem.kind(of: partial), kind != .folder {
      throw UsageFailure("\(partial) is in the way, and not a folder that a killed bundle left; remove it")
    }
    let run = try recorded(folder)
    let privateKey = try KeyFiles.privateKey(key)
    let image = try EvidenceOptions.image(arguments, of: run)
    guard image != nil || run.image == nil else {
      throw UsageFailure("the run executed the image \(run.image ?? ""); name its file with --image")
    }
    let extract = try extract(arguments)
    let read = ReadFiles()
    let inputs = EvidenceInputs(
      scenarios: try ScenarioFiles.read(try ScenarioFiles.recorded(run.scenarios)),
      catalogue: try Vocabularies.catalogue(), named: .noted(in: read))
    guard
      let result = try EvidenceOptions.trial(
        of: run, inputs, image: image, extract, console, captures: { try capture($0, of: folder) })
    else { return .usage }
    EvidenceOptions.tell(result, console)
    guard result.contradictions.isEmpty else {
      console.note("nothing was signed: \(folder) says what does not hold")
      return .internalError
    }
    try write(run, from: folder, inputs.scenarios, read, image, extract, privateKey, to: out)
    console.out("evidence in \(out), signed by \(SignedEnvelope.keyID(of: privateKey.publicKey))")
    return .passed
  }

  /// A path without the slashes at its end.
  private static func withoutSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// The run of a folder of reports. Throws for one that cannot be evidence.
  private static func recorded(_ folder: String) throws(UsageFailure) -> RunReport {
    let run: RunReport
    do { run = try RunReport(summaryIn: folder) } catch { throw UsageFailure("\(error)") }
    if run.isUncovered {
      throw UsageFailure("\(folder) has captures with keys and recordings (--capture full); evidence must be covered")
    }
    if run.isInterrupted { throw UsageFailure("\(folder) holds a run that was interrupted") }
    if run.repetitions != nil {
      throw UsageFailure("\(folder) holds a run with repetitions, of which the report lists only some")
    }
    guard run.tool == Tool.description else {
      throw UsageFailure("\(folder) is of \(run.tool), this is \(Tool.description); only the same program can sign it")
    }
    return run
  }

  /// What the ledger of `--ledger` holds of the run; `nil` without the option.
  private static func extract(_ arguments: ParsedArguments) throws(UsageFailure) -> LedgerExtract? {
    let names = arguments.allValues("--run-id")
    guard let ledger = try LedgerOptions.ledger(arguments.value("--ledger"), for: .reading) else {
      guard names.isEmpty else { throw UsageFailure("--run-id needs --ledger") }
      return nil
    }
    do { return try LedgerExtract(of: names, in: ledger) } catch { throw UsageFailure("\(error)") }
  }

  private static func capture(_ name: String, of folder: String) throws(ReportFailure) -> [UInt8] {
    try ReportFolder.checkCapture(name)
    return try ReportFile.contents(folder + "/" + name, limit: captureLimit)
  }

  private static func write(
    _ run: RunReport, from folder: String, _ scenarios: [SourceFile], _ named: ReadFiles, _ image: ExecutableImage?,
    _ extract: LedgerExtract?, _ key: P256PrivateKey, to out: String
  ) throws {
    var draft = EvidenceDraft()
    var configuration: [EvidenceStatement.Resource] = []
    func add(_ role: EvidenceInput.Role, _ path: String, _ octets: [UInt8]) throws(EvidenceFailure) {
      configuration.append(
        try draft.add(
          EvidenceInput.place(of: path, number: configuration.count), octets,
          annotations: EvidenceInput.annotations(role, path)))
    }
    for file in scenarios { try add(.scenarios, file.path, file.bytes) }
    try add(.requirements, Vocabularies.cataloguePath, try Vocabularies.catalogueOctets())
    for file in named.all { try add(.named, file.path, file.octets) }
    let summary = try draft.add(RunReport.evidencePlace, run.summaryDocument)
    let captures = try run.captures.map { name in try draft.add("run/" + name, try capture(name, of: folder)) }
    let kept = try extract.map { try draft.add(RunReport.ledgerPlace, $0.document) }
    let statement = EvidenceStatement(
      of: run, image: image, summary: summary, configuration: configuration,
      records: captures + [kept].compactMap { $0 })
    let partial = out + ReportFile.partialSuffix
    do {
      // What a killed bundle left was never signed.
      if try FileSystem.kind(of: partial) == .folder { try FileManager.default.removeItem(atPath: partial) }
      try draft.write(statement, to: partial, signedBy: key)
      try FileSystem.rename(partial, to: out)
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw UsageFailure("\(error)")
    }
  }
}
