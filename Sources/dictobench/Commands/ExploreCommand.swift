import Bytes
import Foundation
import ImageRecorder
import Runner
import ScenarioLanguage
import Search
import System
import Text
import Timeline
import Verdicts

/// `dictobench explore`
enum ExploreCommand: Command {
  static let declaration = CommandDeclaration(
    "explore",
    "Searches for failures that no scenario looks for: perturbs simulated runs at random, and writes what fails as the "
      + "smallest scenario that still does.",
    options: [
      OptionDeclaration(
        "--budget", "How long to explore (default: 60s). Time decides only how many runs there are.", value: "DURATION"),
      OptionDeclaration("--runs", "How many runs to make, instead of a time.", value: "N"),
      OptionDeclaration("--seed", "The seed of all random choices (default: 1).", value: "N"),
      OptionDeclaration(
        "--target",
        "simulated (default): the model of a recorder; image: --image executed instruction by instruction.",
        choices: ["simulated", "image"]),
      OptionDeclaration(
        "--image", "The application's ELF or Intel HEX file for --target image.", value: "FILE"),
      BoardFiles.declaration,
      KnownDefectFiles.searchDeclaration,
      ModelOptions.profile, PhoneProfileOption.declaration, ModelOptions.published,
      ModelOptions.fault(", to see whether it is found"),
      OptionDeclaration("--jobs", "How many runs at a time (default: one per processor).", value: "N"),
      OptionDeclaration(
        "--out", "Folder for the scenarios that fail (default: they are printed).", value: "FOLDER"),
    ], example: "dictobench explore --budget 60s --out found")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let budget = try arguments.duration("--budget", in: .seconds(1)...(.seconds(30 * 86_400)))
    let runs = try arguments.number("--runs", in: 1...100_000_000)
    if budget != nil, runs != nil { throw UsageFailure("--budget and --runs exclude each other") }
    let out = try arguments.outputFolder("--out")
    var plan = Explorer.Plan()
    plan.runs = runs
    plan.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    plan.jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    plan.published = try ModelOptions.published(arguments)
    let image = try image(arguments)
    if image != nil { plan.scope = .image }
    var settings = try settings(arguments)
    if let image {
      settings.program = image.program.recorderProgram(named: image.name)
      settings.benchOptions = BenchFiles.words(arguments)
    }
    let options = Self.options(arguments)
    plan.origin = "--seed \(plan.seed)" + options + plan.published.map { " --published \($0)" }.joined()
    let trials = SimulatedTrials(
      settings, executing: image?.program, vocabulary: try Vocabularies.current(), sounds: SoundFiles(),
      firmware: FirmwareFiles())
    let screen = ExplorationScreen(
      console: console, out: out, options: options, image: image?.program.application)
    let interruption = settings.interruption
    Interruption.listen {
      console.note("stopping: runs under way are given up, and findings stay as small as they are")
      interruption.request()
    }
    let began = MachineClock.monotonicNanoseconds()
    let limit = budget ?? (runs == nil ? .seconds(60) : nil)
    let (findings, corpus, progress) = Explorer(plan, trials).run(
      isStopped: {
        let elapsed = Duration.nanoseconds(Int64(MachineClock.monotonicNanoseconds() - began))
        return Interruption.isRequested || screen.trouble != nil || limit.map { elapsed >= $0 } ?? false
      }, screen.tell)
    if let trouble = screen.trouble { throw UsageFailure(trouble) }
    screen.conclude(findings, corpus, progress)
    if Interruption.isRequested { return .interrupted }
    if findings.contains(where: { $0.failure.judges != .harness }) { return .deviceFailed }
    if !findings.isEmpty { return .internalError }
    return progress.isAllBlocked ? .nothingRan : .passed
  }

  /// The image that recorders execute; `nil` for the model.
  private static func image(_ arguments: ParsedArguments) throws(UsageFailure) -> ExecutableImage? {
    let path = arguments.value("--image")
    guard (path != nil) == (arguments.value("--target") == TargetKind.image.rawValue) else {
      throw UsageFailure("--target image and --image FILE belong together")
    }
    guard let path else {
      if arguments.value("--board") != nil { throw UsageFailure("--board needs --target image") }
      return nil
    }
    for option in [ModelOptions.profile.name, ModelOptions.published.name] where !arguments.allValues(option).isEmpty {
      throw UsageFailure("\(option) is about the model of a recorder and cannot be used with --target image")
    }
    var image = try ImageFiles.read(path, board: arguments.value("--board"))
    image.program.processorTime = ImageFiles.defaultProcessorTime
    return image
  }

  private static func settings(_ arguments: ParsedArguments) throws -> RunSettings {
    var settings = try ModelOptions.settings(arguments)
    let library = ScenarioLibrary(files: [], vocabulary: try Vocabularies.current())
    settings.known = try KnownDefectFiles.read(arguments, library).everywhere
    return settings
  }

  /// What `run` must be told besides the file to fail in the same way, with a blank before each word.
  private static func options(_ arguments: ParsedArguments) -> String {
    let names = [
      ModelOptions.profile, PhoneProfileOption.declaration, ModelOptions.fault(), KnownDefectFiles.declaration,
    ].map(\.name)
    let others = names.flatMap { name in arguments.allValues(name).map { "\(name) \(ShellWord.quoted($0))" } }
    return (BenchFiles.words(arguments) + others).map { " " + $0 }.joined()
  }
}
