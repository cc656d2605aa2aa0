import Foundation
import Ledger
import Reports
import Runner
import ScenarioLanguage
import Session
import System
import Verdicts
import YAML

/// What `qualify` was asked for, read from its options.
struct QualifyRequest {
  let firmware: QualifiedFirmware
  /// The folder of the results.
  let out: String
  let folder: ReportFolder
  let shard: Shard?
  /// Ledgers of shards that are taken in.
  let merges: [String]
  let interruption = RunSettings().interruption
  private let arguments: ParsedArguments
  private let jobs: Int

  init(_ arguments: ParsedArguments) throws(UsageFailure) {
    func needed(_ option: String, _ what: String) throws(UsageFailure) -> String {
      guard let value = arguments.value(option), !value.isEmpty else {
        throw UsageFailure("qualify needs \(what): \(option)")
      }
      return value
    }
    self.arguments = arguments
    _ = try needed("--plan", "a plan")
    firmware = try QualifiedFirmware(
      try needed("--firmware", "a firmware"), board: arguments.value("--board"))
    out = try needed("--out", "a folder for its results")
    do throws(ReportFailure) { folder = try ReportFolder(out) } catch { throw UsageFailure("\(error)") }
    shard = try arguments.value("--shard").map { text throws(UsageFailure) in
      guard let shard = Shard(text) else { throw UsageFailure("--shard needs I/N with 1 ≤ I ≤ N, not \"\(text)\"") }
      return shard
    }
    merges = arguments.allValues("--merge")
    if shard != nil, !merges.isEmpty { throw UsageFailure("--shard and --merge exclude each other") }
    jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
  }

  /// Reads the plan.
  func plan(
    _ library: ScenarioLibrary, _ catalogue: RequirementCatalogue
  ) throws(UsageFailure) -> QualificationPlan {
    let file: SourceFile
    do { file = try SourceFile.read(arguments.value("--plan") ?? "") } catch { throw UsageFailure("\(error)") }
    let (plan, problems) = QualificationPlan.read(
      file, requirements: catalogue.requirements.map(\.id), scenarios: library.scenarios,
      releases: (try? FirmwareFiles().catalogue().releases.map(\.name)) ?? [])
    guard let plan else {
      throw UsageFailure("the plan has errors\n" + DiagnosticReport(problems, files: [file]).text())
    }
    return plan
  }

  /// Opens the ledger, and takes the results of shards in.
  func ledger() throws(UsageFailure) -> RunLedger {
    let url = arguments.value("--ledger") ?? "\(out)/ledger.sqlite"
    guard let ledger = try LedgerOptions.ledger(url, for: .writing) else {
      throw UsageFailure("qualify needs a ledger: --ledger")
    }
    for url in merges {
      guard let other = try LedgerOptions.ledger(url, for: .reading) else { continue }
      do throws(LedgerFailure) { try ledger.takeAll(from: other) } catch { throw UsageFailure("\(error)") }
    }
    return ledger
  }

  /// Takes the folder for this qualification alone, as long as what is returned lives.
  func lock() throws(UsageFailure) -> LockedFolder {
    do throws(ReportFailure) { return try folder.takeForOneRun() } catch { throw UsageFailure("\(error)") }
  }

  /// Where the failures are explained. What shards kept beside their ledgers is copied.
  func archive(_ console: Console) throws(UsageFailure) -> QualificationArchive {
    let shards = merges.compactMap { url -> String? in
      guard case .file(let path)? = try? LedgerURL(url) else { return nil }
      return URL(filePath: path).deletingLastPathComponent().path
    }
    return try QualificationArchive(folder, named: out, others: shards, console)
  }

  /// The qualification of the last release.
  func against(_ ledger: RunLedger) throws(UsageFailure) -> Qualification? {
    guard let name = arguments.value("--against") else { return nil }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue {
      do throws(SummaryFailure) { return try QualificationFiles.read(name) } catch { throw UsageFailure("\(error)") }
    }
    let document: String?
    do throws(LedgerFailure) {
      document = if let exact = try ledger.qualification(of: name) { exact } else { try lastRelease(name, in: ledger) }
    } catch { throw UsageFailure("\(error)") }
    guard let document else {
      throw UsageFailure("--against \(name): neither a folder, nor a firmware with a qualification in the ledger")
    }
    do throws(SummaryFailure) { return try QualificationFiles.decode(Array(document.utf8)) } catch {
      throw UsageFailure("--against \(name): \(error)")
    }
  }

