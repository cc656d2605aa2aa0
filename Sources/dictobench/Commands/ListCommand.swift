import Bytes
import Foundation
import Runner
import ScenarioLanguage
import Session
import Text
import Verdicts

/// `dictobench list`
enum ListCommand: Command {
  static let declaration = CommandDeclaration(
    "list", "Lists scenarios without running them.", operands: "[FILE|FOLDER …]",
    options: SelectionOptions.declarations
      + [
        OptionDeclaration(
          "--bench", "Show what would run on this bench, how long that takes, and what blocks the rest.",
          value: "FILE"),
        OptionDeclaration(
          "--image", "Show what would run with this firmware image, and what blocks the rest.", value: "FILE"),
        ImageFiles.bootloader, ImageFiles.packages, BoardFiles.declaration,
        OptionDeclaration("--faults", "List the faults that can be planted instead."),
        FormatOption.declaration,
      ],
    example: "dictobench list --tag smoke")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    if arguments.isSet("--faults") {
      try checkAlone(arguments)
      listFaults(asJSON: FormatOption.isJSON(arguments), console)
      return .passed
    }
    let selection = try SelectionOptions.selection(arguments)
    let forecast = try forecast(arguments)
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let chosen = selection.select(library.scenarios)
    let forecasts = forecast.map { forecast in BenchForecast.inOrder(chosen.map(forecast)) }
    let entries = chosen.indices.map { ListEntry(scenario: chosen[$0], forecast: forecasts?[$0]) }
    if FormatOption.isJSON(arguments) {
      console.out(
        DocumentSchema.named("list").stamped(.object([("scenarios", .array(entries.map(\.json)))])).text)
    } else {
      for entry in entries { console.out(PlainText.escaped(entry.line)) }
      if !chosen.isEmpty { console.note("\(chosen.count) of \(Wording.count(library.scenarios.count, "scenario"))") }
      for line in try twins(arguments).flatMap(TwinText.lines) { console.note(line) }
      if forecast != nil { console.note(BenchForecast.summary(entries.compactMap(\.forecast))) }
    }
    guard chosen.isEmpty else { return .passed }
    console.note(SelectionOptions.nothing(selection, from: library, arguments))
    return .nothingRan
  }

  /// The list of faults is always the same, so nothing chooses among them.
  private static func checkAlone(_ arguments: ParsedArguments) throws(UsageFailure) {
    if let operand = arguments.operands.first {
      throw UsageFailure("--faults lists no scenarios; leave out \(operand)")
    }
    for option in declaration.options where !["--faults", FormatOption.declaration.name].contains(option.name) {
      if arguments.isSet(option.name) { throw UsageFailure("\(option.name) cannot be used with --faults") }
    }
  }

  /// How far the recorders of the bench were from simulated ones when they were measured; nothing is opened for it.
  private static func twins(_ arguments: ParsedArguments) throws(UsageFailure) -> [TwinDistance] {
    guard let bench = try BenchFiles.read(arguments), bench.phone == nil else { return [] }
    return MeasuredTwin.all(on: try BenchFiles.target(arguments)).map(\.distance)
  }

  private static func listFaults(asJSON isJSON: Bool, _ console: Console) {
    if isJSON {
      let faults = PlantedFault.all.map { fault in
        JSONValue.object([
          ("fault", .string(fault.text)), ("subject", .string(fault.subject)),
          ("summary", fault.summary.map(JSONValue.string) ?? .null),
        ])
      }
      return console.out(DocumentSchema.named("fault-list").stamped(.object([("faults", .array(faults))])).text)
    }
    for fault in PlantedFault.all {
      console.out("\(fault.text)  [\(fault.subject)]\(fault.summary.map { "  \($0)" } ?? "")")
    }
  }

  /// Forecasts a scenario with the image of `--image`, or on the bench of `--bench`: with real recorders, or with the
  /// bench's phone where it has one.
  private static func forecast(_ arguments: ParsedArguments) throws(UsageFailure) -> ((Scenario) -> BenchForecast)? {
    if arguments.value("--image") != nil, arguments.value("--bench") != nil {
      throw UsageFailure("--image cannot be used with --bench")
    }
    if let image = try ImageFiles.read(arguments) {
      let program = image.program.recorderProgram(named: image.name)
      return { BenchForecast($0, running: program) }
    }
    guard let bench = try BenchFiles.read(arguments) else { return nil }
    if bench.phone != nil {
      let target = try BenchFiles.application(arguments)
      return { BenchForecast($0, on: target) }
    }
    let target = try BenchFiles.target(arguments)
    return { BenchForecast($0, on: target) }
  }
}

/// A scenario and its forecast on a bench.
private struct ListEntry {
  let scenario: Scenario
  let forecast: BenchForecast?

  var line: String {
    let line = "\(scenario.name)  \(scenario.title)  [\(scenario.requirements.joined(separator: " "))]"
    return forecast.map { "\($0.text)  \(line)" } ?? line
  }

  var json: JSONValue {
    .object(
      [
        ("id", .string(scenario.id)), ("cell", .string(scenario.cell.description)), ("title", .string(scenario.title)),
        ("file", .string(scenario.location.file)), ("line", .integer(scenario.location.line)),
        ("tags", .strings(scenario.tags)),
        ("requirements", .strings(scenario.requirements)),
        ("needs", .strings(scenario.needs.map(\.description))),
      ] + (forecast?.members ?? []))
  }
}
