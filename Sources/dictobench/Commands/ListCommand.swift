import Requirements
import Bytes
import Foundation
import ScenarioLanguage

/// `dictobench list`
enum ListCommand: Command {
  static let declaration = CommandDeclaration(
    "list", "Shows which scenarios there are, without running them.", operands: "[FILE|FOLDER …]",
    options: SelectionOptions.declarations
      + [OptionDeclaration("--format", "How to print; human unless stated.", choices: ["human", "json"])],
    example: "dictobench list --tag smoke")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let selection = try SelectionOptions.selection(arguments, environment: ProcessInfo.processInfo.environment)
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let chosen = selection.select(library.scenarios)
    if arguments.value("--format") == "json" {
      console.out(JSONValue.array(chosen.map(json)).text)
    } else {
      for scenario in chosen {
        console.out(
          PlainText.escaped("\(scenario.name)  \(scenario.title)  [\(scenario.requirements.joined(separator: " "))]")
        )
      }
      console.note("\(chosen.count) of \(library.scenarios.count)")
    }
    return chosen.isEmpty ? .nothingRan : .passed
  }

  private static func json(_ scenario: Scenario) -> JSONValue {
    .object([
      ("id", .string(scenario.id)), ("cell", .string(scenario.cell.description)), ("title", .string(scenario.title)),
      ("file", .string(scenario.location.file)), ("line", .integer(scenario.location.line)),
      ("tags", .strings(scenario.tags)),
      ("requirements", .strings(scenario.requirements)),
      ("needs", .strings(scenario.needs.map(\.description))),
    ])
  }
}
