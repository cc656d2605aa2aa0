import Runner
import ScenarioLanguage
import Verdicts

/// `dictobench lint`
enum LintCommand: Command {
  static let declaration = CommandDeclaration(
    "lint", "Checks scenario files without running them.", operands: "[FILE|FOLDER …]",
    options: [OptionDeclaration("--format", "How to print; human unless stated.", choices: ["human", "json"])],
    example: "dictobench lint scenarios/library")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let files = try ScenarioFiles.read(arguments.operands)
    let library = ScenarioLibrary(files: files, vocabulary: try Vocabularies.current())
    if arguments.value("--format") == "json" {
      console.out(library.report.json)
    } else if library.diagnostics.isEmpty {
      let count = library.scenarios.count
      console.out(
        "\(files.count) files, \(count) scenario\(count == 1 ? "" : "s") with their cells: nothing to complain about")
    } else {
      console.note(library.report.text(colour: console.isColoured))
    }
    return library.hasErrors ? .usage : .passed
  }
}
