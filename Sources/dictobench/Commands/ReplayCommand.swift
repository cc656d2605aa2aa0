import Foundation
import Reports
import ScenarioLanguage
import Session
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
    let reproduction: RunReproduction
    do {
      reproduction = try RunReproduction(
        of: recorded, in: try Vocabularies.catalogue(),
        LivePerformer(sounds: SoundFiles(), firmware: FirmwareFiles()))
    } catch let failure as RunReproduction.Failure {
      throw UsageFailure(failure.description)
    }
    let wanted = arguments.operands.dropFirst().first
    let scenarios = recorded.scenarios.filter { scenario in
      scenario.traceHash != nil && (wanted == nil || wanted == scenario.id || wanted == scenario.name)
    }
    guard !scenarios.isEmpty else {
      console.note("nothing to replay\(wanted.map { " named \(PlainText.escaped($0))" } ?? "")")
      return .nothingRan
    }
    guard let library = try ScenarioFiles.library(try ScenarioFiles.recorded(scenarios), console) else { return .usage }
    var (differences, missing) = (0, 0)
    for scenario in scenarios {
      let outcome = reproduction.run(scenario, from: library).outcome
      guard let trouble = outcome.trouble else { continue }
      differences += 1
      if outcome == .missing { missing += 1 }
      console.note("\(PlainText.escaped(scenario.name, limit: 200)): \(trouble)")
    }
    console.out("\(scenarios.count - differences) of \(scenarios.count) reproduced (verdict and hash)")
    guard differences > 0 else { return .passed }
    // A file that was edited is the caller's, a run that comes out otherwise is ours.
    return missing == differences ? .usage : .internalError
  }
}
