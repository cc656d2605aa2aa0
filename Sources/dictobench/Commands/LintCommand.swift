import Runner
import ScenarioLanguage
import Verdicts

/// `dictobench lint`
enum LintCommand: Command {
  static let declaration = CommandDeclaration(
    "lint", "Checks scenario files without running them.", operands: "[FILE|FOLDER …]",
    options: [FormatOption.declaration],
    example: "dictobench lint scenarios/library")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let files = try ScenarioFiles.read(arguments.operands)
    let library = ScenarioLibrary(files: files, vocabulary: try Vocabularies.current())
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("lint").stamped(.object([("problems", library.report.jsonValue)])).text)
    } else if library.diagnostics.isEmpty {
      let count = library.scenarios.count
      console.out(
        "\(files.count) files, \(count) scenario\(count == 1 ? "" : "s") (each matrix cell counts): no problems found")
    } else {
      console.note(library.report.text(colour: console.isColoured))
    }
    return library.hasErrors ? .usage : .passed
  }
}
