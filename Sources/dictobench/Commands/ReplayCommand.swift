import Bytes
import Foundation
import Recorder
import Requirements
import Runner
import ScenarioLanguage
import Text

/// `dictobench replay`
enum ReplayCommand: Command {
  static let declaration = CommandDeclaration(
    "replay", "Runs again what a folder of reports recorded, and compares verdicts and hashes.",
    operands: "FOLDER [ID]", operandLimit: 2, options: [], example: "dictobench replay out")

  /// The part of `summary.json` that a replay needs.
  private struct Summary: Decodable {
    struct Entry: Decodable {
      var id: String
      var cell: String
      var file: String
      var verdict: String
      var traceHash: String?
      var attempts: [String]
      var repetition: Int
    }

    var target: String
    var seed: UInt64
    var profile: String?
    var fault: String?
    var capture: String
    var scenarios: [Entry]
  }

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let folder = arguments.operands.first else {
      throw UsageFailure("replay needs the folder of a run's reports")
    }
    let summary = try read(folder + "/summary.json")
    guard summary.target == TargetKind.simulated.rawValue else {
      throw UsageFailure(
        "\(folder) holds a run on a bench, which does nothing twice: `dictobench check CAPTURE` judges again what was "
          + "captured, and the report names the command that runs a scenario again")
    }
    let wanted = arguments.operands.dropFirst().first
    let entries = summary.scenarios.filter { entry in
      entry.traceHash != nil && (wanted == nil || wanted == entry.id || wanted == entry.id + entry.cell)
    }
    guard !entries.isEmpty else {
      console.note("nothing to replay\(wanted.map { " named \($0)" } ?? "")")
      return .nothingRan
    }
    guard let library = try ScenarioFiles.library(Array(Set(entries.map(\.file))).sorted(), console) else {
      return .usage
    }
    var settings = RunSettings()
    settings.seed = summary.seed
    settings.isUncovered = summary.capture == "full"
    settings.fault = summary.fault.flatMap(PlantedFault.init)
    // A mutant's profile is named after both; the fault brings it back.
    settings.profile = summary.profile.flatMap(RecorderProfile.named) ?? .reference
    let differences = entries.count { !isSame($0, library, settings, console) }
    console.out("\(entries.count - differences) of \(entries.count) the same")
    return differences == 0 ? .passed : .internalError
  }

  private static func read(_ path: String) throws(UsageFailure) -> Summary {
    guard let data = FileManager.default.contents(atPath: path) else { throw UsageFailure("\(path) cannot be read") }
    do { return try JSONDecoder().decode(Summary.self, from: data) } catch {
      throw UsageFailure("\(path) is not a summary of this tool: \(error)")
    }
  }

  private static func isSame(
    _ entry: Summary.Entry, _ library: ScenarioLibrary, _ settings: RunSettings, _ console: Console
  ) -> Bool {
    let name = entry.id + entry.cell
    guard let scenario = library.scenarios.first(where: { $0.name == name }) else {
      console.note("\(name): the scenario is gone")
      return false
    }
    var settings = settings
    settings.repetition = entry.repetition
    let report = ScenarioRun(scenario, settings, sounds: SoundFiles(), firmware: FirmwareFiles()).run()
    let hash = report.traceHash?.description ?? ""
    // What the report tells of several attempts is the first one, but for the verdict that they come to together.
    let verdict = entry.attempts.first ?? entry.verdict
    if report.verdict.kind.rawValue == verdict, hash == entry.traceHash { return true }
    console.note(
      PlainText.escaped(
        "\(name): was \(verdict) \(entry.traceHash ?? ""), is \(report.verdict.kind.rawValue) \(hash)"))
    return false
  }
}
