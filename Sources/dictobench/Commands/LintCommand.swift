import Bytes
import Runner
import ScenarioLanguage
import Text
import Verdicts

/// `dictobench lint`
enum LintCommand: Command {
  static let declaration = CommandDeclaration(
    "lint", "Checks scenario files without running them.", operands: "[FILE|FOLDER …]",
    options: [FormatOption.declaration],
    example: "dictobench lint scenarios/library")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let (named, lent) = try ScenarioFiles.readApart(arguments.operands)
    let library = ScenarioLibrary(files: named + lent, vocabulary: try Vocabularies.current())
    if FormatOption.isJSON(arguments) {
      let report = library.report
      let members: [(String, JSONValue)] = [
        ("problems", report.jsonValue), ("errors", .integer(report.errorCount)),
        ("warnings", .integer(report.warningCount)),
      ]
      console.out(DocumentSchema.named("lint").stamped(.object(members)).text)
    } else if !library.diagnostics.isEmpty {
      console.note(library.report.text(colour: console.isColoured))
    } else if !named.isEmpty {
      let (files, scenarios) = (Wording.count(named.count, "file"), Wording.count(library.scenarios.count, "scenario"))
      console.out("\(files), \(scenarios) (each matrix cell counts): no problems found")
    }
    if library.hasErrors { return .usage }
    guard named.isEmpty else { return .passed }
    console.note(ScenarioFiles.nothing(in: arguments.operands))
    return .nothingRan
  }
}