  /// The last document about a release that is named without its digest.
  private func lastRelease(_ name: String, in ledger: RunLedger) throws(LedgerFailure) -> String? {
    guard QualifiedFirmware.release(named: name) != nil else { return nil }
    return try ledger.qualifications(but: name).last { document in
      let earlier = try? QualificationFiles.decode(Array(document.utf8))
      return earlier?.firmware.hasPrefix(name + QualifiedFirmware.digestMark) == true
    }
  }

  /// How many planted faults the suite notices; `nil` where nobody gave it.
  func kills() throws(UsageFailure) -> KillScore? {
    try arguments.value("--kills").map { path throws(UsageFailure) in
      do throws(SummaryFailure) { return try KillScore(file: path) } catch { throw UsageFailure("\(error)") }
    }
  }

  /// What every column's runs have in common.
  func base(
    _ plan: QualificationPlan, _ library: ScenarioLibrary, _ catalogue: RequirementCatalogue
  ) throws(UsageFailure) -> RunPlan {
    var base = RunPlan()
    base.jobs = jobs
    base.settings.seed = plan.seed
    base.settings.catalogue = catalogue
    base.settings.sources = library.files
    base.settings.interruption = interruption
    base.settings.known =
      try plan.known.map { path throws(UsageFailure) in
        try KnownDefectFiles.read(path, library)
      } ?? KnownDefects()
    return base
  }

  /// The targets of the plan, and the ways to update to the firmware, each with how it is run. The release `before` is
  /// one to update from.
  func columns(
    _ plan: QualificationPlan, since before: Qualification?, _ library: ScenarioLibrary, _ base: RunPlan
  ) throws(UsageFailure) -> [QualificationSession.Column] {
    let updates = try updates(plan, since: before, library, base)
    return try (plan.targets.isEmpty ? firmware.targets : plan.targets).map { target throws(UsageFailure) in
      guard firmware.targets.contains(target) else {
        return QualificationSession.Column(target, waiting: firmware.refusal(of: target))
      }
      guard target == .hardware else {
        return QualificationSession.Column(target, plan: firmware.run(base, on: target))
      }
      guard arguments.value("--bench") != nil else {
        return QualificationSession.Column(target, waiting: "no bench is free; give one with --bench")
      }
      var run = firmware.run(base, on: target)
      run.jobs = 1
      run.settings.benchOptions = BenchFiles.words(arguments)
      let bench = try BenchFiles.target(arguments)
      run.settings.hardware = bench
      return QualificationSession.Column(target, plan: run, unidentified: try BenchFirmware.doubt(firmware, on: bench))
    } + updates
  }

  /// The ways to update to the firmware. One that the plan names must exist; that from the last release is taken where it
  /// does.
  private func updates(
    _ plan: QualificationPlan, since before: Qualification?, _ library: ScenarioLibrary, _ base: RunPlan
  ) throws(UsageFailure) -> [QualificationSession.Column] {
    guard let release = firmware.release else {
      guard let source = plan.updateSources.first else { return [] }
      throw UsageFailure(
        "\(source.place): only the package of a known release can be an update from \(source.release), not "
          + firmware.name)
    }
    let run = firmware.run(base, on: .modelled)
    var columns = try plan.updateSources.map { source throws(UsageFailure) in
      let scenarios = plan.updates(from: source.release, to: release, in: library.scenarios)
      guard !scenarios.isEmpty else {
        throw UsageFailure(
          "\(source.place): no scenario updates a recorder from \(source.release) to \(release); expected an earlier "
            + "release for the same board, and cells for it in scenarios/update")
      }
      return QualificationSession.Column(updateFrom: source.release, plan: run, scenarios)
    }
    let last = before.flatMap { QualifiedFirmware.release(named: $0.firmware) }
    if let last, !plan.updateSources.contains(where: { $0.release == last }) {
      let scenarios = plan.updates(from: last, to: release, in: library.scenarios)
      if !scenarios.isEmpty { columns.append(.init(updateFrom: last, plan: run, scenarios)) }
    }
    return columns
  }
}
