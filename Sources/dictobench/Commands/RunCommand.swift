import Foundation
import Ledger
import Recorder
import Reports
import Verdicts
import ScenarioLanguage
import Session
import System
import Text

/// `dictobench run`
enum RunCommand: Command {
  static let declaration = CommandDeclaration(
    "run", "Runs scenarios and judges what happens.", operands: "[FILE|FOLDER …]", options: RunOptions.all,
    example: "dictobench run --tag smoke --out out")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    // Scenarios take their time to be read. Whoever interrupts that gets reports and the exit code of an interrupted run.
    Interruption.listen()
    var request = try RunRequest(arguments)
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    var chosen = request.choose(from: library.scenarios)
    guard !chosen.isEmpty else {
      console.note(SelectionOptions.nothing(request.selection, from: library, arguments))
      return .nothingRan
    }
    if let fitting = request.fitting(chosen) {
      console.note(
        "\(fitting.scenarios.count) of \(chosen.count) scenarios fit into the budget, "
          + DurationText.text(.seconds(fitting.seconds)))
      chosen = fitting.scenarios
    }
    guard !chosen.isEmpty else { return .nothingRan }
    let catalogue = try Vocabularies.catalogue()
    request.plan.settings.catalogue = catalogue
    request.plan.settings.known = try KnownDefectFiles.read(arguments, library)
    request.plan.settings.sources = library.files
    let air = try AirOption(arguments, chosen, request)
    air?.listen(&request)
    let lock = try taken(request.out)
    defer { withExtendedLifetime(lock) {} }
    let status = try BenchLocks.holding(arguments, console, if: request.settings.isOnBench) {
      try perform(chosen, request, library, catalogue, arguments, console)
    }
    return told(console) { () throws(UsageFailure) in try air?.finish() } ? status : status.withResultsLost
  }

  /// Writes something at the end of a run. Says why where that is impossible; what the run came to stands all the same.
  private static func told(_ console: Console, _ write: () throws(UsageFailure) -> Void) -> Bool {
    do { try write() } catch {
      console.complain(error.message)
      return false
    }
    return true
  }

  private static func perform(
    _ chosen: [Scenario], _ request: RunRequest, _ library: ScenarioLibrary, _ catalogue: RequirementCatalogue,
    _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    // From here on an interrupt still ends with reports.
    let interruption = request.settings.interruption
    Interruption.listen { interruption.request() }
    let screen = RunScreen(console, request.detail)
    let packages = arguments.value(ImageFiles.packages.name) ?? FirmwareFiles.house
    let performer = LivePerformer(sounds: SoundFiles(), firmware: FirmwareFiles(folder: packages, fallsBack: true))
    var setting = RunSession.Setting(
      program: Tool.description, host: ProcessInfo.processInfo.hostName, folders: request.out.map { [$0] } ?? [],
      catalogue: catalogue)
    setting.baseline = try arguments.value("--baseline").map { folder throws(UsageFailure) in
      try RecordedRunFiles.baseline(folder)
    }
    setting.ledger = try LedgerOptions.writer(
      arguments, ScenarioFingerprints(library.files, reading: performer))
    var session = RunSession(
      request.plan, setting,
      request.coverage?.covering(performer) ?? request.powerCuts?.cutting(performer) ?? performer,
      health: try request.plan.hardware.map { target throws(UsageFailure) in
        try target.health.map { file throws(UsageFailure) in try health(file, console) }
      }
    ) { screen.show($0) }
    let outcome: RunSession.Outcome
    do {
      outcome = try session.run(chosen) { [request] _, report in try RunReports(request, report, console) }
    } catch let failure as LedgerFailure {
      throw UsageFailure("\(failure)")
    } catch let failure as ReportFailure {
      throw UsageFailure("\(failure)")
    }
    if let trouble = outcome.trouble { console.complain("\(trouble)") }
    let isCovered = told(console) { () throws(UsageFailure) in
      try request.coverage?.finish(chosen, Vocabularies.catalogue(), console)
    }
    let didHarm = request.powerCuts?.finish(chosen, console) ?? false
    for (run, bench) in outcome.goodRuns { GoodRuns.keep(run, on: bench) }
    let status = LedgerOptions.status(of: outcome.report, setting.ledger, console)
    if status == .passed, didHarm { return .deviceFailed }
    return isCovered && outcome.trouble == nil ? status : status.withResultsLost
  }

  /// Takes the folder of reports for this run, before anything runs whose verdicts it could not hold.
  private static func taken(_ out: String?) throws(UsageFailure) -> LockedFolder? {
    guard let out else { return nil }
    do { return try ReportFolder(out).takeForOneRun() } catch { throw UsageFailure("\(error)") }
  }

  /// The health scenario of a bench.
  private static func health(_ file: String, _ console: Console) throws(UsageFailure) -> Scenario {
    guard let library = try ScenarioFiles.library([file], console) else {
      throw UsageFailure("the bench's health scenario \(file) has errors")
    }
    let scenarios = library.scenarios.filter { $0.location.file == file }
    guard scenarios.count == 1 else {
      throw UsageFailure("the bench's health scenario \(file) must be one scenario, but it has \(scenarios.count)")
    }
    return scenarios[0]
  }
}
