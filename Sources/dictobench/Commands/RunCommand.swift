import Bench
import Bytes
import Foundation
import Recorder
import Reports
import Runner
import ScenarioLanguage
import Synchronization
import Timeline
import Verdicts

/// `dictobench run`
enum RunCommand: Command {
  static let declaration = CommandDeclaration(
    "run", "Runs scenarios and judges what happens.", operands: "[FILE|FOLDER …]",
    options: [
      OptionDeclaration(
        "--target", "What is tested; simulated unless stated.", choices: ["simulated", "hardware", "app"]),
      OptionDeclaration("--profile", "Which recorder firmware is simulated.", choices: RecorderProfile.all.map(\.name)),
      BenchFiles.declaration,
      OptionDeclaration("--controller", "Our phone's or, before an app, our recorder's controller.", value: "SPEC"),
      AdapterOptions.take,
      OptionDeclaration("--device", "Address of the recorder, for real ones.", value: "ADDRESS"),
    ] + SelectionOptions.declarations + [
      OptionDeclaration("--jobs", "How many scenarios run at a time; one a processor unless stated.", value: "N"),
      OptionDeclaration(
        "--seed", "The seed from which everything left to chance is drawn; 1 unless stated.", value: "N"),
      OptionDeclaration("--repeat", "Run everything so often, each time with another seed.", value: "N"),
      OptionDeclaration(
        "--for",
        "Repeat everything until so much time has passed, such as 8h; a repetition that has begun is finished. How many "
          + "there are is all that depends on the time: each is what --repeat makes of it.",
        value: "DURATION"),
      OptionDeclaration(
        "--until-fail",
        "Begin nothing more after the first device failure, also within --repeat and --for; bench errors do not count."),
      OptionDeclaration("--retries", "Try a scenario that does not pass again, at most so often.", value: "N"),
      OptionDeclaration("--fault", "Plant a fault, WHO:NAME, to see whether the suite notices.", value: "FAULT"),
      OptionDeclaration("--out", "Folder for junit.xml, events.ndjson, summary.json and captures.", value: "FOLDER"),
      OptionDeclaration(
        "--report",
        "Which reports to write; may be repeated. Unless stated: console, the files of --out, and github where "
          + "GITHUB_ACTIONS is true.",
        choices: ReportSet.names, repeats: true),
      OptionDeclaration(
        "--captures", "Whose captures are kept; of failures unless stated.", choices: ["failures", "all", "none"]),
      OptionDeclaration(
        "--capture", "Whether keys and recordings are covered in captures and hashes; covered unless stated.",
        choices: ["covered", "full"]),
      OptionDeclaration("--require-all", "Also exit 5 when a requirement is not shown."),
      OptionDeclaration("--junit-errors-as-failures", "Write bench and harness errors as failures into junit.xml."),
    ],
    example: "dictobench run --tag smoke --out out")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    var request = try RunRequest(arguments)
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let chosen = request.selection.select(library.scenarios)
    guard !chosen.isEmpty else {
      console.note("nothing selected out of \(library.scenarios.count)")
      return .nothingRan
    }
    // From here on an interrupt still ends with reports.
    let interruption = request.settings.interruption
    Interruption.listen { interruption.request() }
    let health = try RunHealth(request, console)
    let notes = OpeningNotes { console.note($0) }
    request.settings.hardware?.notes = notes
    request.settings.application?.notes = notes
    let preflight = RunPreflight(&request, console)
    if request.target == .app { console.note("judged: the application") }
    var session = RunSession(request, console, health)
    let result = try session.run(chosen)
    preflight?.remember(request, result)
    return result
  }
}
