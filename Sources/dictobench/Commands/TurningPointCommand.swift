import Bytes
import Foundation
import Runner
import ScenarioLanguage
import Search
import Text
import Timeline
import Verdicts

/// `dictobench turning-point`
enum TurningPointCommand: Command {
  static let declaration = CommandDeclaration(
    "turning-point",
    "Finds where a failed run was lost: draws the future of the run again after its events, and tells with which event the "
      + "chance of failure rose most.",
    operands: "FILE", operandLimit: 1,
    options: [
      OptionDeclaration("--name", "The scenario with this name, where the file has several.", value: "NAME"),
      OptionDeclaration("--seed", "The seed of the run that failed (default: 1).", value: "N"),
      OptionDeclaration(
        "--repetition", "Which repetition of that run failed, from 1 (default: 1). Reports count from 0.", value: "N"),
      OptionDeclaration(
        "--retry", "Which retry of that repetition failed, from 1 (default: none: its first attempt).", value: "N"),
      OptionDeclaration("--draws", "How many futures are drawn for each event (default: 200).", value: "N"),
      ModelOptions.profile, PhoneProfileOption.declaration, ModelOptions.fault(),
      OptionDeclaration("--jobs", "How many runs at a time (default: one per processor).", value: "N"),
      FormatOption.declaration,
    ], example: "dictobench turning-point lost.yaml --seed 7")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let draws = try arguments.number("--draws", in: 1...100_000) ?? 200
    let jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    guard !arguments.operands.isEmpty else { throw UsageFailure("turning-point needs a scenario") }
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let scenario = try scenario(library, arguments)
    let futures = SimulatedFutures(
      scenario, try settings(arguments, library), sounds: SoundFiles(), firmware: FirmwareFiles())
    let run = try failedRun(futures, scenario)
    if !FormatOption.isJSON(arguments) {
      console.note("\(PlainText.escaped(run.reason)): drawing \(Wording.count(draws, "future")) for each event")
    }
    guard let result = TurningPoint(futures, draws: draws, jobs: jobs).search(run, { _ in }) else {
      throw UsageFailure("\(scenario.name) fails in some futures and not in others, but before anything happened")
    }
    let screen = TurningPointScreen(result: result)
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("turning-point").stamped(screen.document(run, of: scenario.name)).indentedText)
    } else {
      for line in screen.lines { console.out(line) }
    }
    return .passed
  }

  private static func failedRun(
    _ futures: SimulatedFutures, _ scenario: Scenario
  ) throws(UsageFailure) -> FailedRun {
    do throws(SimulatedFutures.NotFailed) { return try futures.failedRun() } catch {
      switch error {
      case .passed:
        throw UsageFailure(
          "\(scenario.name) passes with this seed, repetition and retry: name those of a run that failed")
      case .unjudged(let reason):
        throw UsageFailure("\(scenario.name) judged nobody, so it has no turning point; \(PlainText.escaped(reason))")
      }
    }
  }

  /// The scenario that the operand and `--name` choose. Of the files that come along, such as fragments, none is meant.
  private static func scenario(
    _ library: ScenarioLibrary, _ arguments: ParsedArguments
  ) throws(UsageFailure) -> Scenario {
    let operand = arguments.operands[0]
    let folder = operand.hasSuffix("/") ? operand : operand + "/"
    let scenarios = library.scenarios.filter { $0.location.file == operand || $0.location.file.hasPrefix(folder) }
    guard !scenarios.isEmpty else { throw UsageFailure(ScenarioFiles.nothing(in: [operand])) }
    let names = scenarios.map(\.name)
    let place = PlainText.escaped(operand)
    guard let name = arguments.value("--name") else {
      guard names.count == 1 else {
        throw UsageFailure("turning-point needs one scenario; choose one with --name: \(some(names))")
      }
      return scenarios[0]
    }
    let chosen = scenarios.filter { $0.name == name }
    guard let only = chosen.first else {
      throw UsageFailure(
        "there is no scenario \(PlainText.escaped(name)) in \(place)" + ParsedArguments.suggestion(name, names))
    }
    guard chosen.count == 1 else {
      let files = some(chosen.map(\.location.file))
      throw UsageFailure("several scenarios of \(place) are named \(name): give the file of one: \(files)")
    }
    return only
  }

  /// The first of many words, and how many are left out.
  private static func some(_ words: [String]) -> String {
    let shown = words.prefix(10).map { PlainText.escaped($0) }.joined(separator: ", ")
    return words.count > 10 ? "\(shown), and \(words.count - 10) more" : shown
  }

  private static func settings(_ arguments: ParsedArguments, _ library: ScenarioLibrary) throws -> RunSettings {
    var settings = try ModelOptions.settings(arguments)
    settings.sources = library.files
    settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    let turn = (try arguments.number("--repetition", in: 1...AttemptNumber.repetitions) ?? 1) - 1
    settings.repetition = AttemptNumber.of(turn: turn, retry: try arguments.number("--retry", in: 1...100) ?? 0)
    return settings
  }
}
