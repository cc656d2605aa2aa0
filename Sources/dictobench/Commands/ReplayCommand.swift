import Bytes
import Foundation
import Recorder
import Reports
import Runner
import ScenarioLanguage
import Text
import Verdicts

/// `dictobench replay`
enum ReplayCommand: Command {
  static let declaration = CommandDeclaration(
    "replay", "Runs again what a folder of reports recorded, and compares verdicts and hashes.",
    operands: "FOLDER [ID]", operandLimit: 2, options: [], example: "dictobench replay out")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let folder = arguments.operands.first else {
      throw UsageFailure("replay needs the folder of a run's reports")
    }
    let recorded: RunReport
    do { recorded = try RunReport(summaryIn: folder) } catch { throw UsageFailure("\(error)") }
    guard recorded.target == TargetKind.simulated.rawValue else {
      throw UsageFailure(
        "\(folder) holds a run on a bench, which cannot be replayed; to judge what was captured again, use "
          + "`dictobench check CAPTURE`; to run a scenario again, use the command that the report names for it")
    }
    let settings = try settings(recorded)
    let wanted = arguments.operands.dropFirst().first
    let scenarios = recorded.scenarios.filter { scenario in
      scenario.traceHash != nil && (wanted == nil || wanted == scenario.id || wanted == scenario.name)
    }
    guard !scenarios.isEmpty else {
      console.note("nothing to replay\(wanted.map { " named \(PlainText.escaped($0))" } ?? "")")
      return .nothingRan
    }
    guard let library = try ScenarioFiles.library(try files(of: scenarios), console) else { return .usage }
    let differences = scenarios.count { !isReproduced($0, library, settings, console) }
    console.out("\(scenarios.count - differences) of \(scenarios.count) reproduced (verdict and hash)")
    return differences == 0 ? .passed : .internalError
  }

  /// The settings of the recorded run.
  private static func settings(_ recorded: RunReport) throws(UsageFailure) -> RunSettings {
    var settings = RunSettings()
    settings.seed = recorded.seed
    settings.isUncovered = recorded.isUncovered
    settings.catalogue = try Vocabularies.catalogue()
    settings.known = KnownDefects(recorded.knownDefects.map(\.defect))
    if let name = recorded.profile {
      guard let profile = RecorderProfile.named(name) else { throw unknown("profile", name) }
      settings.profile = profile
    }
    if let text = recorded.fault {
      guard let faults = [PlantedFault](text) else { throw unknown("fault", text) }
      settings.faults = faults
    }
    return settings
  }

  private static func unknown(_ what: String, _ name: String) -> UsageFailure {
    UsageFailure("the recorded run has the unknown \(what) \"\(PlainText.escaped(name, limit: 100))\"")
  }

  /// The scenario files that a recorded run names, each once. What a summary names may be anything, so only regular
  /// files are read.
  private static func files(of scenarios: [ScenarioReport]) throws(UsageFailure) -> [String] {
    let files = Array(Set(scenarios.map(\.file))).sorted()
    for file in files {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(filePath: ProgramData.place(file)).resolvingSymlinksInPath().path)
      let isRegular = attributes?[.type] as? FileAttributeType == .typeRegular
      guard isRegular, file == PlainText.escaped(file) else {
        throw UsageFailure("the recorded run names \"\(PlainText.escaped(file, limit: 200))\", which is not a file")
      }
    }
    return files
  }

  private static func isReproduced(
    _ recorded: ScenarioReport, _ library: ScenarioLibrary, _ settings: RunSettings, _ console: Console
  ) -> Bool {
    let name = PlainText.escaped(recorded.name, limit: 200)
    guard let scenario = library.scenarios.first(where: { $0.name == recorded.name }) else {
      console.note("\(name): the scenario no longer exists")
      return false
    }
    var settings = settings
    settings.repetition = recorded.repetition
    let report = ScenarioRun(scenario, settings, sounds: SoundFiles(), firmware: FirmwareFiles()).run()
    // A report of several attempts describes the first one, except for the verdict they come to together.
    let verdict = recorded.attempts.first?.kind ?? recorded.verdict.kind
    if report.verdict.kind == verdict, report.traceHash == recorded.traceHash { return true }
    func text(_ kind: Verdict.Kind, _ report: ScenarioReport) -> String {
      "\(kind.rawValue) \(report.traceHash?.description ?? "without a hash")"
    }
    console.note("\(name): was \(text(verdict, recorded)), is \(text(report.verdict.kind, report))")
    return false
  }
}
